package tests

import (
	"flag"
	"testing"
)

// TestWithoutFlags fails if it was given a number of parallel tests, with which Ginkgo refuses to run.
func TestWithoutFlags(t *testing.T) {
	flag.Visit(func(f *flag.Flag) {
		if f.Name == "test.parallel" {
			t.Errorf("-%s=%v was given", f.Name, f.Value)
		}
	})
}
