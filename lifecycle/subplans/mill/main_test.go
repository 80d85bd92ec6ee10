package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/jacquard-go/jacquard/lifecycle"
	"github.com/jacquard-go/jacquard/lifecycle/internal/storetest"
)

// TestMain runs the program itself if the example started this process.
func TestMain(m *testing.M) {
	if slices.Contains(os.Args, "-plan") {
		main()
		return
	}
	storetest.Main(m)
}

// A plan of three subplans runs in two processes. The first is killed during the
// second subplan. What was complete is not done again, and everything is merged
// once.
func TestWorkerIsKilled(t *testing.T) {
	storetest.EachURL(t, func(t *testing.T, url string) {
		if url == "" || url == "sqlite:///:memory:" {
			return // one process has it
		}
		t.Parallel() // it waits for a lease
		var out strings.Builder
		if err := run(context.Background(), []string{"-url", url, "-lease", "6s"}, &out); err != nil {
			t.Fatalf("got %v after %s", err, out.String())
		}
		want := `at work
the first worker is killed
spin: complete, attempt 1
dye: complete, attempt 2
weave: complete, attempt 1
bring 1: create spin-1.log
bring 2: create dye-2.log
bring 3: create weave-1.log
the plan is at apply/applied, 3 changes applied
`
		if out.String() != want {
			t.Errorf("got %s want %s", out.String(), want)
		}
	})
}

func TestRefused(t *testing.T) {
	for _, test := range []struct {
		args string
		want error
	}{
		{"-url mysql://localhost", lifecycle.ErrUnsupportedURL},
		{"-url sqlite:///:memory: -plan nope", lifecycle.ErrNotFound},
	} {
		err := run(context.Background(), strings.Fields(test.args), new(strings.Builder))
		if !errors.Is(err, test.want) {
			t.Error(fmt.Errorf("%s: got %w, want %w", test.args, err, test.want))
		}
	}
}
