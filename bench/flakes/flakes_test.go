package flakes

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestPicked: declarations that a folder of tests lacks are copied from another one, with methods and
// the imports that they use; nothing is copied if it lacks none.
func TestPicked(t *testing.T) {
	from, to := t.TempDir(), t.TempDir()
	write(t, filepath.Join(from, "a_test.go"), `package a_test

import (
	"fmt"
	"os"
	"testing"

	. "example.com/a"
	. "example.com/b"
	two "example.com/go-c/v2"
)

// helper helps.
type helper struct{}

func (*helper) help() { fmt.Println(two.Two) }

func TestOther(t *testing.T) { os.Exit(1) }

func TestIt(t *testing.T) { new(helper).help() }
`)
	got, err := picked(from, to, "example.com/a", []string{"TestIt", "helper"})
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"package a_test", `import "fmt"`, `import "testing"`, `import . "example.com/a"`, `import two "example.com/go-c/v2"`, "type helper", "help() {", "func TestIt"} {
		if !strings.Contains(string(got), want) {
			t.Errorf("got %s, want %s in it", got, want)
		}
	}
	for _, no := range []string{`"os"`, "TestOther", "example.com/b"} {
		if strings.Contains(string(got), no) {
			t.Errorf("got %s, want no %s in it", got, no)
		}
	}
	write(t, filepath.Join(to, "a_test.go"), string(got))
	if got, err := picked(from, to, "example.com/a", []string{"TestIt", "helper"}); err != nil || got != nil {
		t.Errorf("got %s, %v for tests that lack nothing, want nothing", got, err)
	}
	if _, err := picked(from, to, "example.com/a", []string{"TestNone"}); err == nil {
		t.Error("got no error for a test that is nowhere, want one")
	}
}

func write(t *testing.T, file, text string) {
	t.Helper()
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// TestTold: in a stream of events the last finding of the test counts, and its cause is
// read from the printed report.
func TestTold(t *testing.T) {
	stream := `{"Action":"output","Test":"TestIt","Output":"    violated: leak\n\n    cause: \"a\" waits,\n           for ever\n\n    waiting at the end:\n"}
{"Action":"attr","Test":"TestOther","Key":"jacquard","Value":"{\"verdict\":\"holds\"}"}
{"Action":"attr","Test":"TestIt","Key":"jacquard","Value":"{\"verdict\":\"violated\",\"kind\":\"leak\",\"schedule\":3,\"schedules\":4}"}
{"Action":"fail","Test":"TestIt"}
`
	got, ok := told([]byte(stream), "TestIt")
	want := search{Verdict: "violated", Kind: "leak", Cause: `"a" waits, for ever`, Schedule: 3, Schedules: 4}
	if !ok || got != want {
		t.Errorf("got %+v, %v, want %+v", got, ok, want)
	}
	if got, ok := told([]byte(`{"Action":"skip","Test":"TestIt"}`), "TestIt"); !ok || got.Verdict != "skip" {
		t.Errorf("got %+v, %v for a test without a finding, want that it was skipped", got, ok)
	}
	if _, ok := told([]byte("no events"), "TestIt"); ok {
		t.Error("got something told by no events, want nothing")
	}
}

// TestFailure: the output of go test says how a test failed; a test that only
// ran out of time did not fail.
func TestFailure(t *testing.T) {
	for out, want := range map[string]string{
		"--- PASS: TestIt (0.00s)\nPASS\n":                                                                   "",
		"--- FAIL: TestIt (0.00s)\nFAIL\n":                                                                   "fails",
		"WARNING: DATA RACE\n--- FAIL: TestIt (0.00s)\n":                                                     "data race",
		"panic: send on closed channel\n":                                                                    "panic",
		"panic: test timed out after 40s\n\trunning tests:\n\t\tTestIt (39s)\n":                              "hangs",
		"panic: test timed out after 1m30s\n\trunning tests:\n\t\tTestIt (1m29s)\n":                          "hangs",
		"--- PASS: TestIt\npanic: test timed out after 40s\n\trunning tests:\n\t\tTestIt (0s)\n":             "",
		"fatal error: all goroutines are asleep - deadlock!\n\ngoroutine 1 [sync.WaitGroup.Wait]:\nmain()\n": "deadlock",
	} {
		if got := failure(out); got != want {
			t.Errorf("%q: got %q, want %q", out, got, want)
		}
	}
}

// TestJudged: a cause is right or wrong only if it is the one that a person read.
func TestJudged(t *testing.T) {
	read := judgement{has: "ready", right: true}
	for cause, want := range map[string]string{"": "none told", "waits for ready#2": "yes", "waits for s.mu": "not read"} {
		if got := read.of(cause); got != want {
			t.Errorf("%q: got %q, want %q", cause, got, want)
		}
	}
	flaky := judgement{has: "held up", other: true, own: "not called"}
	for cause, want := range map[string]bool{"": false, "was held up": true, "wrote c.now": false} {
		if got := flaky.another(cause); got != want {
			t.Errorf("%q: got another %v, want %v", cause, got, want)
		}
	}
	for message, want := range map[string]bool{"not called": true, "data race": false} {
		if got := flaky.ofTest(search{Verdict: "violated", Message: message}); got != want {
			t.Errorf("%q: got %v for a flake of the test, want %v", message, got, want)
		}
	}
	if flaky.ofTest(search{Verdict: "holds", Message: "not called"}) || read.ofTest(search{Verdict: "violated", Message: "not called"}) {
		t.Error("got a flake of the test where nothing was found or judged, want none")
	}
	known := map[string]bool{}
	for _, f := range flakes() {
		known[f.name] = true
	}
	for name := range judged() {
		if !known[name] {
			t.Errorf("%s: got a judgement of what is no flake", name)
		}
	}
}
