package stress

import (
	"context"
	"fmt"
	"log/slog"
	"os"

	"github.com/jacquard-go/jacquard/races"
)

// Types of the workloads, for tests that replace them by faulty ones.
type (
	Service      = service
	EngineSource = engineSource
)

// WithServices returns a workload whose services are wrapped.
func WithServices(c Workload, wrap func(Service) Service) Workload {
	plain := c.site
	c.site = func(t *tally, g *ground) (site, error) {
		for i := range g.services {
			g.services[i] = wrap(g.services[i])
		}
		return plain(t, g)
	}
	return c
}

// WithEngines returns a workload whose engines are wrapped.
func WithEngines(c Workload, wrap func(EngineSource) EngineSource) Workload {
	plain := c.site
	c.site = func(t *tally, g *ground) (site, error) {
		open := g.engines
		g.engines = func(l *slog.Logger) (engineSource, error) {
			engines, err := open(l)
			return wrap(engines), err
		}
		return plain(t, g)
	}
	return c
}

var (
	Summary   = summary
	Waiting   = waiting
	FirstLeak = firstLeak
)

// Cause returns what the last output of a child says of its death.
func Cause(words string, exit fmt.Stringer) (kind, message string) {
	k, m := death{exit: exit, words: words}.cause()
	return string(k), m
}

// Share is a planned campaign with its time.
type Share struct {
	Subject, Campaign string
	Seconds           float64
}

// Plan returns the campaigns of a configuration.
func Plan(cfg Config) ([]Share, error) {
	cfg, err := cfg.withDefaults()
	if err != nil {
		return nil, err
	}
	all, err := chosen(cfg)
	var shares []Share
	for _, j := range dealt(all, cfg) {
		shares = append(shares, Share{j.Subject, j.Campaign, j.Time.Seconds()})
	}
	return shares, err
}

// RunOne runs one body's campaign in a child.
func RunOne(ctx context.Context, cfg Config, subject string) (Result, error) {
	return RunAgain(ctx, cfg, subject, false)
}

// NewLitmus returns a litmus test that always observes the same outcome.
func NewLitmus(name, what string, table ...Outcome) Litmus {
	return Litmus{Name: name, Table: table, play: func(races.T) (string, error) { return what, nil }}
}

// RunAgain is RunOne, and restarts the body after a crash if again is set.
func RunAgain(ctx context.Context, cfg Config, subject string, again bool) (Result, error) {
	cfg, err := cfg.withDefaults()
	if err != nil {
		return Result{}, err
	}
	dir, err := os.MkdirTemp("", "jacquard-stress-")
	if err != nil {
		return Result{}, err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	r := &runner{cfg: cfg, dir: dir}
	return r.run(ctx, job{Subject: subject, Campaign: BodyCampaign, Time: cfg.Time, Stall: cfg.Stall, Seed: cfg.Seed, again: again})
}
