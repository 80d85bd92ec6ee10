package locks

import (
	"context"
	"fmt"
	"time"

	"github.com/jacquard-go/jacquard/lifecycle"
	"github.com/jacquard-go/jacquard/lifecycle/internal/check"
)

// Resource is something that can be locked. Its parts are any text of 1 to [MaxName] bytes.
type Resource struct{ Type, ID string }

// String returns type and identifier.
func (r Resource) String() string { return r.Type + " " + fmt.Sprintf("%q", r.ID) }

// Lock is the right of an owner to a resource for a time.
type Lock struct {
	Resource   Resource
	Owner      string    // empty if it was released and the resource not acquired since
	Fence      int64     // 1 for the first lock of a resource, greater for each later one
	AcquiredAt time.Time // when the owner got it; by the clock of the database, as is ExpiresAt
	ExpiresAt  time.Time
}

// Bounds for how long a lock lasts without renewal, and for the length of names.
const (
	DefaultTTL  = 5 * time.Minute
	ShortestTTL = 5 * time.Second
	LongestTTL  = time.Hour
	MaxName     = 512 // bytes of an owner's name, and of each part of a resource
)

// Service is the lock service. It is safe for concurrent use, and any number of services, in any
// number of processes, may use one database.
type Service struct{ store store }

// store stores locks. Each method is atomic and returns the last lock of the resource; the bool
// says whether the caller holds it, or held it before a release.
type store interface {
	acquire(ctx context.Context, owner string, r Resource, ttl time.Duration) (Lock, bool, error)
	renew(ctx context.Context, l Lock, ttl time.Duration) (Lock, bool, error)
	release(ctx context.Context, l Lock) (Lock, bool, error)
	releaseAll(ctx context.Context, owner string) (int, error)
	countStale(ctx context.Context) (int, error)
	find(ctx context.Context, r Resource) (Lock, bool, error)
}

// New returns the lock service of a database; with nil, one in its own memory. It need not be
// closed: the database belongs to the caller that opened it.
func New(work *lifecycle.UnitOfWork) (*Service, error) {
	if work != nil {
		return &Service{databaseStore{work.Statements()}}, nil
	}
	memory, err := newMemoryStore()
	return &Service{memory}, err
}

// Acquire gives a resource to an owner for ttl; zero means [DefaultTTL]. Of several concurrent
// callers one gets it; the others get a [*HeldError] that names the holder. A lock that has expired
// is taken over. An owner that holds the resource already keeps it for at least ttl from now.
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

// Renew makes a lock last for at least ttl from now; zero means [DefaultTTL]. A lock that is over
// cannot be renewed: the error is a [*HeldError] that says who holds the resource.
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

// Release ends a lock before its time. Releasing it again, or after it has expired, is no error
// while the resource has not been acquired anew; after that the error is a [*HeldError].
func (s *Service) Release(ctx context.Context, l Lock) error {
	if err := begin(ctx, l.names()...); err != nil {
		return err
	}
	last, yours, err := s.store.release(ctx, l)
	_, err = verdict(last, yours, l.Fence, err)
	return err
}

// ReleaseAll releases all locks of an owner, including expired ones that were not released, and
// returns how many there were.
func (s *Service) ReleaseAll(ctx context.Context, owner string) (int, error) {
	if err := begin(ctx, named{"owner", owner}); err != nil {
		return 0, err
	}
	return s.store.releaseAll(ctx, owner)
}

// CountStale returns how many locks have expired and were neither released nor taken over: those of
// owners that are gone, or late.
func (s *Service) CountStale(ctx context.Context) (int, error) {
	if err := begin(ctx); err != nil {
		return 0, err
	}
	return s.store.countStale(ctx)
}

// Find returns the last lock of a resource, and whether it is in force. If there was none, only
// Resource is set.
func (s *Service) Find(ctx context.Context, r Resource) (l Lock, held bool, err error) {
	if err := begin(ctx, named{"resource type", r.Type}, named{"resource id", r.ID}); err != nil {
		return Lock{}, false, err
	}
	return s.store.find(ctx, r)
}

// verdict returns the result for the caller.
func verdict(l Lock, yours bool, carried int64, err error) (Lock, error) {
	switch {
	case err != nil:
		return Lock{}, err
	case !yours:
		return Lock{}, &HeldError{l, carried}
	}
	return l, nil
}

// stands reports whether the lock is in force.
func (l Lock) stands(now time.Time) bool { return l.Owner != "" && l.ExpiresAt.After(now) }

func (l Lock) names() []named {
	return []named{{"owner", l.Owner}, {"resource type", l.Resource.Type}, {"resource id", l.Resource.ID}}
}

// named is a piece of input to be checked.
type named struct{ field, value string }

// begin refuses text that no database stores, and calls whose context has ended.
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

// checkTTL refuses a ttl outside the limits, and replaces zero by the default.
func checkTTL(ttl time.Duration) (time.Duration, error) {
	return check.Lasting("time of a lock", ttl, DefaultTTL, ShortestTTL, LongestTTL)
}
