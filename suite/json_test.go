package suite_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/jacquard-go/jacquard/internal/finding"
	"github.com/jacquard-go/jacquard/suite"
)

func TestJSON(t *testing.T) {
	got := runs(t, suite.Config{JSON: true}, "TestPlain", "TestRacy")
	for _, want := range []string{
		`"Action":"start","Package":"` + here + `"`,
		`"Action":"run","Package":"` + here + `","Test":"TestRacy"`,
		`"Action":"pass","Package":"` + here + `","Test":"TestPlain"`,
		`"Action":"fail","Package":"` + here + `","Test":"TestRacy"`,
		`"Test":"TestRacy","Output":"      -50 left\n"`,
		`"Action":"fail","Package":"` + here + `","Elapsed"`,
	} {
		if !strings.Contains(got.out, want) {
			t.Errorf("no %s in\n%s", want, got.out)
		}
	}
}

// A package fails if its process fails and no test does.
func TestJSONOfProcess(t *testing.T) {
	t.Setenv(fakeMain, "exit after")
	got := runs(t, suite.Config{JSON: true}, "TestPlain")
	if want := `"Action":"fail","Package":"` + here + `","Elapsed"`; !strings.Contains(got.out, want) {
		t.Errorf("no %s in\n%s", want, got.out)
	}
}

// A finding is one attribute, however long it is.
func TestJSONOfLongFinding(t *testing.T) {
	got := runs(t, suite.Config{JSON: true, Schedules: 100}, "TestWordy", "TestPlain")
	var claims []int
	for line := range strings.Lines(got.out) {
		var e struct{ Action, Test, Key, Value, Output string }
		if err := json.Unmarshal([]byte(line), &e); err != nil {
			t.Fatalf("%v in %s", err, line)
		}
		var f finding.Finding
		if e.Action == "attr" && e.Test == "TestWordy" && e.Key == "jacquard" && json.Unmarshal([]byte(e.Value), &f) == nil {
			claims = append(claims, len(f.Claim))
		}
		if strings.Contains(e.Output, "ATTR") {
			t.Errorf("got %s, want no attribute as output", line)
		}
	}
	if !slices.Equal(claims, []int{40000}) {
		t.Errorf("got findings with claims of %v bytes, want one of 40000", claims)
	}
}

// The output of a test is attributed to it, even if a subtest wrote last.
func TestJSONOfSubtests(t *testing.T) {
	got := runs(t, suite.Config{JSON: true, Schedules: 100}, "TestNested")
	if want := `"Test":"TestNested","Output":"    100 schedules, `; !strings.Contains(got.out, want) {
		t.Errorf("no %s in\n%s", want, got.out)
	}
}
