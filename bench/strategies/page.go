package strategies

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/jacquard-go/jacquard/bench/figures"
)

// page returns the whole page.
func page(ctx context.Context, o order, rows []row) string {
	var b strings.Builder
	fmt.Fprintf(&b, `# Schedules to bug

How many schedules each strategy needs to find a known bug: the median / the
worst of %d seeds, with a limit of %d schedules for each (the default plan has
its own). A dash means that the bug was not found within the limit; a number in
brackets says with how many of the seeds it was.

The bugs are the explorer's canaries (a small program for each thing that it must
tell), classic bugs, the same *crowded* by three goroutines with thirty critical
sections of no interest, and the documented races, as reported and as suggested.

%s`, o.seeds, o.limit, o.page.Made(ctx))
	bugTable(&b, o.columns, rows)
	b.WriteString("\n## By group\n\nThe mean over all bugs and seeds of a group; a bug that was not found counts as all the schedules that were run.\n\n")
	groupTable(&b, o.columns, rows)
	stages := o.stages()
	strategies := stages[:len(stages)-1]
	inSequence := rank(sequences(strategies), rows, o.limit)
	inTurns := rank(interleavings(strategies), rows, o.limit)
	fmt.Fprintf(&b, `
## Which plan

What a plan would have needed is worked out from the table's samples. *a, b, c, n
each* runs n schedules of a, then n of b, then c up to the limit; *a | b* takes
turns. A search is one bug with one seed; there are %d. A search that finds
nothing counts as %d schedules in the mean. *1 in 20* is what the slowest
twentieth of the searches need at least. Listed are each strategy alone, the
default plan as it was measured, and the best few of %d sequences and of %d
interleavings.

`, len(rows)*o.seeds, o.limit, len(inSequence), len(inTurns))
	single := rank(alone(stages), rows, o.limit)
	best := choose(slices.Concat(single, inSequence, inTurns))
	shown := slices.Concat(single, inSequence[:listed], inTurns[:listed])
	if !slices.ContainsFunc(shown, func(s score) bool { return s.String() == best.String() }) {
		shown = append(shown, best)
	}
	scoreTable(&b, shown)
	conclude(&b, best)
	return b.String()
}

// listed is how many plans of each kind are shown.
const listed = 5

func bugTable(b *strings.Builder, columns []column, rows []row) {
	b.WriteString("| group | bug |")
	for _, c := range columns {
		fmt.Fprintf(b, " %s |", c.name)
	}
	b.WriteString("\n|---|---|" + strings.Repeat("--:|", len(columns)) + "\n")
	for _, r := range rows {
		fmt.Fprintf(b, "| %s | %s |", r.group, r.name)
		for _, samples := range r.samples {
			sorted := figures.Needed(samples)
			fmt.Fprintf(b, " %s / %s |", figures.Number(figures.Median(sorted)), figures.WorstText(sorted))
		}
		b.WriteString("\n")
	}
}

func groupTable(b *strings.Builder, columns []column, rows []row) {
	b.WriteString("| group |")
	for _, c := range columns {
		fmt.Fprintf(b, " %s |", c.name)
	}
	b.WriteString("\n|---|" + strings.Repeat("--:|", len(columns)) + "\n")
	for i, r := range rows {
		if i > 0 && rows[i-1].group == r.group {
			continue
		}
		fmt.Fprintf(b, "| %s |", r.group)
		for c := range columns {
			fmt.Fprintf(b, " %.1f |", groupMean(rows, r.group, c))
		}
		b.WriteString("\n")
	}
}

func groupMean(rows []row, group string, column int) float64 {
	sum, n := 0, 0
	for _, r := range rows {
		if r.group != group {
			continue
		}
		for _, s := range r.samples[column] {
			sum += s.Schedules
			n++
		}
	}
	return float64(sum) / float64(n)
}

func scoreTable(b *strings.Builder, scores []score) {
	b.WriteString("| plan | missed | mean | median | 1 in 20 | worst |\n|---|--:|--:|--:|--:|--:|\n")
	for _, s := range scores {
		fmt.Fprintf(b, "| %s | %d | %.1f | %s | %s | %s |\n",
			strings.ReplaceAll(s.String(), "|", `\|`), s.missed, s.mean, figures.Number(s.median), figures.Number(s.slow), figures.Number(s.most))
	}
}

func conclude(b *strings.Builder, best score) {
	fmt.Fprintf(b, `
Of the plans that miss least, many are about equally good on average, and which
of these is the best by a little is chance. Among those whose mean is within %.0f %% of
the best one's, the smallest worst case decides:
**%s** misses %d, and needs %.1f
schedules on average and %s at worst.
What the default plan is, and why it is not this one, is said at explore.DefaultPlan.
`, 100*(near-1), best.plan, best.missed, best.mean, figures.Number(best.most))
}
