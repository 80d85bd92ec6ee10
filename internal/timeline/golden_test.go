package timeline_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/jacquard-go/jacquard/internal/timeline"
)

var update = flag.Bool("update", false, "write the golden files from what the tests get")

// An input is a timeline with the options under which it is shown.
type input struct {
	Options  timeline.Options  `json:"options"`
	Timeline timeline.Timeline `json:"timeline"`
}

func readInput(t *testing.T, file string) input {
	t.Helper()
	raw, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	dec := json.NewDecoder(bytes.NewReader(raw))
	dec.DisallowUnknownFields()
	var in input
	if err := dec.Decode(&in); err != nil {
		t.Fatalf("%s: %v", file, err)
	}
	return in
}

func text(t *testing.T, tl *timeline.Timeline, o timeline.Options) string {
	t.Helper()
	var b bytes.Buffer
	if err := timeline.Text(&b, tl, o); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// compare compares got with a golden file, or writes the file.
func compare(t *testing.T, file, got string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o666); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatalf("%v (run with -update to write it)", err)
	}
	if got != string(want) {
		t.Errorf("%s differs; got\n%s\nwant\n%s", file, got, want)
	}
}

// TestGolden shows each testdata/*.json and compares it with the .txt beside
// it.
func TestGolden(t *testing.T) {
	files, err := filepath.Glob("testdata/*.json")
	if err != nil || len(files) == 0 {
		t.Fatalf("inputs: got %v, %v", files, err)
	}
	for _, file := range files {
		if strings.HasSuffix(file, ".golden.json") {
			continue
		}
		t.Run(strings.TrimSuffix(filepath.Base(file), ".json"), func(t *testing.T) {
			in := readInput(t, file)
			got := text(t, &in.Timeline, in.Options)
			compare(t, strings.TrimSuffix(file, ".json")+".txt", got)
			checkShape(t, &in.Timeline, in.Options, got)
		})
	}
}
