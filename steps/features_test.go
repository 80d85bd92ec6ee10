package steps_test

import (
	"context"
	"os"
	"sync"
	"testing"

	"github.com/jacquard-go/jacquard/explore"
	"github.com/jacquard-go/jacquard/races/explored"
	"github.com/jacquard-go/jacquard/steps"
)

// TestFeatures runs the features. See the package's documentation for the
// variables.
func TestFeatures(t *testing.T) {
	binary, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cells := tally{explore: steps.Processes(binary)}
	tags := os.Getenv("JACQUARD_FEATURES_TAGS")
	suite, err := steps.Suite(steps.Config{
		Features: os.DirFS(".."),
		Explore:  cells.Explore,
		Format:   os.Getenv("JACQUARD_FEATURES_FORMAT"),
		Tags:     tags,
	})
	if err != nil {
		t.Fatal(err) // before anything is built or run
	}
	if !explore.Control(t) {
		return
	}
	suite.Options.TestingT = t
	suite.Options.DefaultContext = t.Context()
	if status := suite.Run(); status != 0 {
		t.Errorf("the features end with status %d", status)
	}
	if tags == "" {
		cells.check(t)
	}
}

// A tally counts how often each cell was explored.
type tally struct {
	explore steps.ExploreFunc

	mu    sync.Mutex
	times map[string]int // under mu
}

// Explore is a steps.ExploreFunc.
func (c *tally) Explore(ctx context.Context, id string) (steps.Outcome, error) {
	c.mu.Lock()
	if c.times == nil {
		c.times = make(map[string]int)
	}
	c.times[id]++
	c.mu.Unlock()
	return c.explore(ctx, id)
}

// check wants every cell of the catalogue to be told by one scenario.
func (c *tally) check(t *testing.T) {
	t.Helper()
	for _, cell := range explored.Cells() {
		if n := c.times[cell.ID]; n != 1 {
			t.Errorf("%s was explored in %d scenarios, want 1", cell.ID, n)
		}
	}
	if got, want := len(c.times), len(explored.Cells()); got != want {
		t.Errorf("%d cells were explored, want %d", got, want)
	}
}
