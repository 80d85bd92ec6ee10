package canary_test

import (
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"testing/synctest"

	"go.uber.org/goleak"

	"github.com/jacquard-go/jacquard/races"
	"github.com/jacquard-go/jacquard/races/canary"
	"github.com/jacquard-go/jacquard/races/internal/testrun"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func TestThereIsACanaryForEachKind(t *testing.T) {
	var names []string
	caught := make(map[races.Kind]bool)
	for _, c := range canary.All() {
		names = append(names, c.Name)
		caught[c.Kind] = true
		if c.What == "" || c.Body == nil || strings.ContainsAny(c.Name, " /\n") {
			t.Errorf("%q: got no description, no body or a bad name, want all right", c.Name)
		}
		if (c.Want == races.Violated) != (c.Kind != "") {
			t.Errorf("%s: got %s with kind %q, want a kind exactly for violated", c.Name, c.Want, c.Kind)
		}
	}
	for _, kind := range []races.Kind{
		races.KindCheck, races.KindPanic, races.KindFatal, races.KindRace, races.KindDeadlock, races.KindLeak, "",
	} {
		if !caught[kind] {
			t.Errorf("got no canary of kind %q, want one", kind)
		}
	}
	slices.Sort(names)
	if len(slices.Compact(names)) != len(canary.All()) {
		t.Errorf("got two canaries of one name, want different ones: %q", names)
	}
}

// stuck returns the canaries that fail in every schedule, with the error that Go's own synctest reports.
func stuck() map[string]string {
	return map[string]string{
		"channel-cycle":  "deadlock: all goroutines in bubble are blocked",
		"goroutine-leak": "deadlock: main bubble goroutine has exited but blocked goroutines remain",
	}
}

// The other canaries hold sequentially: the interleaving has the bug, not the code of one goroutine.
func TestInSequence(t *testing.T) {
	for _, c := range canary.All() {
		if _, ok := stuck()[c.Name]; ok {
			continue
		}
		s := &testrun.Sequential{Host: t}
		if err := s.Run(c.Body); err != nil || len(s.Failures) > 0 {
			t.Errorf("%s: got error %v and failures %q, want none", c.Name, err, s.Failures)
		}
	}
}

// What must hold also holds with real goroutines.
func TestThoseThatHold(t *testing.T) {
	for _, c := range canary.All() {
		if c.Want != races.Holds {
			continue
		}
		for range 100 {
			p := &testrun.Plain{Host: t}
			if err := p.Run(c.Body); err != nil || len(p.Failures) > 0 {
				t.Fatalf("%s: got error %v and failures %q, want none", c.Name, err, p.Failures)
			}
		}
	}
}

// bubbleVariable names the canary for a process that TestThoseThatAreStuck starts.
const bubbleVariable = "JACQUARD_TEST_CANARY"

// Each of these leaks goroutines, so it runs in a process of its own, which must fail with the error.
func TestThoseThatAreStuck(t *testing.T) {
	executable, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range stuck() {
		command := exec.CommandContext(t.Context(), executable, "-test.run=^TestInBubble$")
		command.Env = append(os.Environ(), bubbleVariable+"="+name, "GORACE=atexit_sleep_ms=0 "+os.Getenv("GORACE"))
		output, err := command.CombinedOutput()
		if err == nil || !strings.Contains(string(output), want) {
			t.Errorf("%s: got %v, want a process that fails with %q\n%s", name, err, want, output)
		}
	}
}

// TestInBubble is the part of TestThoseThatAreStuck in the other process.
func TestInBubble(t *testing.T) {
	name := os.Getenv(bubbleVariable)
	if name == "" {
		return
	}
	i := slices.IndexFunc(canary.All(), func(c canary.Canary) bool { return c.Name == name })
	synctest.Test(t, func(t *testing.T) {
		p := &testrun.Plain{Host: t}
		t.Log(p.Run(canary.All()[i].Body))
	})
}
