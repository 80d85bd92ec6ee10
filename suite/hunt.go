package suite

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/jacquard-go/jacquard/suite/build"
	"github.com/jacquard-go/jacquard/suite/protocol"
)

// A Hunted is the result of looking for a failure that was seen elsewhere.
type Hunted struct {
	// Found says that Event is that failure; otherwise Event is the end of the search.
	Found  bool
	Event  protocol.Event
	Others []protocol.Event // other failures of the test
}

// ErrNoTest means that no package declares the test.
var ErrNoTest = errors.New("no such test")

// Hunt runs a test as Run does, but passes over all failures except the one sought. It prints the
// same as Run. The error is as Run's.
func Hunt(ctx context.Context, cfg Config, pkg, test string, s protocol.Sought) (h Hunted, err error) {
	cfg.Packages, cfg.Run, cfg.Fresh, cfg.seek = []string{pkg}, protocol.Only(cfg.Run, test), true, &s
	ran := false
	_, err = each(ctx, cfg, func(ctx context.Context, c Config, p build.Program, out io.Writer, temp string) (bool, error) {
		r := &run{Program: p, cfg: c, temp: temp}
		if err := r.test(ctx, out); err != nil && r.halted == nil {
			return false, err
		}
		for _, t := range r.tests {
			ran = true
			h.Event, h.Others = t.last(), t.met
			h.Found = t.violates() && h.Event.Same
			if t.violates() && !h.Found {
				h.Others = union(h.Others, h.Event)
			}
		}
		return true, nil
	}, nothing)
	if err == nil && !ran {
		err = fmt.Errorf("%w: %s.%s", ErrNoTest, pkg, test)
	}
	return h, err
}

// Declaring returns the packages among cfg's that declare a test.
func Declaring(ctx context.Context, cfg Config, test string) (paths []string, err error) {
	if cfg, err = cfg.withDefaults(); err != nil {
		return nil, err
	}
	pkgs, err := cfg.how().List(ctx, cfg.Packages)
	if err != nil {
		return nil, err
	}
	for _, p := range pkgs {
		if slices.Contains(p.Declared(), test) {
			paths = append(paths, p.ImportPath)
		}
	}
	return paths, nil
}
