package goker

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/jacquard-go/jacquard/bench/figures"
	"github.com/jacquard-go/jacquard/bench/goker/trial"
	"github.com/jacquard-go/jacquard/explore"
)

// page writes the whole page.
func page(ctx context.Context, o order, rows []*row) string {
	var b strings.Builder
	fmt.Fprintf(&b, `# GoKer

[GoBench](https://doi.org/10.1109/CGO51591.2021.9370317) (Yuan and others, CGO 2021)
holds kernels of real concurrency bugs in Go programs. The Go tree has %d of those that
block, to test its profile of leaked goroutines with; its own test calls most of them
flaky. This is what the explorer finds in them.

%sIt was built %s.

## How they are run

The kernels are read from GOROOT. What is changed in them:

- Instead of runtime/pprof they import a package of the same name whose profile is
  empty. The profile of leaked goroutines stops the world, and the verdict is not its to
  give.
- Instead of their main.go, which runs a kernel by its name, there is one that explores it.
- The outermost loop, in which %d kernels start their body 10 to 10,000 times at once,
  runs once (twice in Moby33781, where the number of the round matters), and these loops
  inside kernels run fewer times: %s.
  Once is enough under control. The flag -whole explores the kernels with all rounds too.
- %s

The body is the kernel's function. It returns when the kernel would have written its
profile. What is found is a goroutine that can then never go on: a *deadlock* if some
wait for one another's locks, whatever others do, and else a *leak*. A kernel that is
meant to go on for ever is no finding while it does. Data races are not the verdict%s.

`, len(rows), o.page.Made(ctx), o.built(), looped(rows), repeated(rows), repaired(rows), o.races(rows))
	summary(&b, o, rows)
	table(&b, o, rows)
	corrected(&b, o, rows)
	b.WriteString(others)
	return b.String()
}

func (o order) built() string {
	if o.race {
		return "with the race detector"
	}
	return "without the race detector"
}

func (o order) races(rows []*row) string {
	if !o.race {
		return ", and not looked for"
	}
	var with []string
	for _, r := range rows {
		if slices.ContainsFunc(r.searches, func(s trial.Search) bool { return s.Races > 0 }) {
			with = append(with, r.kernel.Name)
		}
	}
	return "; they were seen in " + cmp.Or(strings.Join(with, ", "), "none of the kernels")
}

// looped counts the kernels that start their body many times.
func looped(rows []*row) (n int) {
	for _, r := range rows {
		if r.kernel.Loop != nil {
			n++
		}
	}
	return n
}

// repeated says which loops inside of kernels run less.
func repeated(rows []*row) string {
	var all []string
	for _, r := range rows {
		for _, e := range repeats(r.kernel.Name) {
			all = append(all, fmt.Sprintf("%s:%d (%s for %s)", r.kernel.File, e.Line, e.To, e.From))
		}
	}
	return cmp.Or(strings.Join(all, ", "), "none")
}

// repaired says which kernels have their bug back.
func repaired(rows []*row) string {
	var all []string
	for _, r := range rows {
		if fix, ok := repairs()[r.kernel.Name]; ok {
			all = append(all, fmt.Sprintf("**%s, as the Go tree has it, cannot go wrong** (%s). %s", r.kernel.Name, r.lost.Summary, fix.Why))
		}
	}
	return cmp.Or(strings.Join(all, "\n- "), "Nothing else.")
}

// summary writes the results in one paragraph.
func summary(b *strings.Builder, o order, rows []*row) {
	found, told, searches, alike, cards := 0, 0, 0, 0, 0
	var medians, all []int
	for _, r := range rows {
		needed := figures.Needed(samples(r.searches))
		if len(needed) == o.seeds && figures.Worst(needed) <= limit {
			found++
		}
		medians = append(medians, figures.Median(needed))
		all = append(all, needed...)
		told += r.causesTold()
		searches += len(r.searches)
		for _, s := range r.searches {
			if s.Card != "" {
				cards++
			}
			if s.Card != "" && s.Replayed == o.replays {
				alike++
			}
		}
	}
	slices.Sort(medians)
	slices.Sort(all)
	fmt.Fprintf(b, `## What is found

**%d of %d kernels are found with each of %d seeds within %d schedules**%s. The median over
the kernels is schedule %s, that of all searches %s, the worst %s. In %d of %d searches the
verdict names who waits for what, and where, as the reports of the bugs have it. %d of %d
cards replay %d of %d times.

`, found, len(rows), o.seeds, limit, counted(rows), figures.Number(figures.Median(medians)), figures.Number(figures.Median(all)), figures.WorstText(all), told, searches, alike, cards, o.replays, o.replays)
}

