package strategies

import (
	"context"
	"fmt"
	"strings"

	"github.com/jacquard-go/jacquard/bench/figures"
	"github.com/jacquard-go/jacquard/bench/sctbench"
	"github.com/jacquard-go/jacquard/internal/programs"
)

// sctbenchBugs returns the programs of package sctbench.
func sctbenchBugs() []bug {
	var all []bug
	for _, p := range sctbench.Programs() {
		all = append(all, ofProgram("sctbench", programs.Program{Name: p.Name, Kind: p.Kind, Run: p.Run}))
	}
	return all
}

// sctbenchPage returns docs/sctbench.md.
func sctbenchPage(ctx context.Context, o order, rows []row) string {
	var b strings.Builder
	fmt.Fprintf(&b, `# SCTBench and ConVul

How many schedules each strategy needs for the programs that RFF was measured on
(Wolff and others: Greybox Fuzzing for Concurrency Testing, ASPLOS 2024): the median
of %d seeds, and of %d for the strategies alone, with a limit of %d schedules (the default
plan has its own)%s. A dash means that the bug was never found; a number in brackets
says with how many of the seeds it was, if not with all of them.

The programs are written anew in Go (bench/sctbench), from what is said of them; where
their bug is in an order and not in the data race, what races is atomic. Some are easier
than the original, or harder: points are not the same, and of a work-stealing queue or
a kernel only what the bug takes is there. So the right half of the table, the medians
of 20 searches with up to five minutes each that RFF's artifact has for the originals in
C, is what to set the left half beside, and not a race.

%s`, o.seeds, o.fewest(), o.limit, o.bound(), o.page.Made(ctx))
	b.WriteString("| program |")
	for _, c := range o.columns {
		fmt.Fprintf(&b, " %s |", c.name)
	}
	b.WriteString(" worst | RFF | RFF, no feedback | POS | PCT 3 | PERIOD | Q-learning |\n|---|" + strings.Repeat("--:|", len(o.columns)+7) + "\n")
	published := make(map[string]sctbench.Published)
	for _, p := range sctbench.Programs() {
		published[p.Name] = p.Published
	}
	for _, r := range rows {
		fmt.Fprintf(&b, "| %s |", r.name)
		for _, samples := range r.samples {
			fmt.Fprintf(&b, " %s |", medianText(figures.Needed(samples)))
		}
		p := published[r.name]
		fmt.Fprintf(&b, " %s | %s | %s | %s | %s | %s | %s |\n", figures.WorstText(figures.Needed(r.samples[len(o.columns)-1])),
			p.RFF, p.NoFeedback, p.POS, p.PCT, p.Period, p.QLearning)
	}
	b.WriteString("\n*worst* is the default plan's. SafeStack takes more than these limits: Guided, which is where jacquard test\n" +
		"has time left, finds it with each of 20 seeds within 50,000 schedules (JACQUARD_LONG=1 go test -run TestSafeStack ./sctbench).\n" +
		"It takes 7 preemptions, as a search through all its states shows, and is reduced to 7 to 9.\n\n")
	sctbenchSums(&b, o, rows)
	return b.String()
}

// fewest returns with how many seeds the single strategies are measured.
func (o order) fewest() int {
	if o.few > 0 {
		return min(o.few, o.seeds)
	}
	return o.seeds
}

// bound says how long a search may take.
func (o order) bound() string {
	if o.most == 0 {
		return ""
	}
	return fmt.Sprintf(" and of %v", o.most)
}

// medianText returns the median of the searches that found the bug, and how many these
// were if not all of them.
func medianText(sorted []int) string {
	found := 0
	for found < len(sorted) && sorted[found] != figures.Never {
		found++
	}
	text := figures.Number(figures.Median(sorted[:found]))
	if found > 0 && found < len(sorted) {
		text += fmt.Sprintf(" (%d)", found)
	}
	return text
}

// sctbenchSums writes for each column in how many programs it found the bug, and how often.
func sctbenchSums(b *strings.Builder, o order, rows []row) {
	b.WriteString("| strategy | found by every seed | found by one at least | mean |\n|---|--:|--:|--:|\n")
	for c := range o.columns {
		every, some, sum, searches := 0, 0, 0, 0
		for _, r := range rows {
			found := 0
			searches += len(r.samples[c])
			for _, s := range r.samples[c] {
				sum += s.Schedules
				if s.Found {
					found++
				}
			}
			if found > 0 {
				some++
			}
			if found == len(r.samples[c]) {
				every++
			}
		}
		fmt.Fprintf(b, "| %s | %d | %d | %.1f |\n", o.columns[c].name, every, some, float64(sum)/float64(searches))
	}
	b.WriteString("\nThe mean is over all programs and seeds; a search that found nothing counts as the schedules that were run.\n")
}
