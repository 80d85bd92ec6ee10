package main

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/jacquard-go/jacquard/internal/command"
	"github.com/jacquard-go/jacquard/stress/soak"
)

// printSoak prints the figures of a soak, then what was checked, then what is
// wrong. It writes once.
func printSoak(out io.Writer, database string, r *soak.Report) error {
	var b strings.Builder
	fmt.Fprintf(&b, "soak · %s · %s %s · %s · seed %d · %v\n\n",
		database, r.Go, r.Platform, command.Plural(r.Processors, "processor"), r.Seed, r.Time)
	printSoakFigures(&b, database, r)
	printSoakKinds(&b, r)
	printSoakChecks(&b, r)
	printSoakProblems(&b, r)
	if r.Clean {
		b.WriteString("\n  everything holds\n\n")
	}
	_, err := io.WriteString(out, b.String())
	return err
}

func printSoakFigures(b *strings.Builder, database string, r *soak.Report) {
	w := aligned(b)
	s := r.Stats
	fmt.Fprintf(w, "  processes\t%d of %d goroutines and some owners, %s, %s, %s\n",
		r.Processes, r.Goroutines, command.Plural(r.Kills, "kill"), command.Plural(r.Restarts, "restart"), command.Plural(r.Freezes, "freeze"))
	fmt.Fprintf(w, "  clocks\tjumped %s, by hours\n", command.Plural(int(r.Jumps), "time"))
	switch {
	case database != onPostgres:
	case r.ServerRestarts > 0:
		fmt.Fprintf(w, "  server\tended and started again %s\n", command.Plural(r.ServerRestarts, "time"))
	default:
		fmt.Fprintf(w, "  server\tnot restarted: it is not ours\n")
	}
	fmt.Fprintf(w, "  operations\t%d in %v, %.0f a second\n", r.Operations, r.Took.Round(time.Millisecond), perSecond(r))
	fmt.Fprintf(w, "  in doubt\t%s without an answer, of which %d are there\n", command.Plural(r.Doubtful, "write"), r.Happened)
	fmt.Fprintf(w, "  longest\t%v, %s of %s\n", r.Longest.Took.Round(time.Microsecond), r.Longest.Kind, r.Longest.Label)
	fmt.Fprintf(w, "  at the end\t%s, %s, %s, %s\n", command.Plural(r.Actions, "action"), command.Plural(r.Plans, "plan"),
		command.Plural(r.Changesets, "changeset"), command.Plural(r.Changes, "change"))
	fmt.Fprintf(w, "  reads\t%d cached and proved current, %d cached and out of date, %d not cached; %d recent ones without asking\n",
		s.Hits, s.Refreshes, s.Misses, s.RecentHits)
	fmt.Fprintf(w, "  services\t%d conflicts, %d retries, %d invalidations\n", s.Conflicts, s.Retries, s.Invalidations)
	turns := func(what string, t soak.Turns) {
		fmt.Fprintf(w, "  %s\tgot %s, of which %d by taking over; %s of who had none\n", what,
			command.Plural(t.Got, "time"), t.Over, command.Plural(t.Refused, "refusal"))
	}
	turns("plans", r.Owned.Plans)
	turns("jobs", r.Owned.Jobs)
	turns("locks", r.Owned.Locks)
	fmt.Fprintf(w, "  job ends\t%d of %s have succeeded\n", r.Owned.Succeeded, command.Plural(r.Owned.Submitted, "job"))
	x := r.Subplans
	fmt.Fprintf(w, "  subplans\tthose of %d of %s are done and merged; %s, %s merged\n",
		x.Done, command.Plural(x.Parents, "plan"), command.Plural(x.Attempts, "attempt"), command.Plural(x.Merged, "change"))
	_ = w.Flush() // a builder takes everything
}

func perSecond(r *soak.Report) float64 {
	if r.Took == 0 {
		return 0
	}
	return float64(r.Operations) / r.Took.Seconds()
}

// printSoakKinds prints a row for each kind of call.
func printSoakKinds(b *strings.Builder, r *soak.Report) {
	b.WriteString("\n")
	w := aligned(b)
	for _, k := range r.Kinds {
		name := string(k.Kind)
		if k.Recent {
			name += " (recent)"
		}
		fmt.Fprintf(w, "  %s\t%d\t%s\n", name, k.Count, outcomes(k.Outcomes))
	}
	_ = w.Flush() // a builder takes everything
}

// outcomes lists how calls ended, the most frequent way first.
func outcomes(counts map[soak.Outcome]int) string {
	var words []string
	for _, o := range slices.SortedFunc(maps.Keys(counts), func(a, b soak.Outcome) int {
		if d := counts[b] - counts[a]; d != 0 {
			return d
		}
		return strings.Compare(string(a), string(b))
	}) {
		words = append(words, fmt.Sprintf("%d %s", counts[o], o))
	}
	return strings.Join(words, ", ")
}

func printSoakChecks(b *strings.Builder, r *soak.Report) {
	b.WriteString("\n")
	for _, c := range r.Checks {
		mark := "✓"
		if c.Wrong > 0 {
			mark = "✗"
		}
		fmt.Fprintf(b, "  %s %s: %s\n", mark, c.Name, command.Plural(c.Count, c.Unit))
	}
	l, mark := r.Linearity, "✓"
	if len(l.Problems) > 0 {
		mark = "✗"
	}
	fmt.Fprintf(b, "  %s every history is linearizable: %s in %s, of which %d pending; the largest has %d; %v, at most %v for one\n",
		mark, command.Plural(l.Operations, "operation"), command.Plural(l.Parts, "part"), l.Pending, l.Largest,
		l.Took.Round(time.Millisecond), l.Slowest.Round(time.Millisecond))
}

// printSoakProblems prints what is wrong, with the operations that show it.
func printSoakProblems(b *strings.Builder, r *soak.Report) {
	tell := func(all []soak.Problem, wrong int) {
		for _, p := range all {
			fmt.Fprintf(b, "\n  WRONG %s\n", p.What)
			for _, line := range p.Excerpt {
				fmt.Fprintf(b, "      %s\n", line)
			}
		}
		if wrong > len(all) {
			fmt.Fprintf(b, "\n  … and %d more like these\n", wrong-len(all))
		}
	}
	tell(r.Processing, len(r.Processing))
	for _, c := range r.Checks {
		tell(c.Problems, c.Wrong)
	}
	tell(r.Linearity.Problems, r.Linearity.Wrong+r.Linearity.Unknown)
	if r.Kept != "" {
		fmt.Fprintf(b, "\n  histories kept in %s\n", r.Kept)
	}
}
