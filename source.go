// Package jacquard holds the source of what goes into other modules' test
// binaries, so that the command jacquard has it wherever it is installed. Users
// want the command, or package
// [github.com/jacquard-go/jacquard/explore].
package jacquard

import (
	"embed"
	"io/fs"
)

//go:embed internal/schedule/*.go
//go:embed internal/strategy/*.go
//go:embed internal/source/*.go
//go:embed internal/locks/*.go
//go:embed internal/racelog/*.go
//go:embed internal/engine/*.go
//go:embed internal/verdict/*.go
//go:embed internal/card/*.go
//go:embed internal/report/*.go internal/values/*.go
//go:embed internal/workers/*.go
//go:embed internal/search/*.go
//go:embed internal/child/*.go
//go:embed internal/control/*.go
//go:embed internal/coverage/*.go internal/coverage/collect/*.go
//go:embed internal/executable/*.go
//go:embed internal/system/*.go
//go:embed internal/timeline/*.go internal/timeline/assets
//go:embed suite/protocol/*.go suite/guest/*.go
var source embed.FS

// Source returns the files of package suite/guest and of all that it imports of
// this module, tests included, by path below the module's root.
func Source() fs.FS { return source }
