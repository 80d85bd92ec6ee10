// Package databases parses database URLs and classifies the errors of databases. It knows nothing
// of their contents.
package databases

import (
	"fmt"
	"net/url"
	"path/filepath"
	"strings"
	"unicode/utf8"

	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/jacquard-go/jacquard/lifecycle/internal/faults"
)

const schemePostgres = "postgres"

// InMemory is how a database URL spells "in memory".
const InMemory = ":memory:"

// URL is a parsed and normalised database URL.
type URL struct {
	Path   string // SQLite: absolute and clean, or InMemory
	Server string // PostgreSQL: the whole URL; empty for SQLite
}

// ParseURL reads a database URL. The form is the one the reports use:
//
//	sqlite:///relative/path.db   relative to the working directory
//	sqlite:////absolute/path.db
//	sqlite:///:memory:           also written sqlite://
//	postgres://user@host:port/database?option=value   also postgresql://
//
// For SQLite, what follows the third slash is taken literally, without
// percent-decoding; options after a question mark are refused, because every
// database gets the same configuration. For PostgreSQL they are those of libpq,
// and pgxpool's. The error matches [faults.ErrUnsupportedURL] or [faults.ErrInvalid].
func ParseURL(s string) (URL, error) {
	if faults.CheckText("URL", s) != nil {
		return URL{}, faults.Invalid("URL", beginning(s), "is not valid UTF-8 without NUL")
	}
	scheme, rest, _ := strings.Cut(s, "://")
	switch strings.ToLower(scheme) {
	case "sqlite":
		if len(scheme) != len(s) {
			return parseSQLiteURL(s, rest)
		}
	case "postgres", "postgresql":
		if len(scheme) != len(s) {
			return parsePostgresURL(s)
		}
	}
	return URL{}, fmt.Errorf("lifecycle: %w %q: want sqlite:///path, sqlite:// for one in memory, or postgres://host/database",
		faults.ErrUnsupportedURL, faults.Shorten(beginning(s), 64))
}

// beginning returns what errors quote of a string that is no database URL. What follows a colon, an equals sign or the
// like may be a password.
func beginning(s string) string {
	end := strings.IndexFunc(s, func(r rune) bool { return strings.ContainsRune(":=@ ", r) || r < ' ' || r == utf8.RuneError })
	if end < 0 {
		return s
	}
	return s[:end] + "…"
}

func parseSQLiteURL(s, rest string) (URL, error) {
	if rest == "" || rest == "/"+InMemory {
		return URL{Path: InMemory}, nil
	}
	path, ok := strings.CutPrefix(rest, "/")
	switch {
	case !ok:
		return URL{}, faults.Invalid("URL", s, "names a host; want three slashes before the path")
	case strings.Contains(path, "?"):
		return URL{}, faults.Invalid("URL", s, "has options; every database gets the same configuration")
	case path == "" || strings.HasSuffix(path, "/"):
		return URL{}, faults.Invalid("URL", s, "has no file name")
	}
	absolute, err := filepath.Abs(filepath.FromSlash(path))
	if err != nil {
		return URL{}, fmt.Errorf("lifecycle: database URL %q: %w", s, err)
	}
	return URL{Path: absolute}, nil
}

// parsePostgresURL lets the driver check the URL. The errors do not repeat the URL, which may hold
// a password.
func parsePostgresURL(s string) (URL, error) {
	u, err := url.Parse(s)
	if err != nil {
		return URL{}, faults.Invalid("URL", "postgres://…", "cannot be read as a URL")
	}
	u.Scheme = schemePostgres
	if _, err := pgxpool.ParseConfig(u.String()); err != nil {
		return URL{}, faults.Invalid("URL", redact(u), "is refused by the driver: "+err.Error())
	}
	u.RawQuery = u.Query().Encode() // sorts the options
	return URL{Server: u.String()}, nil
}

// InMemory reports whether the database lives in this process only.
func (u URL) InMemory() bool { return u.Path == InMemory }

// String returns the normalised URL, the same for every spelling of it.
func (u URL) String() string {
	if u.Server != "" {
		return u.Server
	}
	return "sqlite:///" + filepath.ToSlash(u.Path)
}

// Redacted is String without a password, for logs and errors.
func (u URL) Redacted() string {
	if u.Server == "" {
		return u.String()
	}
	parsed, err := url.Parse(u.Server)
	if err != nil {
		return schemePostgres + "://…"
	}
	return redact(parsed)
}

// redact formats a URL without the passwords that it holds.
func redact(u *url.URL) string {
	hidden, options := *u, u.Query()
	for _, name := range []string{"password", "sslpassword"} {
		if options.Has(name) {
			options.Set(name, "xxxxx")
			hidden.RawQuery = options.Encode()
		}
	}
	return hidden.Redacted()
}

// Failed wraps err, of this kind, with the name of the database; see [faults.In].
func (u URL) Failed(kind, err error) error { return faults.In(u.Redacted(), kind, err) }

// EngineClosed returns the error for calls on a closed engine.
func EngineClosed() error { return fmt.Errorf("lifecycle: database engine is %w", faults.ErrClosed) }
