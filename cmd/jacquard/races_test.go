package main

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/jacquard-go/jacquard/explore"
	"github.com/jacquard-go/jacquard/internal/timeline"
	"github.com/jacquard-go/jacquard/races"
	"github.com/jacquard-go/jacquard/races/explored"
)

// object is what races -json prints, as a stranger would read it.
type object struct {
	Go         string
	Controlled bool
	Seed       uint64
	Races      []struct {
		ID    string
		Issue int
		Title string
		Cells map[string]cell
	}
}

type cell struct {
	Verdict, Kind, Strategy, Card, Message, Reason, Want string
	Schedule, Schedules, Distinct                        int
	Preemptions, Bound                                   *int
	Exhausted                                            *bool
	Races, Trusted                                       []string
	Right                                                bool
}

// TestRaces is the main job, once, for machines: every cell has the fields of
// its verdict, and each card is made and replayed again by new processes.
func TestRaces(t *testing.T) {
	said := jacquard(t, "races", "-json", "-seed", "1")
	if lines := words(said.errs); said.code != exitOK || len(lines) > 0 {
		t.Fatalf("got code %d and %q, want %d and progress at most", said.code, lines, exitOK)
	}
	if strings.Count(said.out, "\n") != 1 || !strings.HasSuffix(said.out, "\n") {
		t.Errorf("got %q, want one line", said.out)
	}
	got := parseObject(t, said.out)
	if got.Go == "" || !got.Controlled || got.Seed != 1 {
		t.Errorf("got go %q, controlled %t, seed %d", got.Go, got.Controlled, got.Seed)
	}
	var ids []string
	var issues []int
	failing := make(map[string]cell)
	for _, r := range got.Races {
		ids, issues = append(ids, r.ID), append(issues, r.Issue)
		if r.ID[0] == 'R' && len(r.Cells) != 3 {
			t.Errorf("%s: got %d cells, want 3", r.ID, len(r.Cells))
		}
		for _, column := range races.Columns() {
			id := r.ID + "/" + string(column)
			c, ok := r.Cells[string(column)]
			if _, _, err := races.Find(id); (err == nil) != ok {
				t.Errorf("%s is there: %t, and in the catalogue: %t", id, ok, err == nil)
			}
			if !ok {
				continue
			}
			checkCell(t, id, c)
			if c.Card != "" {
				failing[id] = c
			}
		}
	}
	if want := []string{"R1", "R2", "R3", "R4", "R5", "R6", "R7", "N1", "N2", "N3", "N7", "N8"}; !slices.Equal(ids, want) {
		t.Errorf("got %v, want %v", ids, want)
	}
	if want := []int{3950, 1281, 1281, 7120, 7120, 7424, 7424, 7420, 7137, 7989, 7731, 5456}; !slices.Equal(issues, want) {
		t.Errorf("got %v, want %v", issues, want)
	}
	replays(t, failing)
}

func parseObject(t *testing.T, text string) object {
	t.Helper()
	d := json.NewDecoder(strings.NewReader(text))
	d.DisallowUnknownFields()
	var got object
	if err := d.Decode(&got); err != nil {
		t.Fatal(err)
	}
	return got
}

func checkCell(t *testing.T, id string, c cell) {
	t.Helper()
	bad := func(format string, args ...any) { t.Helper(); t.Errorf(id+": "+format, args...) }
	if !c.Right || c.Verdict != c.Want || c.Reason != "" {
		bad("got %s (%s), want %s; right %t", c.Verdict, c.Reason, c.Want, c.Right)
	}
	switch c.Verdict {
	case "violated":
		if !slices.Contains([]string{"check", "panic", "fatal"}, c.Kind) || c.Message == "" || c.Strategy == "" {
			bad("got kind %q, message %q, strategy %q", c.Kind, c.Message, c.Strategy)
		}
		if c.Schedule < 1 || c.Schedule > 100 {
			bad("got schedule %d, want 1 to 100", c.Schedule)
		}
		if c.Preemptions == nil || c.Exhausted != nil || c.Bound != nil || c.Schedules != 0 {
			bad("got the fields of another verdict: %+v", c)
		}
		if err := explore.CheckCard(c.Card); err != nil {
			bad("%v", err)
		}
	case "holds":
		if c.Exhausted == nil || c.Schedules < 1 || c.Kind != "" || c.Card != "" || c.Preemptions != nil || c.Schedule != 0 {
			bad("got the fields of another verdict: %+v", c)
		} else if *c.Exhausted != (c.Bound != nil) {
			bad("exhausted %t, bound %v", *c.Exhausted, c.Bound)
		}
	default:
		bad("got verdict %q", c.Verdict)
	}
}

