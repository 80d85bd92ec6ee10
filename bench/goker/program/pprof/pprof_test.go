package pprof_test

import (
	"bytes"
	"testing"

	"github.com/jacquard-go/jacquard/bench/goker/program/pprof"
)

func TestEmpty(t *testing.T) {
	var out bytes.Buffer
	if err := pprof.Lookup("goroutineleak").WriteTo(&out, 2); err != nil || out.Len() > 0 {
		t.Errorf("got %q, %v, want nothing", out.String(), err)
	}
}
