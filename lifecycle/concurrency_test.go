package lifecycle_test

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"testing"

	"github.com/jacquard-go/jacquard/lifecycle"
	"github.com/jacquard-go/jacquard/lifecycle/internal/schema"
	"github.com/jacquard-go/jacquard/lifecycle/internal/storetest"
)

// N1: two units of work on one engine, and two engines on one file, migrate once.
func TestN1MigrationsRunOnce(t *testing.T) {
	ctx := context.Background()
	for range rounds(t) {
		url := storetest.FileURL(t)
		all := []*lifecycle.Engines{storetest.Engines(t), storetest.Engines(t)}
		errs := make([]error, 10)
		together(len(errs), func(i int) {
			_, errs[i] = lifecycle.NewUnitOfWork(all[i%2], url).Engine(ctx)
		})
		check(t, errors.Join(errs...))
		for _, engines := range all {
			check(t, engines.Close())
		}
		check(t, withSQL(url, func(db sqlDB) error {
			var applied, version int
			check(t, db.QueryRow("SELECT count(*) FROM goose_db_version WHERE version_id > 0").Scan(&applied))
			check(t, db.QueryRow("PRAGMA user_version").Scan(&version))
			if applied != schema.Newest || version != schema.Newest {
				t.Errorf("got %d migrations and a schema at %d, want %d", applied, version, schema.Newest)
			}
			return nil
		}))
	}
}

// Twenty goroutines get exact sums of an action's uses and a changeset's entries.
func TestExactSums(t *testing.T) {
	ctx := context.Background()
	const goroutines, each = 20, 10
	forEachStore(t, func(t *testing.T, s *lifecycle.Service) {
		c := s.ExecutionContext(newPlan(t, s).ID)
		_, err := c.StartChangeset(ctx)
		check(t, err)
		together(goroutines, func(i int) {
			for k := range each {
				if _, err := s.UseAction(ctx, "build", lifecycle.UseOptions{}); err != nil {
					t.Error(err)
				}
				if _, err := c.RecordChange(ctx, entry(fmt.Sprint(i, "/", k))); err != nil {
					t.Error(err)
				}
			}
		})
		a, err := s.GetAction(ctx, "build")
		if err != nil || a.Uses != 1+goroutines*each {
			t.Errorf("got %d uses, %v, want %d", a.Uses, err, 1+goroutines*each)
		}
		all, err := c.Changesets(ctx)
		if err != nil || len(all[0].Entries) != goroutines*each {
			t.Errorf("got %d entries, %v, want %d", len(all[0].Entries), err, goroutines*each)
		}
	})
}

// Of ten uses of an action that is not reusable one succeeds. After an action is
// archived no use succeeds.
func TestUseMeetsUseAndArchive(t *testing.T) {
	ctx := context.Background()
	forEachStore(t, func(t *testing.T, s *lifecycle.Service) {
		for round := range rounds(t) {
			once, many := spec(fmt.Sprint("once", round)), spec(fmt.Sprint("many", round))
			once.Reusable = false
			for _, a := range []lifecycle.ActionSpec{once, many} {
				_, err := s.CreateAction(ctx, a)
				check(t, err)
			}
			var onceUsed, manyUsed, archived atomic.Int64
			count := func(n *atomic.Int64, err error) {
				switch {
				case err == nil:
					n.Add(1)
				case !errors.Is(err, lifecycle.ErrArchived):
					t.Errorf("got %v, want ErrArchived", err)
				}
			}
			together(10, func(i int) {
				_, err := s.UseAction(ctx, once.Name, lifecycle.UseOptions{})
				count(&onceUsed, err)
				if i < 3 {
					_, err := s.ArchiveAction(ctx, many.Name)
					count(&archived, err)
					return
				}
				_, err = s.UseAction(ctx, many.Name, lifecycle.UseOptions{})
				count(&manyUsed, err)
			})
			a, err := s.GetAction(ctx, many.Name)
			if err != nil || onceUsed.Load() != 1 || archived.Load() != 1 || a.Uses != manyUsed.Load() {
				t.Errorf("got %d uses of once, %d archivings, %d of %d uses of many, %v",
					onceUsed.Load(), archived.Load(), a.Uses, manyUsed.Load(), err)
			}
		}
	})
}
