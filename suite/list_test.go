package suite_test

import (
	"bytes"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/jacquard-go/jacquard/suite"
)

// stallVar has this test binary do nothing but wait, whatever it is asked.
const stallVar = "FAKE_STALL"

func TestList(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	got := lists(t, suite.Config{}, "^TestList$")
	if want := "TestList\nok  \t" + here + "\n"; !got.ok || got.out != want {
		t.Errorf("got ok: %t, %q, want %q", got.ok, got.out, want)
	}
	empty(t, os.TempDir())
}

// A package that does not come to its list keeps nobody waiting.
func TestListTimesOut(t *testing.T) {
	t.Setenv(stallVar, "yes")
	got := lists(t, overWhenItHangs(t, suite.Config{Timeout: time.Hour}), ".")
	if want := "timed out after 1h0m0s\nFAIL\t" + here + "\nFAIL\n"; got.ok || !strings.HasSuffix(got.out, want) || !strings.Contains(got.out, "SIGQUIT") {
		t.Errorf("got ok: %t\n%s\nwant it to end with\n%s", got.ok, got.out, want)
	}
}

// lists lists the tests of this binary.
func lists(t *testing.T, cfg suite.Config, pattern string) said {
	t.Helper()
	binary, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	cfg.Out = &out
	ok, err := suite.List(t.Context(), suite.WithBinary(cfg, binary), pattern)
	if err != nil {
		t.Fatal(err)
	}
	return said{ok: ok, out: out.String()}
}
