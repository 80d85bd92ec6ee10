package timeline_test

import (
	"bytes"
	"encoding/json"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/jacquard-go/jacquard/internal/timeline"
)

func asJSON(t *testing.T, tl *timeline.Timeline) string {
	t.Helper()
	var b bytes.Buffer
	if err := timeline.JSON(&b, tl); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestJSONGolden(t *testing.T) {
	for _, name := range []string{"deadlock", "data_race", "empty"} {
		t.Run(name, func(t *testing.T) {
			in := readInput(t, filepath.Join("testdata", name+".json"))
			compare(t, filepath.Join("testdata", name+".golden.json"), asJSON(t, &in.Timeline))
		})
	}
}

// TestJSONReadsBack checks that nothing is lost, and that the caller's
// timeline is left as it was.
func TestJSONReadsBack(t *testing.T) {
	in := readInput(t, "testdata/data_race.json")
	before := readInput(t, "testdata/data_race.json")
	var back timeline.Timeline
	if err := json.Unmarshal([]byte(asJSON(t, &in.Timeline)), &back); err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(in, before) {
		t.Errorf("JSON changed its argument: got %+v, want %+v", in, before)
	}
	o := timeline.Options{Verbose: true}
	if got, want := text(t, &back, o), text(t, &in.Timeline, o); got != want {
		t.Errorf("text after a round trip: got\n%s\nwant\n%s", got, want)
	}
	if got, want := asJSON(t, &back), asJSON(t, &in.Timeline); got != want {
		t.Errorf("JSON after a round trip: got\n%s\nwant\n%s", got, want)
	}
	if !reflect.DeepEqual(back.Races, in.Timeline.Races) || !reflect.DeepEqual(back.Steps, in.Timeline.Steps) {
		t.Errorf("round trip: got %+v, want %+v", back, in.Timeline)
	}
}

func TestMark(t *testing.T) {
	all := timeline.Conflict | timeline.Preempted | timeline.Failed | timeline.Stopped
	for mark, want := range map[timeline.Mark]string{
		timeline.None: "none", timeline.Stopped: "stopped", timeline.Conflict | timeline.Failed: "conflict+failed",
		all: "conflict+preempted+failed+stopped",
	} {
		if got := mark.String(); got != want {
			t.Errorf("%d: got %q, want %q", mark, got, want)
		}
		raw, err := json.Marshal(mark)
		if err != nil {
			t.Fatal(err)
		}
		back := all
		if err := json.Unmarshal(raw, &back); err != nil || back != mark {
			t.Errorf("%s: got %v and error %v, want %v", raw, back, err, mark)
		}
	}
	if m := timeline.Conflict; m.Has(all) || !all.Has(m) || !m.Has(timeline.None) {
		t.Error("Has: got the wrong subset")
	}
}

func TestMarkErrors(t *testing.T) {
	for raw, want := range map[string]string{
		`["conflict","torn"]`: `got "torn", want one of conflict, preempted, failed, stopped`,
		`"conflict"`:          "cannot unmarshal string",
	} {
		var m timeline.Mark
		if err := json.Unmarshal([]byte(raw), &m); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got error %v, want %s", raw, err, want)
		}
	}
}
