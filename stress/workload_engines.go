package stress

import (
	"context"
	"log/slog"

	"github.com/jacquard-go/jacquard/lifecycle"
	"github.com/jacquard-go/jacquard/races"
)

// engineWorkloads returns R1's: all goroutines ask for the engine of one in-memory URL, in its two spellings.
func engineWorkloads() []Workload {
	return []Workload{{
		Name: "callers of one in-memory URL", ground: onEngines,
		site: func(_ *tally, g *ground) (site, error) { return engineSite{g}, nil },
	}}
}

type engineSite struct{ *ground }

// spellings returns two URLs of one database.
func spellings() []string { return []string{"sqlite:///:memory:", "sqlite://"} }

// round gives all goroutines the engine of a new set. In one round of eight the callers are real units of work and migrations,
// which make the schema; in the others they make the one call by which both get their engine, which takes a hundredth of the time.
func (s engineSite) round(t *tally) {
	created := new(races.Openings)
	engines, err := s.engines(slog.New(created))
	if !t.done("new engines", err) {
		return
	}
	whole := t.rng.IntN(8) == 0
	got := make([]*lifecycle.Engine, t.size)
	t.together(t.size, func(i int, m *member) {
		var err error
		got[i], err = ask(t.ctx, engines, i, whole)
		m.did(err, nil)
	})
	different := make(map[*lifecycle.Engine]bool)
	for _, e := range got {
		different[e] = true
	}
	t.sum("engines that were handed out", len(different), 1)
	t.sum("engines that were opened", created.Count(), 1)
	t.done("close", engines.Close())
}

// ask gets the engine for goroutine i.
func ask(ctx context.Context, engines engineSource, i int, whole bool) (*lifecycle.Engine, error) {
	url := spellings()[i%2]
	switch {
	case !whole:
		return engines.Engine(ctx, url)
	case i%4 < 2:
		return engines.ForUnitOfWork(ctx, url)
	default:
		return engines.ForMigrations(ctx, url)
	}
}

func (s engineSite) settle(*tally) {}
