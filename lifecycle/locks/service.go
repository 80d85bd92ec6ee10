package locks

import (
	"context"
	"fmt"
	"time"

	"github.com/jacquard-go/jacquard/lifecycle"
	"github.com/jacquard-go/jacquard/lifecycle/internal/check"
)

// Resource is what can be locked. Its parts are any text of 1 to [MaxName] bytes.
type Resource struct{ Type, ID string }

// String returns type and identifier.
func (r Resource) String() string { return r.Type + " " + fmt.Sprintf("%q", r.ID) }

// Lock is the right of an owner to a resource for a time.
type Lock struct {
	Resource   Resource
	Owner      string    // empty if nobody has it since it was released
	Fence      int64     // 1 for the first lock of a resource, greater for each later one
	AcquiredAt time.Time // when the owner got it; by the clock of the database, as the next
	ExpiresAt  time.Time
}

// How long a lock lasts unless it is renewed, and how long names may be.
const (
	DefaultTTL  = 5 * time.Minute
	ShortestTTL = 5 * time.Second
	LongestTTL  = time.Hour
	MaxName     = 512 // bytes of an owner's name, and of each part of a resource
)

// Service is the lock service. It is safe for any number of goroutines, and any
// number of services, in any number of processes, may be on one database.
type Service struct{ store store }

// store keeps locks. Each method is atomic, and reports whether the caller has,
// or had, what is his; the lock that it returns is the last one of the resource.
type store interface {
	acquire(ctx context.Context, owner string, r Resource, ttl time.Duration) (Lock, bool, error)
	renew(ctx context.Context, l Lock, ttl time.Duration) (Lock, bool, error)
	release(ctx context.Context, l Lock) (Lock, bool, error)
	releaseAll(ctx context.Context, owner string) (int, error)
	countStale(ctx context.Context) (int, error)
	find(ctx context.Context, r Resource) (Lock, bool, error)
}

// New returns the lock service of a database; with nil, one in memory of its own.
// It has nothing to close: the database belongs to who has opened it.
func New(work *lifecycle.UnitOfWork) (*Service, error) {
	if work != nil {
		return &Service{databaseStore{work.Statements()}}, nil
	}
	memory, err := newMemoryStore()
	return &Service{memory}, err
}

// Acquire gives a resource to an owner for a time; zero means [DefaultTTL]. Of any
// number of callers one gets it: the others get a [*HeldError] that names him.
// A lock that has expired is taken over. Who has the resource already has it for
// at least that time from now on.
func (s *Service) Acquire(ctx context.Context, owner string, r Resource, ttl time.Duration) (Lock, error) {
	if err := begin(ctx, named{"owner", owner}, named{"resource type", r.Type}, named{"resource id", r.ID}); err != nil {
		return Lock{}, err
	}
	ttl, err := checkTTL(ttl)
	if err != nil {
		return Lock{}, err
	}
	l, yours, err := s.store.acquire(ctx, owner, r, ttl)
	return verdict(l, yours, 0, err)
}

// Renew makes a lock last for at least a time from now on; zero means
// [DefaultTTL]. What is over cannot be renewed: the error is a [*HeldError] that
// says who has the resource.
func (s *Service) Renew(ctx context.Context, l Lock, ttl time.Duration) (Lock, error) {
	if err := begin(ctx, l.names()...); err != nil {
		return Lock{}, err
	}
	ttl, err := checkTTL(ttl)
	if err != nil {
		return Lock{}, err
	}
	renewed, yours, err := s.store.renew(ctx, l, ttl)
	return verdict(renewed, yours, l.Fence, err)
}

// Release gives a lock up before its time. Releasing it again, or after its time
// while nobody else has got the resource, is no error; otherwise it is a
// [*HeldError].
func (s *Service) Release(ctx context.Context, l Lock) error {
	if err := begin(ctx, l.names()...); err != nil {
		return err
	}
	last, yours, err := s.store.release(ctx, l)
	_, err = verdict(last, yours, l.Fence, err)
	return err
}

// ReleaseAll gives up all that an owner has and has not released, also what has
// expired, and says how many locks that were.
func (s *Service) ReleaseAll(ctx context.Context, owner string) (int, error) {
	if err := begin(ctx, named{"owner", owner}); err != nil {
		return 0, err
	}
	return s.store.releaseAll(ctx, owner)
}

// CountStale says how many locks have expired and were neither released nor taken
// over: those of owners who are gone, or late.
func (s *Service) CountStale(ctx context.Context) (int, error) {
	if err := begin(ctx); err != nil {
		return 0, err
	}
	return s.store.countStale(ctx)
}

// Find returns the last lock of a resource, and whether it stands. It is zero but
// for the resource if there was none.
func (s *Service) Find(ctx context.Context, r Resource) (l Lock, held bool, err error) {
	if err := begin(ctx, named{"resource type", r.Type}, named{"resource id", r.ID}); err != nil {
		return Lock{}, false, err
	}
	return s.store.find(ctx, r)
}

// verdict is what a caller is told.
func verdict(l Lock, yours bool, carried int64, err error) (Lock, error) {
	switch {
	case err != nil:
		return Lock{}, err
	case !yours:
		return Lock{}, &HeldError{l, carried}
	}
	return l, nil
}

// stands reports whether somebody has a lock's resource.
func (l Lock) stands(now time.Time) bool { return l.Owner != "" && l.ExpiresAt.After(now) }

func (l Lock) names() []named {
	return []named{{"owner", l.Owner}, {"resource type", l.Resource.Type}, {"resource id", l.Resource.ID}}
}

// named is a piece of input to be checked.
type named struct{ field, value string }

// begin refuses what no database keeps, and calls whose context has ended.
func begin(ctx context.Context, all ...named) error {
	if err := check.Context(ctx, "locks"); err != nil {
		return err
	}
	for _, n := range all {
		if err := check.Name(n.field, n.value, MaxName); err != nil {
			return err
		}
	}
	return nil
}

// checkTTL refuses a time that a lock cannot last, and fills in the default.
func checkTTL(ttl time.Duration) (time.Duration, error) {
	return check.Lasting("time of a lock", ttl, DefaultTTL, ShortestTTL, LongestTTL)
}
