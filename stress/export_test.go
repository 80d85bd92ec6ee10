package stress

import (
	"context"
	"log/slog"
	"os"
)

// What the crowds work with, for the tests that give them something broken.
type (
	Service      = service
	EngineSource = engineSource
)

// WithServices returns a crowd whose services are wrapped.
func WithServices(c Crowd, wrap func(Service) Service) Crowd {
	plain := c.site
	c.site = func(t *tally, g *ground) (site, error) {
		for i := range g.services {
			g.services[i] = wrap(g.services[i])
		}
		return plain(t, g)
	}
	return c
}

// WithEngines returns a crowd whose engines are wrapped.
func WithEngines(c Crowd, wrap func(EngineSource) EngineSource) Crowd {
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

// Cause reads the last words of a child.
func Cause(words string, exit error) (kind, message string) {
	k, m := death{exit: exit, words: words}.cause()
	return string(k), m
}

// Share is the time of a planned campaign.
type Share struct {
	Subject, Campaign string
	Seconds           float64
}

// Plan lists the campaigns.
func Plan(cfg Config) ([]Share, error) {
	cfg, err := cfg.withDefaults()
	var shares []Share
	for _, j := range plan(cfg) {
		shares = append(shares, Share{j.Subject, j.Campaign, j.Time.Seconds()})
	}
	return shares, err
}

// RunOne runs the campaign of one body in a child.
func RunOne(ctx context.Context, cfg Config, subject string) (Result, error) {
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
	return r.run(ctx, job{Subject: subject, Campaign: BodyCampaign, Time: cfg.Time, Stall: cfg.Stall, Seed: cfg.Seed})
}