// counted says how many kernels had to be repaired.
func counted(rows []*row) string {
	n := 0
	for _, r := range rows {
		if _, ok := repairs()[r.kernel.Name]; ok {
			n++
		}
	}
	if n == 0 {
		return ""
	}
	return fmt.Sprintf(", %d of them repaired", n)
}

func table(b *strings.Builder, o order, rows []*row) {
	whole, head, line := "", "", ""
	if o.whole {
		whole = fmt.Sprintf(" *As it stands* is the\nfailing schedule of the kernel with all its rounds, seed 1, or a dash if it was not found\nwithin %d schedules or half a minute.", limit)
		head, line = " as it stands |", "--:|"
	}
	fmt.Fprintf(b, `*Schedules* are the median / the worst of %d seeds under the default plan, *found by* the
strategies that did, *random* is a random walk instead. *Preemptions* are those of the
minimised schedules, the least and the most. *Cause* counts the verdicts that name the
cause, *replayed* the replays that came to the same end.%s

| kernel | found | schedules | found by | random | preemptions | cause | replayed |%s
|---|---|--:|---|--:|--:|--:|--:|%s
`, o.seeds, whole, head, line)
	for _, r := range rows {
		needed, random := figures.Needed(samples(r.searches)), figures.Needed(samples(r.random))
		fmt.Fprintf(b, "| %s | %s | %s / %s | %s | %s / %s | %s | %d of %d | %d of %d |",
			r.kernel.Name, distinct(r.searches, func(s trial.Search) string { return string(s.Kind) }),
			figures.Number(figures.Median(needed)), figures.WorstText(needed),
			distinct(r.searches, func(s trial.Search) string { return s.Strategy }),
			figures.Number(figures.Median(random)), figures.WorstText(random), preemptions(r.searches),
			r.causesTold(), len(r.searches), replayed(r.searches), o.replays*len(r.searches))
		if o.whole {
			b.WriteString(" " + r.stands() + " |")
		}
		b.WriteString("\n")
	}
}

// distinct lists the distinct values of searches that found something.
func distinct(searches []trial.Search, value func(trial.Search) string) string {
	seen := make(map[string]bool)
	for _, s := range searches {
		if s.Found() {
			seen[value(s)] = true
		}
	}
	return cmp.Or(strings.Join(slices.Sorted(maps.Keys(seen)), ", "), "–")
}

func preemptions(searches []trial.Search) string {
	var all []int
	for _, s := range searches {
		if s.Found() {
			all = append(all, s.Preemptions)
		}
	}
	if len(all) == 0 {
		return "–"
	}
	least, most := slices.Min(all), slices.Max(all)
	if least == most {
		return fmt.Sprint(least)
	}
	return fmt.Sprintf("%d–%d", least, most)
}

func replayed(searches []trial.Search) (n int) {
	for _, s := range searches {
		n += s.Replayed
	}
	return n
}

// stands says what the search of the unchanged kernel found.
func (r *row) stands() string {
	if r.whole == nil || !r.whole.Found() {
		return "–"
	}
	return fmt.Sprint(r.whole.Schedules)
}

// corrected lists the corrected kernels.
func corrected(b *strings.Builder, o order, rows []*row) {
	if o.twins == 0 {
		return
	}
	fmt.Fprintf(b, `
## Corrected

Nothing may be reported on a kernel that has been put right. These were explored for
%d schedules, a quarter each by POS, SURW, PCT and a random walk.

| kernel | what is put right | verdict |
|---|---|---|
`, o.twins)
	for _, r := range rows {
		if r.twin != nil {
			what := r.twin.Verdict
			if what != explore.Holds.String() {
				what = "**" + what + "**"
			}
			fmt.Fprintf(b, "| %s | %s | %s, %s |\n", r.kernel.Name, twins()[r.kernel.Name].how, what, r.twin.Summary)
		}
	}
}

// others has the published figures. None of them is for the same programs: the
// Go tree has fewer kernels, changed as its README says.
const others = `
## Published figures of other tools

They are not quite comparable. They are for GoBench's own kernels, which the Go tree
has changed somewhat: data races have been removed, calls of runtime.Gosched added. Each
tool has its own budget, and its own notion of what it is to find a bug. Of the tools
only GoAT and GoPie choose schedules.

| tool | found | of | how | source |
|---|--:|--:|---|---|
| goleak | 42 | 68 | goroutines left at the end of plain runs | Yuan and others, GoBench, CGO 2021 |
| go-deadlock | 28 | 68 | lock order and time-outs in plain runs | the same |
| GoAT, delay bound 3 | 66 | 67 | random delays at concurrency operations, analysis of traces | Taheri and Gopalakrishnan, GoAT, IISWC 2021 |
| GoPie | 66 | 68 | fuzzing of interleavings at concurrency primitives | Jiang and others, Effective Concurrency Testing for Go via Directional Primitive-Constrained Interleaving Exploration, ASE 2023 |
`
