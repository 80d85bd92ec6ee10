package main

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/jacquard-go/jacquard/explore"
	"github.com/jacquard-go/jacquard/internal/command"
	"github.com/jacquard-go/jacquard/internal/command/commandtest"
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
	Right, Unbounded                                     bool
}

// TestRaces is the main job, once, for machines: every cell has the fields of
// its verdict, and each card is made and replayed again by new processes. In short
// there are three races; the features explore all.
func TestRaces(t *testing.T) {
	all := everything()
	if testing.Short() {
		all.catalogue = all.catalogue[:3]
		all.cells = slices.DeleteFunc(all.cells, func(s explored.Subject) bool {
			return !slices.ContainsFunc(all.catalogue, func(r races.Race) bool { return strings.HasPrefix(s.ID, r.ID+"/") })
		})
	}
	said := commandtest.Execute(t, rootCommand(all), "-json", "-seed", "1")
	if lines := tested.Words(said.Errs); said.Code != command.ExitOK || len(lines) > 0 {
		t.Fatalf("got code %d and %q, want %d and progress at most", said.Code, lines, command.ExitOK)
	}
	if strings.Count(said.Out, "\n") != 1 || !strings.HasSuffix(said.Out, "\n") {
		t.Errorf("got %q, want one line", said.Out)
	}
	got := parseObject(t, said.Out)
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
	if want := []string{"R1", "R2", "R3", "R4", "R5", "R6", "R7", "N1", "N2", "N3", "N4", "N5", "N6", "N7", "N8", "N9", "N10"}[:len(all.catalogue)]; !slices.Equal(ids, want) {
		t.Errorf("got %v, want %v", ids, want)
	}
	if want := []int{3950, 1281, 1281, 7120, 7120, 7424, 7424, 7420, 7137, 7989, 7406, 7357, 9081, 7731, 5456, 7582, 4372}[:len(all.catalogue)]; !slices.Equal(issues, want) {
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
		} else if *c.Exhausted != (c.Bound != nil || c.Unbounded) || c.Bound != nil && c.Unbounded {
			bad("exhausted %t, unbounded %t, bound %v", *c.Exhausted, c.Unbounded, c.Bound)
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
		a, b := found.Outcome.Timeline, again.Outcome.Timeline
		if a == nil || b == nil {
			t.Errorf("%s: got timelines %v and %v", id, a, b)
		} else if at := firstOther(a.Steps, b.Steps); at >= 0 {
			t.Errorf("%s: the replay took other steps than the search, from step %d of %d on: %+v", id, at, len(b.Steps), b.Steps[min(at, len(b.Steps)-1)])
		}
	}
}

// firstOther is the first step in which two timelines differ; -1 if they are alike.
func firstOther(a, b []timeline.Step) int {
	for i := range max(len(a), len(b)) {
		if i >= len(a) || i >= len(b) {
			return i
		}
		a, b := a[i], b[i]
		if a.Thread != b.Thread || a.Op != b.Op || a.Object != b.Object || a.Where != b.Where || a.Outcome != b.Outcome {
			return i
		}
	}
	return -1
}

// shown is what races says if this is the catalogue.
func shown(t *testing.T, s show, code int) commandtest.Told {
	t.Helper()
	var args []string
	if s.json {
		args = append(args, "-json")
	}
	said := commandtest.Execute(t, rootCommand(s), args...)
	if said.Code != code {
		t.Errorf("got code %d, want %d: %s%s", said.Code, code, said.Out, said.Errs)
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
	}, command.ExitFailed)
	for _, want := range []string{
		"not run\n", // R2/ours
		"1 planted program told apart first",
		"WRONG R2/suggested: got violated (check): both creates of local/review succeeded",
		"; want holds\n",
		"WRONG R2/theirs: got an error: unknown race: got \"R2/theirs\", want one of",
		"show one:   go run ./cmd/races replay R2/suggested\n",
	} {
		if !strings.Contains(said.Out, want) {
			t.Errorf("no %q in\n%s", want, said.Out)
		}
	}
	if strings.Contains(said.Out, "WRONG R2/reported") || strings.Contains(said.Out, "are what they must be") {
		t.Errorf("a right cell is called wrong, or a wrong one right, in\n%s", said.Out)
	}
	if lines := tested.Words(said.Errs); len(lines) > 0 {
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
		}, command.ExitError)
		lines := tested.Words(said.Errs)
		if said.Out != "" || len(lines) != 2 {
			t.Fatalf("got %q and %q, want nothing and two lines", said.Out, lines)
		}
		if want := "  WRONG canary/lock-order: got violated (deadlock): "; !strings.HasPrefix(lines[0], want) || !strings.HasSuffix(lines[0], "; want violated (leak)") {
			t.Errorf("got %q, want it to begin with %q", lines[0], want)
		}
		if want := "races: the instrument is out of order: 1 of 2 planted programs got a wrong verdict"; !strings.HasPrefix(lines[1], want) {
			t.Errorf("got %q, want it to begin with %q", lines[1], want)
		}
	}
}
