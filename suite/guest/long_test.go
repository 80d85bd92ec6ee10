package guest_test

import (
	"strings"
	"testing"
)

// A test may do as much as it likes while nobody else can run, and time passes
// meanwhile.
func TestLong(t *testing.T) {
	for _, test := range []string{"TestLongAlone", "TestAsksForTheTime"} {
		if e, r := explored(t, test, 5); e.Verdict != "holds" {
			t.Errorf("%s: got %+v\n%s", test, e, r.output)
		}
	}
}

// What takes too long under control has the result that it has without.
func TestTooLong(t *testing.T) {
	right := survey(t, only("TestTooLong")).of(t, "TestTooLong")
	if right.Verdict != "unknown" || len(right.Outside) == 0 || right.Concurrent || !right.Spoilt {
		t.Errorf("got %+v", right)
	}
	r := survey(t, only("TestTooLongAndWrong"))
	wrong := r.of(t, "TestTooLongAndWrong")
	if wrong.Verdict != "violated" || wrong.Message != "TestTooLongAndWrong failed without control" || !strings.Contains(r.output, "long_test.go:80: 800000") || r.code != 1 {
		t.Errorf("got %+v, exit code %d\n%s", wrong, r.code, r.output)
	}
	if e, _ := explored(t, "TestTooLong", 5); e.Verdict != "unknown" || !strings.Contains(e.Reason, "too long") {
		t.Errorf("got %+v", e)
	}
}

// An execution that was given up has stopped goroutines wherever they were, with
// locks that belong to the whole process: no test may come after it.
func TestTooLongSpoils(t *testing.T) {
	if e := survey(t, "-test.run=^TestTooLongWithLock$").of(t, "TestTooLongWithLock"); !e.Spoilt {
		t.Errorf("got %+v", e)
	}
}
