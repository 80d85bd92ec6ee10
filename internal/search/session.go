package search

import (
	"context"

	"github.com/jacquard-go/jacquard/internal/engine"
	"github.com/jacquard-go/jacquard/internal/schedule"
	"github.com/jacquard-go/jacquard/internal/source"
	"github.com/jacquard-go/jacquard/internal/verdict"
)

// A Session runs single schedules of bodies with the same code. It looks up sites in
// that code only once, because that takes longer than an execution.
type Session struct{ sites *source.Sites }

// Run runs body under the one schedule of s, and repeats it while data races reveal new
// points. warm says that the body is known to be repeatable. sums has an entry for each
// distinct execution.
func (z *Session) Run(ctx context.Context, warm bool, s schedule.Strategy, cfg Config, body func(*engine.T)) (r *verdict.Result, sums map[uint64]bool, err error) {
	cfg.Plan = []schedule.Stage{{Strategy: s, Schedules: 1 + looks}}
	x, err := begin(ctx, cfg, body)
	if err != nil {
		return nil, nil, err
	}
	defer x.end()
	x.single, x.warm = true, warm
	if z.sites == nil {
		z.sites = x.Sites
	}
	x.Sites = z.sites
	r, err = x.explore()
	r.Outside, r.Depends = x.Outsiders(), x.Depends()
	return r, x.seen, err
}
