package lifecycle

import (
	"embed"

	"github.com/jacquard-go/jacquard/lifecycle/internal/engine"
)

// The migrations of each kind of database. A new one is a new file with the
// next number, which is then the newest version; a file that has been released
// is never changed.
//
//go:embed migrations
var migrations embed.FS

// newestSchema is the number of the newest migration.
const newestSchema = 6

// schema is what a kind of database is migrated to.
func schema(kind string) engine.Schema {
	return engine.Schema{Files: migrations, Folder: "migrations/" + kind, Newest: newestSchema}
}
