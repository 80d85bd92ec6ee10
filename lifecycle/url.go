package lifecycle

import (
	"fmt"
	"net/url"
	"path/filepath"
	"strings"

	"github.com/jackc/pgx/v5/pgxpool"
)

// The schemes of normalised database URLs.
const (
	schemeSQLite   = "sqlite"
	schemePostgres = "postgres"
)

// memoryPath is how a database URL spells "in memory".
const memoryPath = ":memory:"

// databaseURL is a parsed and normalised database URL.
type databaseURL struct {
	scheme string
	path   string // SQLite: absolute and clean, or memoryPath
	server string // PostgreSQL: the whole URL
}

// parseURL reads a database URL. The form is the one the reports use:
//
//	sqlite:///relative/path.db   relative to the working directory
//	sqlite:////absolute/path.db
//	sqlite:///:memory:           also written sqlite://
//	postgres://user@host:port/database?option=value   also postgresql://
//
// For SQLite, what follows the third slash is taken literally, without
// percent-decoding; options after a question mark are refused, because every
// database gets the same configuration. For PostgreSQL they are those of libpq,
// and pgxpool's. The error matches [ErrUnsupportedURL] or [ErrInvalid].
func parseURL(s string) (databaseURL, error) {
	if err := checkText("URL", s); err != nil {
		return databaseURL{}, err
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
	return databaseURL{}, fmt.Errorf("lifecycle: %w %q: want sqlite:///path, sqlite:// for one in memory, or postgres://host/database",
		ErrUnsupportedURL, shorten(s, 64))
}

func parseSQLiteURL(s, rest string) (databaseURL, error) {
	if rest == "" || rest == "/"+memoryPath {
		return databaseURL{scheme: schemeSQLite, path: memoryPath}, nil
	}
	path, ok := strings.CutPrefix(rest, "/")
	switch {
	case !ok:
		return databaseURL{}, invalid("URL", s, "names a host; want three slashes before the path")
	case strings.Contains(path, "?"):
		return databaseURL{}, invalid("URL", s, "has options; every database gets the same configuration")
	case path == "" || strings.HasSuffix(path, "/"):
		return databaseURL{}, invalid("URL", s, "has no file name")
	}
	absolute, err := filepath.Abs(filepath.FromSlash(path))
	if err != nil {
		return databaseURL{}, fmt.Errorf("lifecycle: database URL %q: %w", s, err)
	}
	return databaseURL{scheme: schemeSQLite, path: absolute}, nil
}

// parsePostgresURL has the driver check everything. What is refused is not
// repeated in the error, for it may hold a password.
func parsePostgresURL(s string) (databaseURL, error) {
	u, err := url.Parse(s)
	if err != nil {
		return databaseURL{}, invalid("URL", "postgres://…", "cannot be read as a URL")
	}
	u.Scheme = schemePostgres
	if _, err := pgxpool.ParseConfig(u.String()); err != nil {
		return databaseURL{}, invalid("URL", redact(u), "is refused by the driver: "+err.Error())
	}
	u.RawQuery = u.Query().Encode() // sorts the options
	return databaseURL{scheme: schemePostgres, server: u.String()}, nil
}

// inMemory reports whether the database lives in this process only.
func (u databaseURL) inMemory() bool { return u.path == memoryPath }

// String returns the normalised URL, the same for every spelling of it.
func (u databaseURL) String() string {
	if u.scheme == schemePostgres {
		return u.server
	}
	return u.scheme + ":///" + filepath.ToSlash(u.path)
}

// redacted is String without a password, for logs and errors.
func (u databaseURL) redacted() string {
	if u.scheme != schemePostgres {
		return u.String()
	}
	parsed, err := url.Parse(u.server)
	if err != nil {
		return schemePostgres + "://…"
	}
	return redact(parsed)
}

// redact returns a URL without the passwords that it holds.
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
