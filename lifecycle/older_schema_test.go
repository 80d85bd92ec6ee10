package lifecycle_test

import (
	"context"
	"database/sql"
	"io/fs"
	"testing"

	_ "github.com/jackc/pgx/v5/stdlib"
	"github.com/pressly/goose/v3"

	"github.com/jacquard-go/jacquard/lifecycle"
	"github.com/jacquard-go/jacquard/lifecycle/internal/schema"
	"github.com/jacquard-go/jacquard/lifecycle/internal/storetest"
)

// A database of an older version of this program is migrated when it is opened,
// and keeps its content.
func TestOlderSchema(t *testing.T) {
	for name, old := range map[string]struct {
		url     string
		dialect goose.Dialect
		after   string
	}{
		"sqlite":   {storetest.FileURL(t), goose.DialectSQLite3, "PRAGMA user_version = 1"},
		"postgres": {storetest.PostgresURL(t), goose.DialectPostgres, "SELECT 1"},
	} {
		t.Run(name, func(t *testing.T) {
			ctx := context.Background()
			files, err := fs.Sub(schema.Migrations, "migrations/"+name)
			check(t, err)
			fill := func(db sqlDB) error {
				provider, err := goose.NewProvider(old.dialect, db, files, goose.WithDisableGlobalRegistry(true))
				check(t, err)
				_, err = provider.UpTo(ctx, 1)
				check(t, err)
				for _, statement := range []string{
					`INSERT INTO actions (name, state, uses, created_at, updated_at, document) VALUES ('local/build', 'available', 1, 0, 0, '{}')`,
					`INSERT INTO plans (plan_id, root_id, action_name, version, phase, state, created_at, updated_at, document)
						VALUES ('old', 'old', 'local/build', 2, 'strategize', 'processing', 0, 0, '{"name":"local/build"}')`,
					old.after,
				} {
					_, err := db.Exec(statement)
					check(t, err)
				}
				return nil
			}
			if name == "sqlite" {
				check(t, withSQL(old.url, fill))
			} else {
				db, err := sql.Open("pgx", old.url)
				check(t, err)
				check(t, fill(db))
				check(t, db.Close())
			}
			s := open(t, lifecycle.Config{URL: old.url})
			p, err := s.GetPlan(ctx, "old")
			check(t, err)
			if p.Version != 2 || p.Claim != (lifecycle.Claim{}) {
				t.Errorf("got version %d and claim %+v, want version 2 and none", p.Version, p.Claim)
			}
			c, err := s.Claim(ctx, "old", "A", 0)
			check(t, err)
			check(t, ignore(s.Transition(ctx, c.Request(lifecycle.CommandCompleteStrategize))))
			if e := take(t, s, 0, 1)[0]; e.PlanID != "old" || e.Version != 3 {
				t.Errorf("got %+v, want what has happened since", e)
			}
		})
	}
}
