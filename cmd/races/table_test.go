package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"runtime"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/jacquard-go/jacquard/internal/command"
	form "github.com/jacquard-go/jacquard/internal/finding"
	"github.com/jacquard-go/jacquard/races"
	"github.com/jacquard-go/jacquard/races/explored"
)

// catalogue is made up: a short title, a long one, and one beyond ASCII.
func catalogue() []races.Race {
	return []races.Race{
		row("R1", 12, "a bug"),
		row("R6", 7424, "a read of what another instance has moved on"),
		row("R7", 7, "warp × weft"),
		related("N7", 7731, "known to one"),
	}
}

// related is a row without a suggested fix.
func related(id string, issue int, title string) races.Race {
	r := row(id, issue, title)
	r.Cells = slices.Delete(r.Cells, 1, 2)
	return r
}

func row(id string, issue int, title string) races.Race {
	r := races.Race{ID: id, Issue: issue, Title: title}
	for _, c := range races.Columns() {
		r.Cells = append(r.Cells, races.Cell{ID: id + "/" + string(c), Column: c})
	}
	return r
}

func violated(id string, o outcome) judged {
	o.Verdict = "violated"
	if o.Kind == "" {
		o.Kind = "check"
	}
	return judged{explored.Subject{ID: id, Want: races.Violated, Kind: races.KindCheck}, answer{Outcome: &o}}
}

func held(id string, o outcome) judged {
	o.Verdict = "holds"
	return judged{explored.Subject{ID: id, Want: races.Holds}, answer{Outcome: &o}}
}

// right are verdicts as they must be, with everything that a cell can show.
func right() verdicts {
	return verdicts{
		violated("R1/reported", outcome{Finding: form.Finding{Schedule: 3, Preemptions: 1, Strategy: "pct", Card: "jq1-A", Message: "two of one", Races: []string{"a race"}}}),
		held("R1/suggested", outcome{Finding: form.Finding{Exhausted: true, Bound: 2, Searched: 214, Schedules: 414, Distinct: 300}}),
		held("R1/ours", outcome{Finding: form.Finding{Exhausted: true, Bound: 2, Searched: 391, Schedules: 591, Distinct: 400, Trusted: []string{"database/sql"}}}),
		violated("R6/reported", outcome{Finding: form.Finding{Schedule: 100, Preemptions: 0, Strategy: "random walk", Card: "jq1-B", Message: "first line\n\tsecond line", Races: []string{"a race", "another"}}}),
		held("R6/suggested", outcome{Finding: form.Finding{Schedules: 200, Distinct: 150}}),
		held("R6/ours", outcome{Finding: form.Finding{Exhausted: true, Bound: 0, Searched: 1, Schedules: 201, Distinct: 20}}),
		violated("R7/reported", outcome{Finding: form.Finding{Kind: "panic", Schedule: 1, Preemptions: 12, Strategy: "dfs", Card: "jq1-C", Message: "panic: gone"}}),
		violated("R7/suggested", outcome{Finding: form.Finding{Kind: "fatal", Schedule: 2, Preemptions: 2, Strategy: "pct", Card: "jq1-D", Message: "fatal error: gone"}}),
		held("R7/ours", outcome{Unbounded: true, Finding: form.Finding{Exhausted: true, Searched: 77, Schedules: 277, Distinct: 100}}),
		violated("N7/reported", outcome{Finding: form.Finding{Schedule: 1, Strategy: "pct", Card: "jq1-E", Message: "none of 1"}}),
		held("N7/ours", outcome{Finding: form.Finding{Schedules: 100, Distinct: 50}}),
	}
}

// wrong are verdicts of which six are wrong, each in a way of its own.
func wrong() verdicts {
	v := right()
	v[0] = held("R1/reported", outcome{Finding: form.Finding{Schedules: 200, Distinct: 9}})
	v[0].Want, v[0].Kind = races.Violated, races.KindCheck
	v[2] = violated("R1/ours", outcome{Finding: form.Finding{Schedule: 4, Preemptions: 1, Strategy: "pct", Card: "jq1-E", Message: "two again"}})
	v[2].Want, v[2].Kind = races.Holds, ""
	v[3].answer = answer{Error: "the process under control died: signal: killed"}
	v[5].answer.Outcome = &outcome{Finding: form.Finding{Verdict: "unknown", Reason: "not repeatable: two ways", Schedules: 2}}
	v[6].answer.Outcome = &outcome{Finding: form.Finding{Verdict: "violated", Kind: "deadlock", Schedule: 1, Strategy: "pct", Card: "jq1-F", Message: "nobody can go on"}}
	v[8].answer = answer{Error: "two lines\nof error"}
	return v
}

