// Package schema knows the tables of the plan service on each kind of database.
package schema

import (
	"context"
	"embed"

	"github.com/jacquard-go/jacquard/lifecycle/internal/databases"
	"github.com/jacquard-go/jacquard/lifecycle/internal/engine"
	"github.com/jacquard-go/jacquard/lifecycle/internal/postgres"
	"github.com/jacquard-go/jacquard/lifecycle/internal/sqlite"
)

// Migrations are those of each kind of database, each in a folder of that name. A new
// one is a new file with the next number, which is then the newest version; a file that
// has been released is never changed.
//
//go:embed migrations
var Migrations embed.FS

// Newest is the number of the newest migration.
const Newest = 6

// SQLite is what a SQLite database is migrated to.
func SQLite() engine.Schema { return of("sqlite") }

func of(kind string) engine.Schema {
	return engine.Schema{Files: Migrations, Folder: "migrations/" + kind, Newest: Newest}
}

// Open opens a database of either kind. It is an [engine.Opener].
func Open(ctx context.Context, u databases.URL, cfg engine.Config) (engine.Database, error) {
	if u.Server != "" {
		return postgres.Open(ctx, u, cfg, of("postgres"))
	}
	return sqlite.Open(ctx, u, cfg, SQLite())
}
