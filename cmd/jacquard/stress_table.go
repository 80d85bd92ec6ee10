package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/jacquard-go/jacquard/races"
	"github.com/jacquard-go/jacquard/stress"
)

// printStress prints a row for each race, then the counts of ours, then what
// was met. It writes once.
func printStress(out io.Writer, r *stress.Report) error {
	var b strings.Builder
	fmt.Fprintf(&b, "jacquard stress · %s %s · %s · not controlled · %s · seed %d · %s\n\n",
		r.Go, r.Platform, plural(r.Processors, "processor"), detector(r), r.Seed, r.Time)
	printStressRows(&b, r)
	printCounts(&b, r)
	printMet(&b, r)
	b.WriteString("\n")
	printUnclean(&b, r)
	if r.Clean {
		b.WriteString("  every race is clean in ours, and every count adds up\n")
	}
	_, err := io.WriteString(out, b.String())
	return err
}

func detector(r *stress.Report) string {
	if r.RaceDetector {
		return "race detector on: it saw a planted race"
	}
	return "race detector OFF: data races are not looked for (go run -race)"
}

func printStressRows(b *strings.Builder, r *stress.Report) {
	w := aligned(b)
	fmt.Fprint(w, "  race\t\tas reported\tas suggested\tours\n")
	for _, race := range r.Races {
		row := []string{fmt.Sprintf("  %s %s", race.ID, race.Title), fmt.Sprintf("#%d", race.Issue)}
		for _, s := range race.Specimens {
			row = append(row, met(s))
		}
		fmt.Fprintln(w, strings.Join(append(row, inShort(race)), "\t"))
	}
	_ = w.Flush() // a builder takes everything
}

// met says whether plain running met the race in a specimen.
func met(r stress.Result) string {
	f, ok := r.Met()
	switch {
	case ok:
		return fmt.Sprintf("met after %s (%s)", plural(f.Round, "round"), inWords(f.Kind))
	case r.Trouble != "":
		return "! error"
	}
	return "not met in " + plural(r.Rounds, "round")
}

func inWords(k races.Kind) string {
	if k == races.KindRace {
		return "data race"
	}
	return string(k)
}

// inShort is the cell of ours.
func inShort(race stress.RaceReport) string {
	mark := "✓"
	if !race.Clean {
		mark = "!✗"
	}
	rounds, counts := race.Total()
	return fmt.Sprintf("%s %s, %s", mark, plural(rounds, "round"), plural(counts.Operations, "operation"))
}

// printCounts prints how the operations of ours add up.
func printCounts(b *strings.Builder, r *stress.Report) {
	b.WriteString("\n  ours, counted exactly\n")
	for _, race := range r.Races {
		for _, c := range race.Ours {
			what := "operation"
			if c.Campaign == stress.BodyCampaign {
				what = "goroutine"
			}
			fmt.Fprintf(b, "  %s  %s: %s, %s = %s + %s\n", race.ID, c.Campaign, plural(c.Rounds, "round"), plural(c.Operations, what),
				plural(c.Successes, "success"), plural(c.Conflicts, "conflict"))
			for _, s := range c.Sums {
				fmt.Fprintf(b, "        %s: %d of %d\n", s.What, s.Got, s.Want)
			}
		}
	}
}

// printMet prints what happened where a race was met.
func printMet(b *strings.Builder, r *stress.Report) {
	w := aligned(b)
	fmt.Fprint(w, "\n  what plain running met in the specimens\n")
	for _, race := range r.Races {
		for _, s := range race.Specimens {
			for _, f := range s.Findings {
				fmt.Fprintf(w, "  %s\tround %d\t%s\n", s.Subject, f.Round, oneLine(f.Message))
			}
			if s.Trouble != "" {
				fmt.Fprintf(w, "  %s\tno verdict\t%s\n", s.Subject, oneLine(s.Trouble))
			}
		}
	}
	_ = w.Flush() // a builder takes everything
}

// printUnclean names what is wrong in ours.
func printUnclean(out io.Writer, r *stress.Report) {
	for _, race := range r.Races {
		for _, c := range race.Ours {
			if !c.Clean() {
				fmt.Fprintf(out, "  WRONG %s, %s: %s\n", c.Subject, c.Campaign, wrongWith(c))
			}
		}
	}
}

// wrongWith says why a result is not clean.
func wrongWith(r stress.Result) string {
	f, found := r.Met()
	switch {
	case found:
		return fmt.Sprintf("round %d: %s: %s", f.Round, inWords(f.Kind), oneLine(f.Message))
	case r.Trouble != "":
		return "no verdict: " + oneLine(r.Trouble)
	}
	for _, s := range r.Sums {
		if s.Got != s.Want {
			return fmt.Sprintf("%s: got %d, want %d", s.What, s.Got, s.Want)
		}
	}
	return fmt.Sprintf("the counts do not add up: %s, %s, %s, %s", plural(r.Rounds, "round"), plural(r.Operations, "operation"),
		plural(r.Successes, "success"), plural(r.Conflicts, "conflict"))
}
