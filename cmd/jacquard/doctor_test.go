package main

import (
	"bytes"
	"context"
	"strings"
	"testing"
)

// What an interrupt kept from being looked at is not said to be missing.
func TestInterruptedDoctor(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	var out, errs bytes.Buffer
	if code := run(ctx, []string{"doctor"}, strings.NewReader(""), &out, &errs); code != exitInterrupted || out.Len() > 0 || errs.String() != "jacquard: interrupted\n" {
		t.Errorf("got code %d, %q, %q, want %d and one line", code, out.String(), errs.String(), exitInterrupted)
	}
}
