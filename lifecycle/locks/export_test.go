package locks

import (
	"context"
	"time"

	"github.com/jacquard-go/jacquard/lifecycle/internal/statements"
)

// Expire lets the lock of a resource expire now.
func (s *Service) Expire(ctx context.Context, r Resource) error {
	switch store := s.store.(type) {
	case *memoryStore:
		store.change(r, func(last Lock, now time.Time) (Lock, bool) {
			last.ExpiresAt = now
			return last, true
		})
	case databaseStore:
		return store.database.Write(ctx, func(ctx context.Context, se statements.Session) error {
			_, err := se.Exec(ctx, `UPDATE locks SET expires_at = `+se.Now()+` WHERE resource_id = ?`, r.ID)
			return err
		})
	}
	return nil
}
