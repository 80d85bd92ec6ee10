package tests

import (
	"flag"
	"testing"
)

// TestWithoutFlags fails if -test.parallel was set. Ginkgo refuses to run with that flag.
func TestWithoutFlags(t *testing.T) {
	flag.Visit(func(f *flag.Flag) {
		if f.Name == "test.parallel" {
			t.Errorf("-%s=%v was given", f.Name, f.Value)
		}
	})
}
