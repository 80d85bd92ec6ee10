package faults_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/jacquard-go/jacquard/lifecycle/internal/faults"
)

// The error of a refused value names its field, and is short enough to read.
func TestInvalid(t *testing.T) {
	err := faults.Invalid("name", strings.Repeat("ä", 40), "is too long")
	want := `lifecycle: name: "` + strings.Repeat("ä", 32) + `…" is too long`
	if err.Error() != want || !errors.Is(err, faults.ErrInvalid) || errors.Is(err, faults.ErrClosed) {
		t.Errorf("got %v, want %s", err, want)
	}
	for text, valid := range map[string]bool{"": true, "ä": true, "\x00": false, "\xff": false} {
		if err := faults.CheckText("name", text); (err == nil) != valid || err != nil && !errors.Is(err, faults.ErrInvalid) {
			t.Errorf("%q: got %v, want valid %v", text, err, valid)
		}
	}
}

// An error of a database names the database once, with its kind if it has one.
func TestIn(t *testing.T) {
	io := errors.New("input or output")
	busy, none := faults.In("url", faults.ErrBusy, io), faults.In("url", nil, io)
	if got, want := fmt.Sprint(busy, "; ", none), "url: database is busy: input or output; url: input or output"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if !errors.Is(busy, faults.ErrBusy) || !errors.Is(busy, io) || !errors.Is(none, io) || errors.Is(none, faults.ErrBusy) {
		t.Errorf("got %v and %v, want both to match the cause, and one its kind", busy, none)
	}
	for _, err := range []error{nil, busy, faults.ErrClosed, context.Canceled, context.DeadlineExceeded} {
		if got := faults.In("url", faults.ErrFull, err); got != err {
			t.Errorf("got %v, want %v unchanged", got, err)
		}
	}
}