func subject(t *testing.T, id string) explored.Subject {
	t.Helper()
	s, err := explored.Find(id)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// replays searches again with the same seed, which must make the same cards, and
// replays each several times; what happens is the same, step by step.
func replays(t *testing.T, failing map[string]cell) {
	t.Helper()
	ids := slices.Sorted(maps.Keys(failing))
	var jobs []job
	for _, id := range ids {
		jobs = append(jobs, job{Subject: id, Seed: 1}, job{Subject: id, Seed: 1, Card: failing[id].Card, Again: 10})
	}
	all := answers(t, newTestPool(t), jobs...)
	for i, id := range ids {
		found, again := all[2*i], all[2*i+1]
		if found.Outcome == nil || again.Outcome == nil {
			t.Errorf("%s: found: %q; replayed: %q", id, found.Error, again.Error)
			continue
		}
		c := failing[id]
		for _, o := range []*outcome{found.Outcome, again.Outcome} {
			if o.Verdict != "violated" || o.Kind != c.Kind || o.Message != c.Message || o.Preemptions != *c.Preemptions || o.Card != c.Card {
				t.Errorf("%s: got %s (%s), %d preemptions, %s, %s; want %s, %d preemptions, %s, %s",
					id, o.Verdict, o.Kind, o.Preemptions, o.Card, o.Message, c.Kind, *c.Preemptions, c.Card, c.Message)
			}
		}
		if a, b := found.Outcome.Timeline, again.Outcome.Timeline; a == nil || b == nil || !sameSteps(a.Steps, b.Steps) {
			t.Errorf("%s: the replay took other steps than the search", id)
		}
	}
}

func sameSteps(a, b []timeline.Step) bool {
	return slices.EqualFunc(a, b, func(a, b timeline.Step) bool {
		return a.Thread == b.Thread && a.Op == b.Op && a.Object == b.Object && a.Where == b.Where && a.Outcome == b.Outcome
	})
}

// shown is what races says if this is the catalogue.
func shown(t *testing.T, s show, code int) told {
	t.Helper()
	args := []string{"races"}
	if s.json {
		args = append(args, "-json")
	}
	var out, errs bytes.Buffer
	said := told{code: execute(t.Context(), rootCommand(s), args, strings.NewReader(""), &out, &errs)}
	said.out, said.errs = out.String(), errs.String()
	if said.code != code {
		t.Errorf("got code %d, want %d: %s%s", said.code, code, said.out, said.errs)
	}
	return said
}

func wanting(t *testing.T, id string, want races.Want, kind races.Kind) explored.Subject {
	t.Helper()
	s := subject(t, id)
	s.Want, s.Kind = want, kind
	return s
}

// A cell that is not what it must be is named, and the code is 1; so is one of
// which nothing can be said.
func TestRacesWrongCell(t *testing.T) {
	said := shown(t, show{
		catalogue: races.All()[1:2],
		canaries:  explored.Canaries()[:1],
		cells: []explored.Subject{
			subject(t, "R2/reported"),
			wanting(t, "R2/suggested", races.Holds, ""),
			{ID: "R2/theirs", Want: races.Holds},
		},
	}, exitFailed)
	for _, want := range []string{
		"not run\n", // R2/ours
		"1 planted program told apart first",
		"WRONG R2/suggested: got violated (check): both creates of local/review succeeded",
		"; want holds\n",
		"WRONG R2/theirs: got an error: unknown race: got \"R2/theirs\", want one of",
		"show one:   go run ./cmd/jacquard replay R2/suggested\n",
	} {
		if !strings.Contains(said.out, want) {
			t.Errorf("no %q in\n%s", want, said.out)
		}
	}
	if strings.Contains(said.out, "WRONG R2/reported") || strings.Contains(said.out, "are what they must be") {
		t.Errorf("a right cell is called wrong, or a wrong one right, in\n%s", said.out)
	}
	if lines := words(said.errs); len(lines) > 0 {
		t.Errorf("got %q on standard error, want progress at most", lines)
	}
}

// An instrument that is out of order shows nothing.
func TestRacesWrongCanary(t *testing.T) {
	for _, asJSON := range []bool{false, true} {
		said := shown(t, show{
			catalogue: races.All(),
			canaries:  []explored.Subject{subject(t, "canary/lost-update"), wanting(t, "canary/lock-order", races.Violated, races.KindLeak)},
			cells:     []explored.Subject{subject(t, "R2/suggested")},
			json:      asJSON,
		}, exitError)
		lines := words(said.errs)
		if said.out != "" || len(lines) != 2 {
			t.Fatalf("got %q and %q, want nothing and two lines", said.out, lines)
		}
		if want := "  WRONG canary/lock-order: got violated (deadlock): "; !strings.HasPrefix(lines[0], want) || !strings.HasSuffix(lines[0], "; want violated (leak)") {
			t.Errorf("got %q, want it to begin with %q", lines[0], want)
		}
		if want := "jacquard: races: the instrument is out of order: 1 of 2 planted programs got a wrong verdict"; !strings.HasPrefix(lines[1], want) {
			t.Errorf("got %q, want it to begin with %q", lines[1], want)
		}
	}
}
