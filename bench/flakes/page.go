package flakes

import (
	"context"
	"fmt"
	"strings"

	"github.com/jacquard-go/jacquard/bench/measure"
)

// text returns the whole page.
func (o order) text(ctx context.Context, all []flake, rows map[string]*row) string {
	var b strings.Builder
	fmt.Fprintf(&b, `# Flakes of public modules

Bugs that were reported, each in the version before its repair and in the one after it, run by
`+"`jacquard test`"+` as it is. The list was fixed and committed before any was run; none was dropped.
The test is the one that came with the repair, or ours where that needs what the version before
does not have (marked *ours*; they are in bench/flakes/laid).

%s- Jacquard had %v for each test in each version, one process, seed 1, at most %d schedules
  before the repair, and after it ten times those that the bug took, at least %d.
- go test ran the test again and again until it failed, had used as much of the processor as
  Jacquard, at least %v, or %v had passed by the clock.
- *Seconds* are by the clock, from the start of the command, the test built, to its reduced report.
- *Whose bug* is what Jacquard says of the failure before the repair, and of one after it.
- Whether the cause is right was judged by reading the sentence beside the report of the bug.

`, o.page.Made(ctx, measure.Load()), o.total, o.schedules, o.least, o.fair, o.total)
	counts(&b, all, rows)
	table(&b, all, rows)
	notes(&b, all, rows, o.at(ctx))
	return b.String()
}

// counts writes a summary of the results in a few lines.
func counts(b *strings.Builder, all []flake, rows map[string]*row) {
	measured, found, right, after, own, plain, race, told, wrong := 0, 0, 0, 0, 0, 0, 0, 0, 0
	for _, f := range all {
		r := rows[f.name]
		if r == nil {
			continue
		}
		measured++
		judged := judged()[f.name]
		found += one(r.Before.found() && !judged.another(r.Before.Cause))
		right += one(r.Before.found() && judged.of(r.Before.Cause) == "yes")
		after += one(r.After.found())
		own += one(judged.ofTest(r.After))
		plain += one(r.Plain.Found)
		race += one(r.Race.Found)
		for _, s := range []search{r.Before, r.After} {
			said, not := judged.blamed(s)
			told += one(said != "" && said != "undecided")
			wrong += one(not)
		}
	}
	fmt.Fprintf(b, `**Of %d flakes %d were run; %d of these are found before the repair**, %d of them with the right
cause, and %d are reported after it, %d of these for a flake of the test itself. go test alone finds
%d of them, go test -race %d. Of %d failures Jacquard says whose bug they are, of %d of these wrongly.

`, len(all), measured, found, right, after, own, plain, race, told, wrong)
}

func one(yes bool) int {
	if yes {
		return 1
	}
	return 0
}

func table(b *strings.Builder, all []flake, rows map[string]*row) {
	b.WriteString("| flake | bug | versions | go test | go test -race | found | at schedule | seconds | cause right | after | whose bug |\n|---|---|---|---|---|---|--:|--:|---|---|---|\n")
	for _, f := range all {
		name := fmt.Sprintf("[%s](%s)", f.name, f.issue)
		if _, ours := f.ours(); ours {
			name += " *ours*"
		}
		fmt.Fprintf(b, "| %s | %s | %s → %s ", name, f.kind, short(f.before), short(f.after))
		r := rows[f.name]
		if r == nil || r.Died != "" && r.Before.Verdict == "" {
			why := "was not run"
			if r != nil {
				why = "could not be run"
			}
			fmt.Fprintf(b, "| | | %s | | | | | |\n", why)
			continue
		}
		fmt.Fprintf(b, "| %s | %s ", r.Plain.said(), r.Race.said())
		if r.Before.found() {
			kind := r.Before.Kind
			if judged()[f.name].another(r.Before.Cause) {
				kind = "**no**, another " + kind
			}
			fmt.Fprintf(b, "| %s | %d | %.1f | %s ", kind, r.Before.Schedule, r.Before.Seconds, judged()[f.name].of(r.Before.Cause))
		} else {
			fmt.Fprintf(b, "| **no**, %s | – of %d | %.1f | ", r.Before.Verdict, r.Before.Schedules, r.Before.Seconds)
		}
		after := r.After.after()
		if judged()[f.name].ofTest(r.After) {
			after += ", the test's own"
		}
		fmt.Fprintf(b, "| %s | %s |\n", after, r.whose(judged()[f.name]))
	}
}

// whose returns whose bugs the failures are, according to Jacquard.
func (r *row) whose(j judgement) string {
	var all []string
	for _, s := range []search{r.Before, r.After} {
		said, wrong := j.blamed(s)
		if wrong {
			said = "**" + said + "**, wrongly"
		}
		if s.found() {
			all = append(all, said)
		}
	}
	return strings.Join(all, "; ")
}

// short returns a version in the form of the table: of a pseudo-version the day and the commit.
func short(version string) string {
	if parts := strings.Split(version, "-"); len(parts) == 3 && len(parts[1]) == 14 {
		return parts[1][:8] + "-" + parts[2][:7]
	}
	return version
}

func (r repeated) said() string {
	switch {
	case r.Runs == 0:
		return ""
	case r.Found:
		return fmt.Sprintf("%s, run %d", r.Said, r.Runs)
	}
	return fmt.Sprintf("– in %d", r.Runs)
}

func (s search) after() string {
	switch {
	case s.Verdict == "":
		return ""
	case s.found():
		return fmt.Sprintf("**%s** at %d", s.Kind, s.Schedule)
	case s.Exhausted:
		return fmt.Sprintf("nothing, exhausted in %d", s.Schedules)
	case s.Verdict == "holds" || s.Verdict == "pass":
		return fmt.Sprintf("nothing in %d", s.Schedules)
	}
	return fmt.Sprintf("%s after %d", s.Verdict, s.Schedules)
}

// notes writes for each flake what the bug is, what Jacquard reports, and remarks on
// that. If a flake was measured in another way than the page says, its note says how.
func notes(b *strings.Builder, all []flake, rows map[string]*row, now string) {
	b.WriteString("\n## Each of them\n")
	for _, f := range all {
		fmt.Fprintf(b, "\n**%s** (%s, %s in %s): %s.\n", f.name, f.module, f.test, f.pkg, f.bug)
		r := rows[f.name]
		if r == nil {
			b.WriteString("It was not run.\n")
			continue
		}
		if r.Died != "" {
			fmt.Fprintf(b, "It could not be run to the end: %s.\n", strings.Join(strings.Fields(r.Died), " "))
		}
		if r.Before.found() {
			fmt.Fprintf(b, "Jacquard: “%s”\n", strings.Join(strings.Fields(r.Before.Message+". "+r.Before.Cause), " "))
		} else if r.Before.Reason != "" {
			fmt.Fprintf(b, "Jacquard: %s\n", strings.Join(strings.Fields(r.Before.Reason), " "))
		}
		if said := judged()[f.name].said; said != "" {
			fmt.Fprintf(b, "%s\n", said)
		}
		if r.At != "" && r.At != now {
			fmt.Fprintf(b, "It was measured at %s.\n", r.At)
		}
	}
}
