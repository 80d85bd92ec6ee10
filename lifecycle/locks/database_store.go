package locks

import (
	"context"
	"fmt"
	"time"

	"github.com/jacquard-go/jacquard/lifecycle/internal/statements"
)

// databaseStore stores the last lock of each resource as a row. Every decision is one statement,
// which checks and changes at once, in a transaction that also reads the result.
type databaseStore struct{ database statements.Database }

// acquire is one upsert. It reads the time once, before it may wait for the row: a lock that
// expires meanwhile still counts for this call.
func (d databaseStore) acquire(ctx context.Context, owner string, r Resource, ttl time.Duration) (Lock, bool, error) {
	return d.change(ctx, r, "acquire", func(now string) (string, []any) {
		const same = `locks.owner = excluded.owner AND locks.expires_at > excluded.acquired_at`
		return `
			INSERT INTO locks (resource_type, resource_id, owner, fence, acquired_at, expires_at)
			SELECT ?, ?, ?, 1, clock.now, clock.now + ? FROM (SELECT ` + now + ` AS now) AS clock WHERE TRUE
			ON CONFLICT (resource_type, resource_id) DO UPDATE SET
				owner = excluded.owner,
				fence = CASE WHEN ` + same + ` THEN locks.fence ELSE locks.fence + 1 END,
				acquired_at = CASE WHEN ` + same + ` THEN locks.acquired_at ELSE excluded.acquired_at END,
				expires_at = CASE WHEN ` + same + ` AND locks.expires_at > excluded.expires_at THEN locks.expires_at ELSE excluded.expires_at END
			WHERE locks.owner IN ('', excluded.owner) OR locks.expires_at <= excluded.acquired_at`,
			[]any{r.Type, r.ID, owner, ttl.Microseconds()}
	})
}

func (d databaseStore) renew(ctx context.Context, l Lock, ttl time.Duration) (Lock, bool, error) {
	return d.change(ctx, l.Resource, "renew", func(now string) (string, []any) {
		return `
			UPDATE locks SET expires_at = CASE WHEN expires_at > ` + now + ` + ? THEN expires_at ELSE ` + now + ` + ? END
			WHERE resource_type = ? AND resource_id = ? AND fence = ? AND owner <> '' AND expires_at > ` + now,
			[]any{ttl.Microseconds(), ttl.Microseconds(), l.Resource.Type, l.Resource.ID, l.Fence}
	})
}

func (d databaseStore) release(ctx context.Context, l Lock) (Lock, bool, error) {
	return d.change(ctx, l.Resource, "release", func(string) (string, []any) {
		return `UPDATE locks SET owner = '', expires_at = 0 WHERE resource_type = ? AND resource_id = ? AND fence = ?`,
			[]any{l.Resource.Type, l.Resource.ID, l.Fence}
	})
}

// change runs a statement about one resource, and returns the resource's last lock after it.
func (d databaseStore) change(ctx context.Context, r Resource, what string, statement func(now string) (string, []any)) (l Lock, yours bool, err error) {
	err = d.database.Write(ctx, func(ctx context.Context, s statements.Session) error {
		query, args := statement(s.Now())
		n, err := s.Exec(ctx, query, args...)
		if err != nil {
			return err
		}
		yours = n == 1
		l, _, err = read(ctx, s, r)
		return err
	})
	if err != nil {
		return Lock{}, false, fmt.Errorf("locks: %s %s: %w", what, r, err)
	}
	return l, yours, nil
}

func (d databaseStore) releaseAll(ctx context.Context, owner string) (n int, err error) {
	err = d.database.Write(ctx, func(ctx context.Context, s statements.Session) error {
		changed, err := s.Exec(ctx, `UPDATE locks SET owner = '', expires_at = 0 WHERE owner = ?`, owner)
		n = int(changed)
		return err
	})
	if err != nil {
		return 0, fmt.Errorf("locks: release all of %q: %w", owner, err)
	}
	return n, nil
}

func (d databaseStore) countStale(ctx context.Context) (n int, err error) {
	err = d.database.Read(ctx, func(ctx context.Context, s statements.Session) error {
		return s.Query(ctx, `SELECT count(*) FROM locks WHERE owner <> '' AND expires_at <= `+s.Now(), nil,
			func(row statements.Row) error { return row.Scan(&n) })
	})
	if err != nil {
		return 0, fmt.Errorf("locks: count stale ones: %w", err)
	}
	return n, nil
}

func (d databaseStore) find(ctx context.Context, r Resource) (l Lock, held bool, err error) {
	err = d.database.Read(ctx, func(ctx context.Context, s statements.Session) error {
		l, held, err = read(ctx, s, r)
		return err
	})
	if err != nil {
		return Lock{}, false, fmt.Errorf("locks: find %s: %w", r, err)
	}
	return l, held, nil
}

// read returns the last lock of a resource, and whether it is in force.
func read(ctx context.Context, s statements.Session, r Resource) (l Lock, held bool, err error) {
	l = Lock{Resource: r}
	err = s.Query(ctx, `SELECT owner, fence, acquired_at, expires_at, `+s.Now()+` FROM locks WHERE resource_type = ? AND resource_id = ?`,
		[]any{r.Type, r.ID}, func(row statements.Row) error {
			var acquired, expires, now int64
			if err := row.Scan(&l.Owner, &l.Fence, &acquired, &expires, &now); err != nil {
				return err
			}
			l.AcquiredAt = time.UnixMicro(acquired).UTC()
			if expires != 0 {
				l.ExpiresAt = time.UnixMicro(expires).UTC()
			}
			held = l.stands(time.UnixMicro(now))
			return nil
		})
	return l, held, err
}
