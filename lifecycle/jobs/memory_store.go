package jobs

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"slices"
	"time"

	"github.com/jacquard-go/jacquard/cache"
	"github.com/jacquard-go/jacquard/lifecycle/internal/steady"
)

// memoryStore stores each job as a value of a cache, and a change is one compare-and-swap of the
// value. open holds the identifiers of unfinished jobs, among which claims search; it gets a job's
// before jobs gets the job, so that a claim finds each job that others can see.
type memoryStore struct {
	jobs  *cache.Cache[string, *Job] // the jobs pointed to are never changed
	open  *cache.Cache[string, struct{}]
	clock steady.Clock
}

func newMemoryStore() (*memoryStore, error) {
	jobs, err1 := cache.New(cache.Config[string, *Job]{})
	open, err2 := cache.New(cache.Config[string, struct{}]{})
	return &memoryStore{jobs, open, steady.New()}, errors.Join(err1, err2)
}

// clone returns a copy of j that shares no memory with it.
func (j Job) clone() Job {
	j.Payload, j.Result = append([]byte(nil), j.Payload...), append([]byte(nil), j.Result...)
	return j
}

func (m *memoryStore) insert(_ context.Context, j Job, delay time.Duration) (Job, error) {
	j = j.clone()
	j.CreatedAt = m.clock.Now()
	j.UpdatedAt, j.RunAfter = j.CreatedAt, j.CreatedAt.Add(delay)
	if err := m.open.Set(j.ID, struct{}{}); err != nil {
		return Job{}, err
	}
	if _, ok := m.jobs.CompareAndSwap(j.ID, 0, &j); !ok {
		m.shut(j.ID)
		return Job{}, alreadyExists(j.ID)
	}
	return j.clone(), nil
}

// shut forgets a job that is finished, and so stays finished, among the open ones.
func (m *memoryStore) shut(id string) {
	if j, ok := m.jobs.Get(id); ok && j.State.Terminal() {
		m.open.Delete(id)
	}
}

func (m *memoryStore) find(_ context.Context, id string) (Job, error) {
	j, ok := m.jobs.Get(id)
	if !ok {
		return Job{}, &NotFoundError{id}
	}
	return j.clone(), nil
}

func (m *memoryStore) list(_ context.Context, state State) ([]Job, error) {
	var all []Job
	for _, j := range m.jobs.All() {
		if state == "" || j.State == state {
			all = append(all, j.clone())
		}
	}
	slices.SortFunc(all, func(a, b Job) int { return cmp.Compare(a.ID, b.ID) })
	return all, nil
}

// next looks again until nothing has changed between two looks: then there was no job to run at the
// moment between them.
func (m *memoryStore) next(context.Context) (oldest string, ok bool, err error) {
	for before := map[string]uint64(nil); ; {
		oldest, versions := m.look()
		if oldest != "" || before != nil && maps.Equal(before, versions) {
			return oldest, oldest != "", nil
		}
		before = versions
	}
}

// look visits the open jobs one after another. It returns the oldest that may run, and the versions
// of all.
func (m *memoryStore) look() (oldest string, versions map[string]uint64) {
	versions = map[string]uint64{}
	for id := range m.open.All() {
		found, _ := m.jobs.GetVersion(id)
		versions[id] = found.Version
		if j := found.Value; j != nil && j.claimable(m.clock.Now()) && (oldest == "" || id < oldest) {
			oldest = id
		}
	}
	return oldest, versions
}

func (m *memoryStore) change(_ context.Context, id string, decide decision) (Job, error) {
	for {
		found, ok := m.jobs.GetVersion(id)
		if !ok {
			return Job{}, &NotFoundError{id}
		}
		next, err := decided(found.Value.clone(), m.clock.Now(), decide)
		if err != nil {
			return Job{}, err
		}
		next = next.clone()
		if _, ok := m.jobs.CompareAndSwap(id, found.Version, &next); ok {
			m.shut(id)
			return next.clone(), nil
		}
	}
}
