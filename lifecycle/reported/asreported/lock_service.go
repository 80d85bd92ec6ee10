package asreported

import (
	"context"
	"time"

	"github.com/jacquard-go/jacquard/lifecycle/locks"
	"github.com/jacquard-go/jacquard/lifecycle/reported"
)

// LockService is the service of #7406 and #9638: it reads the lock, decides, and writes. One instance is for any number of goroutines;
// its table sees to each statement.
type LockService struct {
	table *reported.LockTable
}

// NewLockService returns a service over table. It does not close the table.
func NewLockService(table *reported.LockTable) *LockService { return &LockService{table} }

// Acquire gives a resource to an owner for a time. The error is a [*locks.HeldError] if another owner has it, or the table's.
func (s *LockService) Acquire(ctx context.Context, owner, resource string, ttl time.Duration) error {
	holder, expires, ok, err := s.table.Get(ctx, resource)
	now := time.Now()
	switch {
	case err != nil:
		return err
	case !ok:
		return s.table.Insert(ctx, resource, owner, now.Add(ttl))
	case holder != owner && expires.After(now):
		return &locks.HeldError{Lock: locks.Lock{Resource: locks.Resource{ID: resource}, Owner: holder, ExpiresAt: expires}}
	}
	return s.table.Update(ctx, resource, owner, now.Add(ttl))
}

// ReleaseAll gives up what an owner has.
func (s *LockService) ReleaseAll(ctx context.Context, owner string) error {
	return s.table.DeleteAll(ctx, owner)
}
