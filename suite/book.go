package suite

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/jacquard-go/jacquard/internal/finding"
	"github.com/jacquard-go/jacquard/internal/toolchain"
	"github.com/jacquard-go/jacquard/suite/ledger"
	"github.com/jacquard-go/jacquard/suite/protocol"
)

// A book holds the ledgers that a run reads, and collects what the run adds to them. A nil book is
// empty.
type book struct {
	now     finding.Sighting
	known   []finding.Record // open failures of Config.Known, which do not fail a run
	ledger  []finding.Record // all failures of Config.Known and Config.Ledger, for their cards
	mu      sync.Mutex
	met     []finding.Record
	checked []finding.Record // failures not met in this run, with the state that follows from that
}

// openBook reads the files that the configuration names; it returns nil if there are none.
func openBook(ctx context.Context, cfg Config) (*book, error) {
	if cfg.Known == "" && cfg.Ledger == "" {
		return nil, nil
	}
	b := &book{now: finding.Sighting{Time: time.Now().UTC().Truncate(time.Second), Commit: Commit(ctx, cfg.Dir)}}
	for _, file := range []string{cfg.Known, cfg.Ledger} {
		if file == "" {
			continue
		}
		l, err := finding.Read(file)
		if errors.Is(err, fs.ErrNotExist) && file == cfg.Ledger {
			continue // close will create it
		} else if err != nil {
			return nil, err
		}
		if file == cfg.Known {
			b.known = slices.DeleteFunc(slices.Clone(l.Failures), func(r finding.Record) bool { return !r.Open() })
		}
		for _, r := range l.Failures {
			if finding.Find(b.ledger, r.Signature) == nil {
				b.ledger = append(b.ledger, r)
			}
		}
	}
	return b, nil
}

// Commit returns git's HEAD in a folder, with "-dirty" if files are changed; "" if git does not know.
func Commit(ctx context.Context, dir string) string {
	git := func(args ...string) (string, error) {
		cmd := exec.CommandContext(ctx, "git", args...)
		cmd.Dir = dir
		out, err := cmd.Output()
		return strings.TrimSpace(string(out)), err
	}
	id, err := git("rev-parse", "HEAD")
	if err != nil {
		return ""
	}
	if changed, err := git("status", "--porcelain", "--untracked-files=no"); err != nil || changed != "" {
		id += "-dirty"
	}
	return id
}

// pass returns the known failures of a test, which do not fail it.
func (b *book) pass(pkg, test string) (all []protocol.Cause) {
	if b == nil {
		return nil
	}
	for _, r := range b.known {
		if finding.Signature(pkg, test, r.Kind, r.Cause) == r.Signature {
			all = append(all, protocol.Cause{Kind: r.Kind, Cause: r.Cause})
		}
	}
	return all
}

// cards returns the cards of a test's failures in the ledger.
func (b *book) cards(subject string) (all []string) {
	if b == nil {
		return nil
	}
	for _, r := range b.ledger {
		if r.Subject == subject && r.Card != "" && len(all) < mostKnown {
			all = append(all, r.Card)
		}
	}
	return all
}

// lines returns a line for each failure of a test that says whether it is known.
func (r *run) lines(t *test) string {
	b := r.cfg.book
	if b == nil {
		return ""
	}
	text := ""
	for _, e := range t.known() {
		text += b.line("known", r.record(t, e)) + "\n"
	}
	if e := t.last(); t.failed() && t.died == "" && e.Cause != "" {
		text += b.line("new", r.record(t, e)) + "\n"
	}
	return text
}

// line describes a failure by what the ledger has of it.
func (b *book) line(what string, r finding.Record) string {
	old := finding.Find(b.ledger, r.Signature)
	if old == nil {
		return fmt.Sprintf("%s failure %s (%s)", what, r.Signature, brief(r.Kind, r.Message))
	}
	if what == "new" {
		what = "recorded"
		if !old.Open() {
			what = "returned"
		}
	}
	text := fmt.Sprintf("%s failure %s (%s), first seen on %s", what, r.Signature, brief(r.Kind, r.Message), old.First.Time.Format(time.DateOnly))
	if old.First.Commit != "" {
		text += fmt.Sprintf(" at %.12s", old.First.Commit)
	}
	if !old.Open() {
		text += ", was " + old.State
	}
	return text
}

// record returns the ledger's record of a test's failure.
func (r *run) record(t *test, e protocol.Event) finding.Record {
	return finding.Record{
		Signature: finding.Signature(r.ImportPath, t.name, e.Kind, e.Cause), State: finding.Known,
		Subject: r.ImportPath + "." + t.name, Kind: e.Kind, Cause: e.Cause, Message: e.Message, Sites: e.Sites, Blame: e.Blame, Evidence: e.Evidence,
		First: r.cfg.book.now, Last: r.cfg.book.now, Runs: 1, Card: e.Card, Flags: r.words(),
	}
}

// take adds the failures of a finished package.
func (b *book) take(r *run) {
	if b == nil {
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, t := range r.tests {
		met := slices.Clone(t.known())
		if t.failed() && t.died == "" && t.last().Cause != "" {
			met = append(met, t.last())
		}
		for _, e := range met {
			b.met = append(b.met, r.record(t, e))
		}
		for _, old := range b.ledger {
			if old.Subject != r.ImportPath+"."+t.name || finding.Find(b.met, old.Signature) != nil {
				continue
			}
			if state := t.without(old, r.words()); state != "" {
				old.State, old.Checked = state, b.now
				b.checked = append(b.checked, old)
			}
		}
	}
}

// without returns the state of a recorded failure that a test did not show this time; "" if nothing
// follows, because the test was not explored, or with other flags.
func (t *test) without(r finding.Record, flags []string) string {
	e := t.last()
	switch {
	case t.violates() || e.Verdict != holds || e.Skipped || !slices.Equal(r.Flags, flags):
		return ""
	case r.Kind == protocol.Timing || len(t.known())+len(e.Outside) > 0 || e.Coarse: // then an exhausted search proves nothing
		return finding.Unseen(e.Schedules)
	case e.Exhausted:
		return finding.Fixed(nil)
	case e.Bound != nil:
		return finding.Fixed(e.Bound)
	}
	return finding.Unseen(e.Schedules)
}

// closing returns the line about the ledger for the end of a run.
func (b *book) closing() string {
	if b == nil {
		return ""
	}
	fresh := 0
	var seen []finding.Record
	for _, r := range b.met {
		if finding.Find(seen, r.Signature) != nil {
			continue
		}
		if seen = append(seen, r); finding.Find(b.ledger, r.Signature) == nil {
			fresh++
		}
	}
	return fmt.Sprintf("jacquard: %d new, %d seen again, %d not seen\n", fresh, len(seen)-fresh, len(b.checked))
}

// close adds to the ledger and writes it.
func (b *book) close(cfg Config) error {
	if b == nil || cfg.Ledger == "" {
		return nil
	}
	dir, err := toolchain.CacheDir(cfg.Cache)
	if err != nil {
		return err
	}
	path, err := filepath.Abs(cfg.Ledger)
	if err != nil {
		return err
	}
	// The lock file is in the cache, so that nobody has to look at it or commit it.
	return ledger.File[bool]{Dir: filepath.Join(dir, "failed"), Name: digest("%s", path)}.Exclusively(func() error {
		l, err := finding.Read(cfg.Ledger)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		l.Add(b.met, b.checked)
		text, err := l.Text()
		if err != nil {
			return err
		}
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			return err
		}
		return toolchain.Replace(path, text)
	})
}
