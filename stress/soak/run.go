package soak

import (
	"context"
	"fmt"
	"os"

	"github.com/jacquard-go/jacquard/stress/soak/passing"
)

// Run soaks one database and reports. Problems are results, not errors: an error means that there is no result. It matches
// [ErrConfig], [ErrUnsupported] or the context's, or is about processes, files or the database at the end.
//
// No process that Run has started is left when it returns.
func Run(ctx context.Context, cfg Config) (_ *Report, err error) {
	if !shared {
		return nil, ErrUnsupported
	}
	cfg, err = cfg.withDefaults()
	if err != nil {
		return nil, err
	}
	dir, url, err := cfg.folder()
	if err != nil {
		return nil, err
	}
	keep := cfg.Keep != ""
	defer func() {
		if !keep {
			_ = os.RemoveAll(dir) // a temporary folder; nothing depends on it
		}
	}()
	began := clock()
	f := newFleet(cfg, dir, url)
	if err := f.run(ctx); err != nil {
		return nil, err
	}
	cfg.Progress("reading what is there")
	h, err := collect(ctx, f, began)
	if err != nil {
		if keep = keep || ctx.Err() == nil; keep {
			err = fmt.Errorf("%w (histories kept in %s)", err, dir)
		}
		return nil, err
	}
	r := judge(ctx, f, h)
	if err := ctx.Err(); err != nil {
		return nil, fmt.Errorf("soak: %w", err)
	}
	if keep = keep || !r.Clean; keep {
		r.Kept = dir
	}
	return r, nil
}

// judge checks a history.
func judge(ctx context.Context, f *fleet, h *history) *Report {
	r := newReport(f.cfg)
	r.Kills, r.Restarts, r.Processing = f.kills, f.restarts, f.problems
	r.count(h)
	f.cfg.Progress(fmt.Sprintf("checking %d operations", r.Operations))
	w := newWindows(h)
	r.Checks = []Check{h.acknowledged(), h.once(), h.places(), h.order(), w.snapshots(), w.ages(f.cfg.MaxAge), h.errors()}
	t := newTenures(h)
	r.Checks = append(r.Checks, t.turns(), t.late(), t.named(), t.jobs(), h.subplans(), deletions(f))
	r.Owned, r.Freezes = t.owned(), f.freezes
	r.Subplans, r.ServerRestarts = h.countSubplans(), f.serverRestarts
	r.Linearity = h.linearity(ctx, f.cfg.CheckTime)
	r.Clean = r.clean()
	return r
}

// deletions judges what actors have written down of plans and actions that pass.
func deletions(f *fleet) Check {
	v := passing.Judge(f.dir, f.cfg.CheckTime)
	c := Check{Name: "what is deleted is gone, and nothing comes behind it", Unit: "operation", Count: v.Operations, Wrong: v.Wrong}
	for _, what := range v.Problems {
		c.Problems = append(c.Problems, Problem{What: what})
	}
	return c
}
