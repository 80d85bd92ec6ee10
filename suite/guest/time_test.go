package guest_test

import "testing"

// Time goes by as tests expect that were not written for a clock that stands
// still: those that are right are right in every schedule.
func TestTime(t *testing.T) {
	for _, test := range []string{"TestTimePasses", "TestManyChildren"} {
		t.Run(test, func(t *testing.T) {
			e, r := explored(t, test, 20)
			if e.Verdict != "holds" || r.code != 0 {
				t.Errorf("got %+v, exit code %d\n%s", e, r.code, r.output)
			}
		})
	}
}

// Timers that end within a moment are as good as simultaneous.
func TestTimersMeet(t *testing.T) {
	if e, r := explored(t, "TestTimersMeet", 100); e.Kind != "check" {
		t.Errorf("got %+v, exit code %d\n%s", e, r.code, r.output)
	}
}

// What package time has to look up is no point.
func TestDateIsNoPoint(t *testing.T) {
	if e, r := explored(t, "TestLooksAtTheDate", 20); e.Verdict != "holds" || e.Points > 20 {
		t.Errorf("got %+v, exit code %d\n%s", e, r.code, r.output)
	}
}

// What a test leaves is not watched for ever.
func TestLeavesTicker(t *testing.T) {
	e, r := explored(t, "TestLeavesTicker", 20)
	if e.Verdict != "holds" || len(e.Leaked) != 1 {
		t.Errorf("got %+v, exit code %d\n%s", e, r.code, r.output)
	}
}
