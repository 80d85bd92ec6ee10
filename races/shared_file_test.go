package races_test

import (
	"bytes"
	"database/sql"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/jacquard-go/jacquard/lifecycle"
	"github.com/jacquard-go/jacquard/races"
)

var update = flag.Bool("update", false, "make shared.db again")

// TestSharedFile creates the file that the races on a file of ours start from, with the current schema and service, and compares its
// content with shared.db. If they differ, run go test -update here.
func TestSharedFile(t *testing.T) {
	directory := t.TempDir()
	fresh := filepath.Join(directory, "fresh.db")
	makeSharedFile(t, fresh)
	if *update {
		small := filepath.Join(directory, "small.db")
		shrink(t, fresh, small)
		text, err := os.ReadFile(small)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile("shared.db", text, 0o644); err != nil {
			t.Fatal(err)
		}
		t.Log("wrote shared.db; this program still has the old one, run the tests again")
		return
	}
	committed := filepath.Join(directory, "committed.db")
	if err := os.WriteFile(committed, races.SharedFile, 0o600); err != nil {
		t.Fatal(err)
	}
	if got, want := dump(t, committed), dump(t, fresh); got != want {
		t.Errorf("shared.db is out of date, run go test -update here; it has\n%s\nwant\n%s", got, want)
	}
}

// makeSharedFile creates an action, four plans, a lock and a job, with a fixed clock and without randomness.
func makeSharedFile(t *testing.T, path string) {
	t.Helper()
	ctx := t.Context()
	service, err := lifecycle.Open(ctx, lifecycle.Config{
		URL:     "sqlite:///" + path,
		Clock:   func() time.Time { return time.Date(2025, 11, 20, 12, 0, 0, 0, time.UTC) },
		Entropy: ones{},
	})
	if err != nil {
		t.Fatal(err)
	}
	spec := lifecycle.ActionSpec{
		Name: "review", Description: "what the plans are made from", DefinitionOfDone: "the change is reviewed", Reusable: true,
		Actors: lifecycle.Actors{Strategy: "strategist", Execution: "executor"},
	}
	if _, err := service.CreateAction(ctx, spec); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{races.QueuedPlan, races.ExecutedPlan, races.ReadyPlan, races.BegunPlan} {
		if plan, err := service.UseAction(ctx, "review", lifecycle.UseOptions{}); err != nil || plan.ID != want {
			t.Fatalf("use the action: got plan %s, %v; want %s", plan.ID, err, want)
		}
	}
	lead(t, service, races.ExecutedPlan, toExecuted())
	lead(t, service, races.ReadyPlan, toReady())
	lead(t, service, races.BegunPlan, toReady()[:1])
	if err := service.Close(); err != nil {
		t.Fatal(err)
	}
	withDatabase(t, path, func(db *sql.DB) {
		if _, err := db.Exec(leases); err != nil {
			t.Fatal(err)
		}
	})
}

// leases creates an expired claim, an expired lock and a queued job, as the service and packages locks and jobs store them. All times are
// fixed, also those of events. The claim was valid when the plan was last moved.
const leases = `
UPDATE plans SET claim_fence = 1, claim_holder = 'worker A', claim_expires = 2, created_at = 1, updated_at = 1 WHERE plan_id = '` + races.BegunPlan + `';
INSERT INTO locks (resource_type, resource_id, owner, fence, acquired_at, expires_at)
VALUES ('project', '` + races.ExpiredResource + `', 'an owner who has gone', 1, 1, 2);
INSERT INTO jobs (job_id, kind, state, version, fence, attempt, attempts, cancelling, worker, lease_ends, run_after, message, created_at, updated_at)
VALUES ('01KAGJ5FG0040G2081040G2084', 'weave', 'queued', 1, 0, 0, 3, 0, '', 0, 1, '', 1, 1);
UPDATE events SET at = 1`

// ones is an endless source of one byte value.
type ones struct{}

func (ones) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = 1
	}
	return len(p), nil
}

// toReady returns the commands that move a new plan to execute/queued.
func toReady() []lifecycle.Command {
	return []lifecycle.Command{lifecycle.CommandStartStrategize, lifecycle.CommandCompleteStrategize, lifecycle.CommandExecutePlan}
}

// toExecuted returns the commands that move a new plan to execute/complete.
func toExecuted() []lifecycle.Command {
	return append(toReady(), lifecycle.CommandStartExecute, lifecycle.CommandCompleteExecute)
}

// lead applies commands to a plan.
func lead(t *testing.T, service *lifecycle.Service, id string, way []lifecycle.Command) {
	t.Helper()
	for _, command := range way {
		if _, err := service.Transition(t.Context(), lifecycle.Request{PlanID: id, Command: command}); err != nil {
			t.Fatal(err)
		}
	}
}

// shrink copies a database with the smallest page size of SQLite.
func shrink(t *testing.T, from, to string) {
	t.Helper()
	withDatabase(t, from, func(db *sql.DB) {
		for _, statement := range []string{"PRAGMA journal_mode = DELETE", "PRAGMA page_size = 512", "VACUUM INTO '" + to + "'"} {
			if _, err := db.Exec(statement); err != nil {
				t.Fatalf("%s: %v", statement, err)
			}
		}
	})
	withDatabase(t, to, func(db *sql.DB) {
		if _, err := db.Exec("PRAGMA journal_mode = WAL"); err != nil {
			t.Fatal(err)
		}
	})
}

func withDatabase(t *testing.T, path string, f func(*sql.DB)) {
	t.Helper()
	db, err := sql.Open("sqlite", "file:"+path)
	if err != nil {
		t.Fatal(err)
	}
	db.SetMaxOpenConns(1)
	f(db)
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
}

// dump prints the schema and every row of a database, without the time at which the schema was created.
func dump(t *testing.T, path string) string {
	t.Helper()
	var all bytes.Buffer
	withDatabase(t, path, func(db *sql.DB) {
		for _, table := range append(dumpQuery(t, db, &all, "SELECT name, sql FROM sqlite_schema WHERE sql <> '' ORDER BY name"), "pragma_user_version") {
			if table == "goose_db_version" {
				dumpQuery(t, db, &all, "SELECT id, version_id, is_applied FROM goose_db_version")
			} else if !strings.HasPrefix(table, "sqlite_") && !isIndex(t, db, table) {
				dumpQuery(t, db, &all, "SELECT * FROM "+table+" ORDER BY 1")
			}
		}
	})
	return all.String()
}

func isIndex(t *testing.T, db *sql.DB, name string) (is bool) {
	t.Helper()
	if err := db.QueryRow("SELECT EXISTS (SELECT 1 FROM sqlite_schema WHERE name = ? AND type <> 'table')", name).Scan(&is); err != nil {
		t.Fatal(err)
	}
	return is
}

// dumpQuery prints the rows of a query and returns their first columns.
func dumpQuery(t *testing.T, db *sql.DB, to *bytes.Buffer, query string) (first []string) {
	t.Helper()
	rows, err := db.Query(query)
	if err != nil {
		t.Fatalf("%s: %v", query, err)
	}
	defer func() { _ = rows.Close() }()
	columns, err := rows.Columns()
	if err != nil {
		t.Fatal(err)
	}
	fmt.Fprintln(to, query, columns)
	for rows.Next() {
		values, targets := make([]sql.NullString, len(columns)), make([]any, len(columns))
		for i := range values {
			targets[i] = &values[i]
		}
		if err := rows.Scan(targets...); err != nil {
			t.Fatal(err)
		}
		fmt.Fprintln(to, values)
		first = append(first, values[0].String)
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	return first
}
