package suite_test

import (
	"cmp"
	"fmt"
	"os"
	"time"

	"github.com/jacquard-go/jacquard/suite/protocol"
)

// before does what TestMain does before some or all of the tests run; end is what it does
// at the end. It exits if the code is not 0.
func (f *fake) before(some bool) (code int, end func()) {
	end = func() {}
	switch kind := os.Getenv(fakeMain); {
	case kind == "exit before", kind == "exit before others" && some:
		return 4, end
	case kind == "hang before":
		f.hang()
	case kind == "exit before exploring" && f.request.Mode == protocol.Explore:
		fmt.Println("the port is taken")
		return 4, end
	case kind == "exit beside others":
		lock, err := os.OpenFile(os.Getenv(fakeLog)+".lock", os.O_CREATE|os.O_EXCL, 0o600)
		if err != nil {
			f.log("it is not alone")
			return 4, end
		}
		lock.Close()
		end = func() { os.Remove(lock.Name()) }
	}
	return 0, end
}

// after does what TestMain does once some or all of the tests have run.
func (f *fake) after(some bool) int {
	switch os.Getenv(fakeMain) {
	case "exit after":
		return 5
	case "exit after some":
		if some {
			return 6
		}
	case "hang after":
		f.hang()
	case "hang after whole":
		if some {
			return 6
		}
		f.hang()
	}
	return 0
}

// apart returns a test whose TestMain changes files.
func apart(f *fake, e *protocol.Event) {
	concurrent(f, e)
	e.Apart, e.Files = true, true
}

// doubted has failed in its first schedule, and there is no time for others.
func doubted(f *fake, e *protocol.Event) {
	concurrent(f, e)
	e.Took, e.Reason = time.Hour, "-50 left, but not by the same schedule in a process of its own"
}

// stuckBehind hangs behind a subtest that has failed.
func stuckBehind(f *fake, _ *protocol.Event) {
	fmt.Printf("%[1]s=== RUN   TestStuckBehind/a\n%[1]s--- FAIL: TestStuckBehind/a (0.00s)\n", f.marker)
	f.hang()
}

func init() {
	discovered["TestStuckAgain"], discovered["TestWaits"], discovered["TestStuckOnce"] = stuckAgain, waits, stuckOnce
	discovered["TestDoubts"], discovered["TestWhole"] = concurrent, concurrent
}

// stuckAgain has failed, and hangs when that is tried again.
func stuckAgain(f *fake, e *protocol.Event) {
	f.send(protocol.Event{Test: e.Test, Found: true, Schedules: 1, Kind: "deadlock", Message: "it can never go on\nnor back\n"})
	f.hang()
}

// waits has failed as it may for what is outside, and hangs when that is tried again.
func waits(f *fake, e *protocol.Event) {
	f.send(protocol.Event{Test: e.Test, Found: true, Schedules: 1, Kind: "check", Message: "too late", Doubt: "it may pass without control"})
	f.hang()
}

// fakeWords names the variable with the last words of a test that ends the process.
const fakeWords = "JACQUARD_FAKE_WORDS"

func dies() {
	fmt.Println(cmp.Or(os.Getenv(fakeWords), "fatal error: weft"))
	os.Exit(2)
}

// violate is how TestRacy fails.
func (f *fake) violate(e *protocol.Event) {
	e.Verdict, e.Kind, e.Message, e.Card, e.Schedules = "violated", "check", "-50 left", "jq2-fake", 3
	switch e.Test {
	case "TestLoses":
		e.Cause = "lost update"
	case "TestSleeps", "TestNaps":
		e.Kind, e.FoundSteps = protocol.Timing, 9
	case "TestCut": // as it was found, not reduced
		e.Kind = protocol.Timing
	}
	e.Output = "--- FAIL: " + e.Test + " (0.00s)\n    account_test.go:9: -50 left\n"
	if f.told {
		e.Output = f.marker + "=== RUN   " + e.Test + "\n    account_test.go:9: -50 left\n" + f.marker + "--- FAIL: " + e.Test + " (0.00s)\n"
	}
	e.Report = "violated: check\n  -50 left\n\nreplay: " + f.request.ReplayLine(e.Test, e.Card) + "\n"
}

// stuckOnce hangs in its first process.
func stuckOnce(f *fake, e *protocol.Event) {
	concurrent(f, e)
	fmt.Println("it begins")
	if os.Mkdir(os.Getenv(fakeLog)+".once", 0o700) == nil {
		f.hang()
	}
}
