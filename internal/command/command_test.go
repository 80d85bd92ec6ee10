package command_test

import (
	"bytes"
	"errors"
	"fmt"
	"testing"

	"github.com/spf13/cobra"

	"github.com/jacquard-go/jacquard/internal/command"
)

// A failure that was printed makes the exit code; what went wrong beside it is printed all the same.
func TestWhatIsBesideAFailure(t *testing.T) {
	for _, c := range []struct {
		err  error
		code int
		want string
	}{
		{command.ErrFailed, 1, ""},
		{fmt.Errorf("test: %w", command.ErrFailed), 1, ""},
		{errors.Join(nil, command.ErrFailed), 1, ""},
		{errors.Join(errors.New("the disk is full"), command.ErrFailed), 1, "weft: the disk is full\n"},
		{errors.Join(command.ErrFailed, errors.Join(errors.New("no page"), errors.New("no cards"))), 1, "weft: no page; no cards\n"},
		{errors.New("no test"), 2, "weft: no test\n"},
	} {
		var out, errs bytes.Buffer
		root := &cobra.Command{Use: "weft", RunE: func(*cobra.Command, []string) error { return c.err }}
		if code := command.Execute(t.Context(), root, nil, nil, &out, &errs); code != c.code || errs.String() != c.want {
			t.Errorf("%v: got %d, %q, want %d, %q", c.err, code, errs.String(), c.code, c.want)
		}
	}
}
