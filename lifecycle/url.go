package lifecycle

import (
	"fmt"
	"path/filepath"
	"strings"
)

// memoryPath is how a database URL spells "in memory".
const memoryPath = ":memory:"

// databaseURL is a parsed and normalised database URL.
type databaseURL struct {
	scheme string // "sqlite"
	path   string // absolute and clean, or memoryPath
}

// parseURL reads a database URL. The form is the one the reports use:
//
//	sqlite:///relative/path.db   relative to the working directory
//	sqlite:////absolute/path.db
//	sqlite:///:memory:           also written sqlite://
//
// What follows the third slash is taken literally, without percent-decoding;
// options after a question mark are refused, because every database gets the
// same configuration. The error matches [ErrUnsupportedURL] or [ErrInvalid].
func parseURL(s string) (databaseURL, error) {
	scheme, rest, ok := strings.Cut(s, "://")
	if !ok || strings.ToLower(scheme) != "sqlite" {
		return databaseURL{}, fmt.Errorf("lifecycle: %w %q: want sqlite:///path, or sqlite:// for one in memory", ErrUnsupportedURL, s)
	}
	if err := checkText("URL", s); err != nil {
		return databaseURL{}, err
	}
	if rest == "" || rest == "/"+memoryPath {
		return databaseURL{scheme: "sqlite", path: memoryPath}, nil
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
	return databaseURL{scheme: "sqlite", path: absolute}, nil
}

// inMemory reports whether the database lives in this process only.
func (u databaseURL) inMemory() bool { return u.path == memoryPath }

// String returns the normalised URL, the same for every spelling of it.
func (u databaseURL) String() string {
	return u.scheme + ":///" + filepath.ToSlash(u.path)
}
