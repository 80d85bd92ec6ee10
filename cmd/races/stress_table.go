package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/jacquard-go/jacquard/internal/command"
	"github.com/jacquard-go/jacquard/races"
	"github.com/jacquard-go/jacquard/stress"
)

// printStress prints a row for each race, then the counts of ours, then what
// was met. It writes once.
func printStress(out io.Writer, r *stress.Report) error {
	var b strings.Builder
	fmt.Fprintf(&b, "stress · %s %s · %s · not controlled · %s · seed %d · %s%s\n\n",
		r.Go, r.Platform, command.Plural(r.Processors, "processor"), detector(r), r.Seed, r.Time, partOf(r))
	printStressRows(&b, r)
	printOutcomes(&b, r)
	printCounts(&b, r)
	printMet(&b, r)
	b.WriteString("\n")
	printUnclean(&b, r)
	printClaim(&b, r)
	_, err := io.WriteString(out, b.String())
	return err
}

func detector(r *stress.Report) string {
	if r.RaceDetector {
		return "race detector on: it saw a planted race"
	}
	return "race detector OFF: data races are not looked for (go run -race)"
}

// partOf says what part of the campaigns a report is about, if not all.
func partOf(r *stress.Report) (text string) {
	if r.Shard != "" {
		text = " · shard " + r.Shard
	}
	if r.Interrupted {
		text += " · INTERRUPTED: not all campaigns were run"
	}
	return text
}

func printStressRows(b *strings.Builder, r *stress.Report) {
	w := aligned(b)
	fmt.Fprint(w, "  race\t\tas reported\t(data race)\tas suggested\t(data race)\tours\n")
	for _, race := range r.Races {
		row := []string{fmt.Sprintf("  %s %s", race.ID, race.Title), report(race)}
		for _, column := range []races.Column{races.Reported, races.Suggested} {
			row = append(row, specimen(race, column)...)
		}
		fmt.Fprintln(w, strings.Join(append(row, inShort(race)), "\t"))
	}
	_ = w.Flush() // a builder takes everything
}

// report is the number of a race's report, if it has one.
func report(race stress.RaceReport) string {
	if race.Issue == 0 {
		return ""
	}
	return fmt.Sprintf("#%d", race.Issue)
}

// specimen says how often plain running met what a report tells of, and whether it
// met a data race, which is another question.
func specimen(race stress.RaceReport, column races.Column) []string {
	for _, s := range race.Specimens {
		if strings.HasSuffix(s.Subject, "/"+string(column)) {
			return []string{symptom(s), dataRace(s)}
		}
	}
	return []string{"–", "–"}
}

func symptom(r stress.Result) string {
	switch n := r.Symptoms(); {
	case n > 0:
		return fmt.Sprintf("%d of %s", n, command.Plural(r.Rounds, "round"))
	case r.Trouble != "":
		return "! error"
	}
	if f, ok := r.Met(); ok && f.Kind != races.KindRace {
		return fmt.Sprintf("%s after %s", inWords(f.Kind), command.Plural(f.Round, "round"))
	}
	return "not in " + command.Plural(r.Rounds, "round")
}

func dataRace(r stress.Result) string {
	for _, f := range r.Findings {
		if f.Kind == races.KindRace {
			return fmt.Sprintf("round %d", f.Round)
		}
	}
	return "none"
}

func inWords(k races.Kind) string {
	if k == races.KindRace {
		return "data race"
	}
	return string(k)
}

// inShort is the cell of ours.
func inShort(race stress.RaceReport) string {
	rounds, counts := race.Total()
	done := fmt.Sprintf("%s, %s", command.Plural(rounds, "round"), command.Plural(counts.Operations, "operation"))
	switch {
	case len(race.Ours) == 0:
		return "not run"
	case !race.Clean:
		return "!✗ " + done
	case race.Enough:
		return "✓ " + done
	case race.Needed == 0 && len(race.Specimens) == 0:
		return "too few to tell (as reported it was not run): " + done
	case race.Needed == 0:
		return "too few to tell (as reported it was not met): " + done
	case race.Recorded:
		return fmt.Sprintf("too few to tell (10 × %d wanted, by earlier nights): %s", race.Needed, done)
	}
	return fmt.Sprintf("too few to tell (10 × %d wanted): %s", race.Needed, done)
}

// printClaim says what is known of ours.
func printClaim(b *strings.Builder, r *stress.Report) {
	if !r.Clean {
		return
	}
	few := 0
	for _, race := range r.Races {
		if !race.Enough && len(race.Ours) > 0 {
			few++
		}
	}
	b.WriteString("  nothing is wrong with ours, and every count adds up")
	if few > 0 {
		fmt.Fprintf(b, "; of %s there were too few rounds to tell", command.Plural(int64(few), "race"))
	}
	b.WriteString("\n")
}

// printOutcomes prints what was observed, test by test.
func printOutcomes(b *strings.Builder, r *stress.Report) {
	w := aligned(b)
	fmt.Fprint(w, "\n  how the rounds ended\n")
	for _, race := range r.Races {
		for _, c := range append(append([]stress.Result(nil), race.Specimens...), race.Ours...) {
			for _, o := range c.Outcomes {
				what := o.What
				if o.Test != "" {
					what = o.Test + ": " + o.What + " (" + o.Means + ")"
				}
				fmt.Fprintf(w, "  %s\t%s\t%s\t%s\n", c.Subject, fmt.Sprint(o.Count), o.Grade, command.OneLine(what))
			}
		}
	}
	_ = w.Flush() // a builder takes everything
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
			fmt.Fprintf(b, "  %s  %s: %s, %s = %s + %s\n", race.ID, c.Campaign, command.Plural(c.Rounds, "round"), command.Plural(c.Operations, what),
				command.Plural(c.Successes, "success"), command.Plural(c.Conflicts, "conflict"))
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
				fmt.Fprintf(w, "  %s\tround %d\t%s\n", s.Subject, f.Round, command.OneLine(f.Message))
			}
			if s.Trouble != "" {
				fmt.Fprintf(w, "  %s\tno verdict\t%s\n", s.Subject, command.OneLine(s.Trouble))
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
		return fmt.Sprintf("round %d: %s: %s", f.Round, inWords(f.Kind), command.OneLine(f.Message))
	case r.Trouble != "":
		return "no verdict: " + command.OneLine(r.Trouble)
	}
	for _, s := range r.Sums {
		if s.Got != s.Want {
			return fmt.Sprintf("%s: got %d, want %d", s.What, s.Got, s.Want)
		}
	}
	return fmt.Sprintf("the counts do not add up: %s, %s, %s, %s", command.Plural(r.Rounds, "round"), command.Plural(r.Operations, "operation"),
		command.Plural(r.Successes, "success"), command.Plural(r.Conflicts, "conflict"))
}
