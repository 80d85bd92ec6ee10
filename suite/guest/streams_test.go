package guest_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/jacquard-go/jacquard/suite/protocol"
)

// Whatever a test does to the standard streams, the next schedule and the next test have
// working ones.
func TestStreams(t *testing.T) {
	tests := []string{"TestClosesStreams", "TestClosesDescriptors", "TestForgetsStreams"}
	for _, test := range tests {
		if e, r := explored(t, test, 50); e.Verdict != "holds" || e.Schedules != 50 && !e.Exhausted {
			t.Errorf("%s: got %+v, want holds after 50 schedules or exhausted\n%s", test, e, r.output)
		}
	}
	r := discover(t, "-test.v", "-test.run=^("+strings.Join(tests, "|")+"|TestSeesStreams)$")
	if want := "=== RUN   TestSeesStreams\nseen\nseen too\n--- PASS: TestSeesStreams (0.00s)\nPASS\n"; !strings.HasSuffix(r.output, want) || r.code != 0 {
		t.Errorf("exit code %d, got\n%s\nwant at the end\n%s", r.code, r.output, want)
	}
}

// If the process dies in a test, the output file holds the test's output and the runtime's
// message. The output of a test that has ended is removed.
func TestLastWords(t *testing.T) {
	for test, want := range map[string]string{
		"TestIsKilled": "its last words\n", "TestIsShot": "SIGSEGV: segmentation violation\n", "TestPlain": "",
	} {
		path := filepath.Join(t.TempDir(), "output")
		start(t, protocol.Request{Mode: protocol.Discover, Output: path}, only(test))
		text, err := os.ReadFile(path)
		if !strings.Contains(string(text), want) || os.IsNotExist(err) != (want == "") {
			t.Errorf("%s: got %q, %v; want %q in it", test, text, err, want)
		}
	}
}
