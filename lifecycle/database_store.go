package lifecycle

import (
	"context"
	"time"

	"github.com/jacquard-go/jacquard/lifecycle/internal/domain"
	"github.com/jacquard-go/jacquard/lifecycle/internal/engine"
	"github.com/jacquard-go/jacquard/lifecycle/internal/events"
)

// databaseStore is a store on a database, without a cache. The database makes every decision, in a
// statement or a transaction. The stores on SQLite and PostgreSQL add caches for reading and know
// how to close.
type databaseStore struct{ database engine.Database }

func (s *databaseStore) insertAction(ctx context.Context, a Action) error {
	return s.database.Statement(ctx, func(ctx context.Context, se session) error { return repositories(se).Actions.Insert(ctx, a) })
}

func (s *databaseStore) action(ctx context.Context, name Name) (a Action, err error) {
	err = s.database.Read(ctx, func(ctx context.Context, se session) error {
		a, err = repositories(se).Actions.Get(ctx, name)
		return err
	})
	return a, err
}

func (s *databaseStore) actions(ctx context.Context) (all []Action, err error) {
	err = s.database.Read(ctx, func(ctx context.Context, se session) error {
		all, err = repositories(se).Actions.List(ctx)
		return err
	})
	return all, err
}

func (s *databaseStore) archiveAction(ctx context.Context, name Name, at time.Time) (a Action, err error) {
	err = s.database.Write(ctx, func(ctx context.Context, se session) error {
		a, err = repositories(se).Actions.Archive(ctx, name, at)
		return err
	})
	return a, err
}

func (s *databaseStore) deleteAction(ctx context.Context, name Name) error {
	return s.database.Write(ctx, func(ctx context.Context, se session) error { return repositories(se).Actions.Delete(ctx, name) })
}

func (s *databaseStore) insertPlan(ctx context.Context, p Plan, of Action) (inserted Plan, err error) {
	err = s.database.Write(ctx, func(ctx context.Context, se session) error {
		r := repositories(se)
		used, err := r.Actions.Use(ctx, p.Action, p.CreatedAt)
		if err == nil && !domain.Like(used, of) {
			err = errRedefined
		}
		if err != nil {
			return err
		}
		inserted, err = r.Plans.Insert(ctx, p)
		return err
	})
	return inserted, err
}

func (s *databaseStore) plan(ctx context.Context, id string) (p Plan, err error) {
	err = s.database.Read(ctx, func(ctx context.Context, se session) error {
		p, err = repositories(se).Plans.Get(ctx, id)
		return err
	})
	return p, err
}

func (s *databaseStore) plans(ctx context.Context) (all []Plan, err error) {
	err = s.database.Read(ctx, func(ctx context.Context, se session) error {
		all, err = repositories(se).Plans.List(ctx)
		return err
	})
	return all, err
}

func (s *databaseStore) findPlans(ctx context.Context, f PlanFilter) (all []Plan, err error) {
	err = s.database.Read(ctx, func(ctx context.Context, se session) error {
		all, err = repositories(se).Plans.Find(ctx, f)
		return err
	})
	return all, err
}

func (s *databaseStore) swapPlan(ctx context.Context, next Plan, held, fence int64) (p Plan, swapped bool, err error) {
	err = s.database.Write(ctx, func(ctx context.Context, se session) error {
		p, swapped, err = repositories(se).under(fence).Plans.Swap(ctx, next, held)
		return err
	})
	return p, swapped, err
}

func (s *databaseStore) deletePlan(ctx context.Context, planID string, fence int64) (p Plan, err error) {
	err = s.database.Write(ctx, func(ctx context.Context, se session) error {
		p, err = repositories(se).under(fence).Plans.Delete(ctx, planID)
		return err
	})
	return p, err
}

func (s *databaseStore) startChangeset(ctx context.Context, planID, id string, at time.Time, fence int64) error {
	return s.database.Write(ctx, func(ctx context.Context, se session) error {
		return repositories(se).under(fence).Changesets.Start(ctx, planID, id, at)
	})
}

func (s *databaseStore) recordChange(ctx context.Context, planID string, entry Entry, fence int64) (id string, err error) {
	err = s.database.Write(ctx, func(ctx context.Context, se session) error {
		id, err = repositories(se).under(fence).Changesets.Record(ctx, planID, entry)
		return err
	})
	return id, err
}

func (s *databaseStore) finishChangeset(ctx context.Context, planID, id string, at time.Time, fence int64) error {
	return s.database.Write(ctx, func(ctx context.Context, se session) error {
		return repositories(se).under(fence).Changesets.Finish(ctx, planID, id, at)
	})
}

func (s *databaseStore) changesets(ctx context.Context, planID string) (all []Changeset, err error) {
	err = s.database.Read(ctx, func(ctx context.Context, se session) error {
		all, err = repositories(se).Changesets.List(ctx, planID)
		return err
	})
	return all, err
}

func (s *databaseStore) claimPlan(ctx context.Context, planID, holder string, ttl time.Duration) (c Claim, err error) {
	err = s.database.Write(ctx, func(ctx context.Context, se session) error {
		c, err = repositories(se).Plans.Claim(ctx, planID, holder, ttl)
		return err
	})
	return c, err
}

func (s *databaseStore) renewClaim(ctx context.Context, c Claim, ttl time.Duration) (renewed Claim, err error) {
	err = s.database.Write(ctx, func(ctx context.Context, se session) error {
		renewed, err = repositories(se).Plans.Renew(ctx, c, ttl)
		return err
	})
	return renewed, err
}

func (s *databaseStore) releaseClaim(ctx context.Context, c Claim) error {
	return s.database.Write(ctx, func(ctx context.Context, se session) error { return repositories(se).Plans.Release(ctx, c) })
}

func (s *databaseStore) events() events.Store { return events.Table{Database: s.database} }
