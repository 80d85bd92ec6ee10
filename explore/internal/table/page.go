package main

import (
	"cmp"
	"fmt"
	"runtime"
	"strings"
)

// page writes the whole page.
func page(o order, rows []row) string {
	var b strings.Builder
	fmt.Fprintf(&b, `# Schedules to bug

How many schedules each strategy needs to find a known bug: the median and the
worst of %d seeds, with a limit of %d schedules for each. A dash means that the
bug was not found within the limit; for the worst, a number in brackets says in how
many of the seeds.

Commit %s, %s %s/%s, by the command

    %s

`, o.seeds, o.limit, cmp.Or(o.commit, "unknown"), runtime.Version(), runtime.GOOS, runtime.GOARCH, o.command())
	bugTable(&b, rows)
	fmt.Fprintf(&b, `
## Which plan

What a plan would have needed is worked out from the table's samples. *a, b, c, n
each* runs n schedules of a, then n of b, then c up to the limit; *a | b* takes
turns. A search is one bug with one seed; there are %d. A search that finds
nothing counts as %d schedules in the mean. *1 in 20* is what the slowest
twentieth of the searches need at least. Listed are each strategy alone, and
the best few of %d sequences and of %d interleavings.

`, len(rows)*o.seeds, o.limit, len(sequences()), len(interleavings()))
	scoreTable(&b, rank(alone(), rows, o.limit))
	best := rank(sequences(), rows, o.limit)
	scoreRows(&b, best[:listed])
	turns := rank(interleavings(), rows, o.limit)
	scoreRows(&b, turns[:listed])
	conclude(&b, rank(alone(), rows, o.limit)[0], best[0], turns[0])
	return b.String()
}

// listed is how many plans of a sort are shown.
const listed = 5

func (o order) command() string {
	c := fmt.Sprintf("go run ./explore/internal/table -seeds %d -limit %d", o.seeds, o.limit)
	if o.file != "" {
		c += " -o " + o.file
	}
	return c
}

func bugTable(b *strings.Builder, rows []row) {
	b.WriteString("| group | bug |")
	for _, s := range strategies {
		fmt.Fprintf(b, " %s | worst |", s.name)
	}
	b.WriteString("\n|---|---|" + strings.Repeat("--:|--:|", len(strategies)) + "\n")
	for _, r := range rows {
		fmt.Fprintf(b, "| %s | %s |", r.group, r.name)
		for _, samples := range r.samples {
			sorted := needed(samples)
			fmt.Fprintf(b, " %s | %s |", number(median(sorted)), worstText(sorted))
		}
		b.WriteString("\n")
	}
}

func number(n int) string {
	if n == never {
		return "–"
	}
	return fmt.Sprint(n)
}

// worstText says how many seeds found it, if not all did.
func worstText(sorted []int) string {
	found := 0
	for _, n := range sorted {
		if n != never {
			found++
		}
	}
	if found == len(sorted) {
		return number(worst(sorted))
	}
	return fmt.Sprintf("– (%d)", found)
}

func scoreTable(b *strings.Builder, scores []score) {
	b.WriteString("| plan | missed | mean | median | 1 in 20 | worst |\n|---|--:|--:|--:|--:|--:|\n")
	scoreRows(b, scores)
}

func scoreRows(b *strings.Builder, scores []score) {
	for _, s := range scores {
		fmt.Fprintf(b, "| %s | %d | %.1f | %s | %s | %s |\n",
			strings.ReplaceAll(s.String(), "|", `\|`), s.missed, s.mean, number(s.median), number(s.slow), number(s.most))
	}
}

// conclude names the best plan.
func conclude(b *strings.Builder, alone, sequence, turns score) {
	best := sequence
	for _, s := range []score{turns, alone} {
		if s.missed < best.missed || s.missed == best.missed && s.mean < best.mean {
			best = s
		}
	}
	fmt.Fprintf(b, "\nBy fewest missed, then by the mean, the figures speak for **%s**: %d missed, %.1f schedules on average, %s at worst.\n",
		best.plan, best.missed, best.mean, number(best.most))
}