// table prints the verdicts as on any machine.
func table(t *testing.T, cells verdicts) string {
	t.Helper()
	var b bytes.Buffer
	if err := printTable(&b, catalogue(), cells, 10, 1); err != nil {
		t.Fatal(err)
	}
	return strings.Replace(b.String(), runtime.Version()+" "+runtime.GOOS+"/"+runtime.GOARCH, "GO OS/ARCH", 1)
}

func TestTable(t *testing.T) {
	tested.Golden(t, "table_right.txt", table(t, right()))
	tested.Golden(t, "table_wrong.txt", table(t, wrong()))
}

// However wide a title or a cell is, what belongs together is in one column.
func TestTableColumns(t *testing.T) {
	cells := wrong()
	cells[1].answer.Outcome.Bound = 123456789
	lines := strings.Split(table(t, cells), "\n")[2:6]
	for _, column := range []struct {
		head  string
		cells []string
	}{
		{"as reported", []string{"!✓ sampled", "! error", "!✗ schedule"}},
		{"as suggested", []string{"✓ exhausted (≤123456789", "✓ sampled", "✗ schedule"}},
		{"ours", []string{"!✗ schedule 4", "!? unknown", "! error"}},
	} {
		want := at(t, lines[0], column.head)
		for i, text := range column.cells {
			if got := at(t, lines[i+1], text); got != want {
				t.Errorf("%q is at %d, its column %q at %d, in\n%s", text, got, column.head, want, strings.Join(lines, "\n"))
			}
		}
	}
}

// at is the place of the last occurrence of text, in characters.
func at(t *testing.T, line, text string) int {
	t.Helper()
	i := strings.LastIndex(line, text)
	if i < 0 {
		t.Fatalf("no %q in %q", text, line)
	}
	return utf8.RuneCountInString(line[:i])
}

func TestTableBrokenPipe(t *testing.T) {
	if err := printTable(brokenPipe{}, catalogue(), right(), 10, 1); !errors.Is(err, errPipe) {
		t.Errorf("got %v, want %v", err, errPipe)
	}
}

var errPipe = errors.New("nobody reads this")

type brokenPipe struct{}

func (brokenPipe) Write([]byte) (int, error) { return 0, errPipe }

// A table or an object comes with an exit code of 1 exactly if a cell is wrong,
// and the wrong ones are named where people look.
func TestPrintWrong(t *testing.T) {
	for _, asJSON := range []bool{false, true} {
		s := show{catalogue: catalogue(), seed: 1, json: asJSON}
		var out, errs bytes.Buffer
		if err := s.print(&out, &errs, 10, right()); err != nil || errs.Len() > 0 {
			t.Errorf("right: got %v and %q, want nothing", err, errs.String())
		}
		out.Reset()
		if err := s.print(&out, &errs, 10, wrong()); !errors.Is(err, command.ErrFailed) {
			t.Errorf("wrong: got %v, want %v", err, command.ErrFailed)
		}
		where := out.String()
		if asJSON {
			where = errs.String()
		}
		for _, id := range []string{"R1/reported", "R1/ours", "R6/reported", "R6/ours", "R7/reported", "R7/ours"} {
			if strings.Count(where, "WRONG "+id+": got ") != 1 {
				t.Errorf("json %t: %s is not named once in %q", asJSON, id, where)
			}
		}
		if got := strings.Count(where, "WRONG "); got != 6 {
			t.Errorf("json %t: got %d wrong cells, want 6, in %q", asJSON, got, where)
		}
	}
}

func TestMachineReport(t *testing.T) {
	for name, cells := range map[string]verdicts{"machine_right.json": right(), "machine_wrong.json": wrong()} {
		m := machineReport(show{catalogue: catalogue(), seed: 18446744073709551615}, cells)
		m.Go = "GO"
		text, err := json.MarshalIndent(m, "", "\t")
		if err != nil {
			t.Fatal(err)
		}
		tested.Golden(t, name, string(text)+"\n")
	}
}

// How long a cell took is told only where it was asked for: it is never the same twice.
func TestMachineTellsTimeIfAsked(t *testing.T) {
	j := held("R1/ours", outcome{Took: 1.5})
	if plain, timed := j.machine(false).Took, j.machine(true).Took; plain != 0 || timed != 1.5 {
		t.Errorf("got %v s, and with -timed %v s; want none and 1.5", plain, timed)
	}
}

func TestReplayHint(t *testing.T) {
	for _, c := range []struct {
		name  string
		cells verdicts
		want  string
	}{
		{"a wrong cell first", wrong(), "R1/ours"},
		{"else the first violated one", right(), "R1/reported"},
		{"nothing to show", verdicts{right()[1]}, ""},
		{"a fix that does not fix", append(right(), violated("R4/suggested", outcome{Finding: form.Finding{Card: "jq1-G"}})), "R4/suggested"},
	} {
		if got := worthShowing(c.cells); got != c.want {
			t.Errorf("%s: got %q, want %q", c.name, got, c.want)
		}
	}
}
