// Package schema holds the tables of the plan service for each kind of database.
package schema

import (
	"context"
	"embed"

	"github.com/jacquard-go/jacquard/lifecycle/internal/databases"
	"github.com/jacquard-go/jacquard/lifecycle/internal/engine"
	"github.com/jacquard-go/jacquard/lifecycle/internal/postgres"
	"github.com/jacquard-go/jacquard/lifecycle/internal/sqlite"
)

// Migrations has a folder of migrations for each kind of database. A new migration is a new file
// with the next number, which becomes the newest version; a released file must not be changed.
//
//go:embed migrations
var Migrations embed.FS

// Newest is the number of the newest migration.
const Newest = 6

// SQLite returns the schema of a SQLite database.
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
