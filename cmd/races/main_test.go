package main

import (
	"context"
	"testing"

	"github.com/spf13/cobra"

	"github.com/jacquard-go/jacquard/internal/command/commandtest"
)

var tested = commandtest.Command{
	Name: name, Here: "cmd/races", Root: func() *cobra.Command { return rootCommand(everything()) },
}

func TestMain(m *testing.M) { tested.Main(m) }

func TestScripts(t *testing.T) { tested.Scripts(t) }

// newTestPool is a pool of one worker.
func newTestPool(t *testing.T) *pool {
	t.Helper()
	p, err := newPool(context.Background(), func(string) {})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(p.close)
	p.workers = 1
	return p
}
