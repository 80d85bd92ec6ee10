package stress_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jacquard-go/jacquard/races"
	"github.com/jacquard-go/jacquard/stress"
)

// once runs a body for one round.
func once(t *testing.T, body races.Body) stress.Result {
	t.Helper()
	return inProcess(t, plant("once", body), stress.BodyCampaign, 0)
}

func TestARoundIsTidy(t *testing.T) {
	var dirs, order []string
	var ctx context.Context
	r := once(t, func(t races.T) error {
		t.Helper()
		t.Logf("a step")
		ctx = t.Context()
		for range 2 {
			dir := t.TempDir()
			dirs = append(dirs, dir)
			if err := os.WriteFile(filepath.Join(dir, "file"), nil, 0o600); err != nil {
				return err
			}
		}
		t.Cleanup(func() { order = append(order, "first") })
		t.Cleanup(func() { order = append(order, "last") })
		if t.Name() != "once/ours" || ctx.Err() != nil {
			return errors.New("the body has a bad name or context: " + t.Name())
		}
		return nil
	})
	if !r.Clean() || r.Rounds != 1 {
		t.Errorf("got %+v, want one clean round", r)
	}
	if dirs[0] == dirs[1] || !slices.Equal(order, []string{"last", "first"}) || ctx.Err() == nil {
		t.Errorf("got folders %v, clean-ups %v, context error %v; want two folders, the last clean-up first, and the context ended", dirs, order, ctx.Err())
	}
	for _, dir := range dirs {
		if _, err := os.Stat(dir); !errors.Is(err, os.ErrNotExist) {
			t.Errorf("got %s still there, %v, want it removed", dir, err)
		}
	}
}

// A body may communicate with its goroutines before it waits for them, and start more afterwards.
func TestGoroutinesBeginWithoutWait(t *testing.T) {
	r := once(t, func(t races.T) error {
		met := make(chan struct{})
		t.Go("meets", func() { met <- struct{}{} })
		<-met
		t.Wait()
		n := 0
		t.Go("comes later", func() { n = 1 })
		t.Wait()
		if n != 1 {
			t.Errorf("Wait did not wait")
		}
		t.Go("is not waited for by the body", func() {})
		return nil
	})
	if !r.Clean() || r.Operations != 3 || r.Successes != 3 {
		t.Errorf("got %+v, want one clean round with three goroutines", r)
	}
}

// A failed setup is trouble and no finding.
func TestTroubleIsNoFinding(t *testing.T) {
	r := once(t, func(races.T) error { return errors.New("no disk") })
	if r.Clean() || len(r.Findings) > 0 || r.Trouble != "round 1: no disk" {
		t.Errorf("got %+v, want trouble", r)
	}
	r = once(t, func(t races.T) error {
		job := filepath.Dir(filepath.Dir(t.TempDir()))
		if err := os.RemoveAll(job); err != nil {
			return err
		}
		if err := os.WriteFile(job, nil, 0o600); err != nil { // in place of a folder
			return err
		}
		t.TempDir()
		t.Errorf("and it went on")
		return nil
	})
	if r.Clean() || len(r.Findings) > 0 || !strings.Contains(r.Trouble, "not a directory") {
		t.Errorf("got %+v, want trouble", r)
	}
}

// After a failure the campaign continues and counts further ones, because their frequency matters.
func TestFailuresAreCounted(t *testing.T) {
	var rounds atomic.Int64 // several rounds may run at a time
	r := inProcess(t, plant("fails", func(t races.T) error {
		if rounds.Add(1)%2 == 1 {
			t.Errorf("round 01KAGJ5FG0040G2081040G2081 got %d", 1)
			t.Fatalf("got %d", 2)
		}
		return nil
	}), stress.BodyCampaign, time.Second)
	if len(r.Findings) != 1 || r.Findings[0].Kind != races.KindCheck || r.Clean() {
		t.Errorf("got %+v, want its first failure", r)
	}
	wrong := (r.Rounds + 1) / 2
	if len(r.Outcomes) < 1 || r.Symptoms() != wrong || total(r.Outcomes) != r.Rounds || !slices.ContainsFunc(r.Outcomes, func(o stress.Outcome) bool {
		return o.What == "round … got 1" && o.Count == wrong && o.Grade == stress.Forbidden
	}) {
		t.Errorf("got %+v of %d rounds, want every second one forbidden", r.Outcomes, r.Rounds)
	}
}

func total(all []stress.Outcome) (n int64) {
	for _, o := range all {
		n += o.Count
	}
	return n
}
