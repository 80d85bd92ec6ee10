package guest_test

import (
	"runtime"
	"strings"
	"testing"
)

// The bubbles of testing/synctest run under control. A correct test that uses them passes
// in every schedule.
func TestBubblesRight(t *testing.T) {
	for _, test := range []string{
		"TestBubble", "TestBubbleDeadline", "TestBubbleWait", "TestBubbleTimers", "TestBubblesInParallel", "TestBubbleCleanup", "TestBubbleRefuses",
	} {
		t.Run(test, func(t *testing.T) { right(t, test) })
	}
}

// A failure in a bubble is found. Its message is that of go test and names the blocked
// goroutines. Its card fails in the same way in another process.
func TestBubblesWrong(t *testing.T) {
	misuse := "fatal"
	if strings.HasPrefix(runtime.Version(), "go1.25") {
		misuse = "panic"
	}
	for _, c := range []struct{ test, kind, message string }{
		{"TestBubbleWaitMissing", "check", "the function was not called"},
		{"TestBubbleRace", "race", `data race: read by "TestBubbleRace in bubble"`},
		{"TestBubbleLostUpdate", "check", "n = 1, want 2"},
		{"TestBubbleTimersOfOneTime", "check", "two came first"},
		{"TestBubbleDeadlock", "deadlock", `deadlock: all goroutines in bubble are blocked: "TestBubbleDeadlock in bubble" and "tests.TestBubbleDeadlock.func1.1"`},
		{"TestBubbleLeaks", "deadlock", `deadlock: main bubble goroutine has exited but blocked goroutines remain: "tests.TestBubbleLeaks.func1.1"`},
		{"TestBubbleLeaksSometimes", "deadlock", `blocked goroutines remain: "tests.TestBubbleLeaksSometimes.func1.1"`},
		{"TestBubbleStandsStill", "deadlock", "can never go on"},
		{"TestBubbleMisuse", misuse, "send on synctest channel from outside bubble"},
	} {
		t.Run(c.test, func(t *testing.T) { wrong(t, c.test, c.kind, c.message) })
	}
}
