package stress

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync/atomic"

	"github.com/jacquard-go/jacquard/lifecycle"
)

// starterWorkloads returns R4's: twice as many goroutines record changes while one more starts changesets and one finishes them.
func starterWorkloads() []Workload {
	return onBothStores("recorders while changesets are started and finished",
		func(t *tally, g *ground) (site, error) { return newChangesetSite(t, g, starterRound) })
}

// changesetSite is the site on which changes of plans are recorded.
type changesetSite struct {
	*ground
	play     func(t *tally, s *changesetSite, planID string)
	plans    []string
	recorded int // changes, of all plans
}

func newChangesetSite(t *tally, g *ground, play func(*tally, *changesetSite, string)) (site, error) {
	_, err := g.of(0).CreateAction(t.ctx, actionSpec(planAction, "what the plans are made from"))
	return &changesetSite{ground: g, play: play}, err
}

// round plays on a new plan.
func (s *changesetSite) round(t *tally) {
	plan, err := s.of(0).UseAction(t.ctx, planAction, lifecycle.UseOptions{})
	if t.done("use the action", err) {
		s.plans = append(s.plans, plan.ID)
		s.play(t, s, plan.ID)
	}
}

// settle counts all recorded changes again.
func (s *changesetSite) settle(t *tally) {
	entries := 0
	for _, id := range s.plans {
		all, err := s.of(1).Changesets(t.ctx, id)
		t.done("list the changesets", err)
		for _, c := range all {
			entries += len(c.Entries)
		}
	}
	t.sum("entries in the store", entries, s.recorded)
}

// starterRound begins with one open changeset. Goroutine 0 starts more, goroutine 1 finishes the newest from time to
// time, and the others record until goroutine 0 is done.
func starterRound(t *tally, s *changesetSite, planID string) {
	first, err := s.of(0).StartChangeset(t.ctx, planID)
	if !t.done("start a changeset", err) {
		return
	}
	started := []string{first}
	books := make([]book, 2*t.size+2)
	var over atomic.Bool
	t.together(len(books), func(i int, m *member) {
		svc := s.of(i / 2)
		switch i {
		case 0:
			started = append(started, startSome(t, svc, planID, &books[i], m)...)
			over.Store(true)
		case 1:
			finishSome(t, svc, planID, &books[i], m)
		default:
			for k := 0; k < times || k < atMost && !over.Load(); k++ {
				books[i].record(t, svc, planID, fmt.Sprint(i, "/", k), m)
			}
		}
	})
	s.check(t, planID, books, started)
}

// startSome starts changesets, and records which changesets that closes.
func startSome(t *tally, svc service, planID string, b *book, m *member) []string {
	var started []string
	for range times {
		id, err := svc.StartChangeset(t.ctx, planID)
		m.did(err, nil)
		started = append(started, id)
		b.close(list(t, svc, planID, m), id)
	}
	return started
}

// finishSome finishes changesets, and records which changesets that closes.
func finishSome(t *tally, svc service, planID string, b *book, m *member) {
	for range times / 2 {
		if all := list(t, svc, planID, m); len(all) > 0 {
			m.did(svc.FinishChangeset(t.ctx, planID, all[len(all)-1].ID), nil)
			b.close(list(t, svc, planID, m), "")
		}
	}
}

// list lists the changesets of a plan.
func list(t *tally, svc service, planID string, m *member) []lifecycle.Changeset {
	all, err := svc.Changesets(t.ctx, planID)
	m.did(err, nil)
	return all
}

// book is one goroutine's knowledge of the changesets of a plan. The zero value knows nothing.
type book struct {
	landed  map[string]string // by path, the changeset in which the change was recorded
	refused []string          // paths that were not recorded
	settled map[string]int    // by changeset, its number of entries when it could get no more
}

// record records a change of path.
func (b *book) record(t *tally, svc service, planID, path string, m *member) {
	id, err := svc.RecordChange(t.ctx, planID, lifecycle.Entry{Operation: lifecycle.OperationModify, Path: path})
	if !m.did(err, isNotActive) {
		b.refused = append(b.refused, path)
		return
	}
	if b.landed == nil {
		b.landed = make(map[string]string)
	}
	b.landed[path] = id
}

// close records the number of entries of each listed changeset that is closed, or older than the one started.
func (b *book) close(all []lifecycle.Changeset, started string) {
	newest := slices.IndexFunc(all, func(c lifecycle.Changeset) bool { return c.ID == started })
	if b.settled == nil {
		b.settled = make(map[string]int)
	}
	for i, c := range all {
		if _, known := b.settled[c.ID]; !known && (!c.Open() || i < newest) {
			b.settled[c.ID] = len(c.Entries)
		}
	}
}

func isNotActive(err error) bool { return errors.Is(err, lifecycle.ErrNoActiveChangeset) }

// check compares the changesets of a plan with the books: every recorded change is in the changeset that its recorder was
// told, none that was refused is in any, and none entered a changeset after it was closed.
func (s *changesetSite) check(t *tally, planID string, books []book, started []string) {
	all, err := s.of(1).Changesets(t.ctx, planID)
	t.done("list the changesets", err)
	in := make(map[string]string) // by path, where it is
	sizes := make(map[string]int)
	var ids []string
	entries := 0
	for _, c := range all {
		ids = append(ids, c.ID)
		sizes[c.ID] = len(c.Entries)
		entries += len(c.Entries)
		for _, e := range c.Entries {
			in[e.Path] = c.ID
		}
	}
	if !slices.Equal(ids, started) {
		t.failf("the changesets are %v, and %v were started", ids, started)
	}
	landed := make(map[string]string)
	for _, b := range books {
		maps.Copy(landed, b.landed)
		for id, size := range b.settled {
			if sizes[id] != size {
				t.failf("changeset %s had %d entries when it was closed, and has %d", id, size, sizes[id])
			}
		}
	}
	if !maps.Equal(in, landed) {
		t.failf("the changes landed in %v, and their recorders were told %v", in, landed)
	}
	s.recorded += len(landed)
	t.sum("entries in the changeset that their recorder was told", entries, len(landed))
}
