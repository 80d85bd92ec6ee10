package suite_test

import (
	"strings"
	"testing"

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

// What is said of a test is its own, whoever of its subtests had the last word.
func TestJSONOfSubtests(t *testing.T) {
	got := runs(t, suite.Config{JSON: true, Schedules: 100}, "TestNested")
	if want := `"Test":"TestNested","Output":"    100 schedules, `; !strings.Contains(got.out, want) {
		t.Errorf("no %s in\n%s", want, got.out)
	}
}
