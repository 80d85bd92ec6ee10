package suite

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/jacquard-go/jacquard/internal/toolchain"
)

// failed reports whether a test failed.
func (r *run) failed() bool { return slices.ContainsFunc(r.tests, (*test).failed) }

// ok reports whether nothing failed.
func (r *run) ok() bool { return !r.failed() && r.exit == "" && !r.late }

// test runs the tests of a package that was built, and prints what came of it.
func (r *run) test(ctx context.Context, out io.Writer) error {
	began := time.Now()
	ctx, cancel := context.WithTimeoutCause(ctx, r.cfg.Timeout, errTimeout)
	defer cancel()
	if err := r.runSurvey(ctx); err != nil {
		return err
	}
	if r.exit == "" && !r.late {
		if err := r.exploreAll(ctx); err != nil {
			return err
		}
	}
	text := r.print() + r.lastWord()
	if !r.cfg.JSON {
		text = strings.NewReplacer(marker+"=== NAME  \n", "", marker, "").Replace(text)
	}
	if r.ok() && !r.told() {
		text = ""
	}
	_, err := io.WriteString(out, text+r.summary(time.Since(began)))
	return errors.Join(err, r.keepCards())
}

// lastWord is what package testing says at the end, or what can be said in its
// place.
func (r *run) lastWord() string {
	switch {
	case r.ok():
		return r.marker() + "PASS\n"
	case r.exit == "":
		return r.marker() + "FAIL\n"
	case len(r.tests) == 0:
		return fmt.Sprintf("jacquard: the process ended before any test began (TestMain or an init function): %s\nFAIL\n", r.exit)
	}
	return fmt.Sprintf("jacquard: no test failed, but the process did (TestMain?): %s\nFAIL\n", r.exit)
}

// exploreAll explores what is worth it, and remembers how far that came.
func (r *run) exploreAll(ctx context.Context) error {
	path, err := r.memory()
	if err != nil {
		return err
	}
	known := make(map[string]saved)
	if !r.cfg.Fresh {
		known = recall(path)
	}
	var all []*exploration
	for _, t := range r.tests {
		if !t.explorable() || r.stop() && !t.failed() {
			continue
		}
		x := &exploration{test: t, past: known[t.name]}
		if x.past.Done {
			t.result, t.before = x.past.event(t.survey), true
			continue
		}
		all = append(all, x)
	}
	if len(all) == 0 {
		return nil
	}
	err = r.explore(ctx, all)
	for _, x := range all {
		if s, ok := x.save(); ok {
			known[x.name] = s
		}
	}
	if saving := remember(path, known); err == nil && saving != nil {
		err = fmt.Errorf("%w: %w", toolchain.ErrCache, saving)
	}
	return err
}

// keepCards writes the cards of failures into the folder that was asked for.
func (r *run) keepCards() error {
	if r.cfg.Cards == "" {
		return nil
	}
	for _, t := range r.tests {
		card := t.last().Card
		if !t.failed() || card == "" {
			continue
		}
		if err := os.MkdirAll(r.cfg.Cards, 0o777); err != nil {
			return err
		}
		name := strings.NewReplacer("/", "_").Replace(r.ImportPath) + "." + t.name
		if err := os.WriteFile(filepath.Join(r.cfg.Cards, name), []byte(card+"\n"), 0o666); err != nil {
			return err
		}
	}
	return nil
}
