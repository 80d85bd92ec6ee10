package main

import (
	"bytes"
	"context"
	"strings"
	"testing"

	"github.com/jacquard-go/jacquard/internal/command"
)

// After an interrupt, checks that were not made are not reported as missing.
func TestInterruptedDoctor(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	var out, errs bytes.Buffer
	if code := command.Execute(ctx, rootCommand(), []string{"doctor"}, strings.NewReader(""), &out, &errs); code != command.ExitInterrupted || out.Len() > 0 || errs.String() != "jacquard: interrupted\n" {
		t.Errorf("got code %d, %q, %q, want %d and one line", code, out.String(), errs.String(), command.ExitInterrupted)
	}
}
