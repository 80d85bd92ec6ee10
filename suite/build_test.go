package suite_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/jacquard-go/jacquard/internal/toolchain"
	"github.com/jacquard-go/jacquard/suite"
)

// refused is a package that does not compile.
func refused(cfg suite.Config) suite.Config {
	return suite.WithBuild(cfg, func() (string, error) {
		return "", &toolchain.BuildError{What: here, Output: "# " + here + "\na.go:1: weft undefined\n"}
	})
}

// The compiler's output is on standard error.
func TestDoesNotCompile(t *testing.T) {
	var out, errs bytes.Buffer
	ok, err := suite.Run(t.Context(), refused(suite.Config{Out: &out, Errs: &errs}))
	if want := "FAIL\t" + here + " [build failed]\nFAIL\n"; ok || err != nil || out.String() != want {
		t.Errorf("got %t, %v, %q, want %q", ok, err, out.String(), want)
	}
	if want := "# " + here + "\na.go:1: weft undefined\n"; errs.String() != want {
		t.Errorf("got %q, want %q", errs.String(), want)
	}
}

// With JSON all output is on standard output, the compiler's before the package's.
func TestDoesNotCompileInJSON(t *testing.T) {
	var out, errs bytes.Buffer
	ok, err := suite.Run(t.Context(), refused(suite.Config{JSON: true, Out: &out, Errs: &errs}))
	if ok || err != nil || errs.Len() > 0 {
		t.Errorf("got %t, %v, %q on standard error", ok, err, errs.String())
	}
	var actions []string
	for line := range strings.Lines(out.String()) {
		var e struct{ Action string }
		if err := json.Unmarshal([]byte(line), &e); err != nil {
			t.Fatalf("%v: %s", err, line)
		}
		actions = append(actions, e.Action)
	}
	if want := []string{"build-output", "build-output", "build-fail", "start", "output", "fail"}; !slices.Equal(actions, want) {
		t.Errorf("got %v, want %v", actions, want)
	}
}

// A build that the end of the context stopped is not a failure of its package, which is reported as not begun.
func TestContextEndsInBuild(t *testing.T) {
	ctx, cancel := context.WithCancelCause(t.Context())
	why := errors.New("enough")
	var out bytes.Buffer
	ok, err := suite.Run(ctx, suite.WithBuild(suite.Config{Out: &out}, func() (string, error) {
		cancel(why)
		return "", why
	}))
	if want := "jacquard: 1 package not begun: " + here + "\n"; ok || !errors.Is(err, why) || out.String() != want {
		t.Errorf("got %t, %v, %q, want %v, %q", ok, err, out.String(), why, want)
	}
}
