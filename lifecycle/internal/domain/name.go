// Package domain defines actions, plans and changesets, and the rules for them: which input is
// refused, where a command leads, who may change what. It has no state and never blocks; every
// function depends only on its arguments. Package lifecycle re-exports its types.
package domain

import (
	"fmt"
	"strings"
)

// DefaultNamespace is the namespace of a name that gives none.
const DefaultNamespace = "local"

// maxNamePart bounds each part of a name, in bytes. The tracker gives no bound; this one keeps
// names within what every database can index.
const maxNamePart = 128

// Name is a normalised name, [server:]namespace/base. It is comparable, so it can be a map key, and
// two names are equal exactly if they name the same thing. The zero value is not a name.
type Name struct {
	Server    string // empty for a name on this server
	Namespace string // never empty in a parsed name
	Base      string // never empty in a parsed name
}

// ParseName reads a name of the form [[server:]namespace/]base. It splits at
// the first colon, then at the first slash; a missing namespace becomes
// [DefaultNamespace]; the result is in lower case. A namespace is made of
// ASCII letters, digits and hyphens, a base of these and underscores, a server
// of these and dots; each is at most 128 bytes long.
//
// The tracker contradicts itself about "server:base": its grammar forbids it, and its splitting
// rule would read it as server:local/base. It is refused here, because the default namespace means
// this server.
//
// The error matches [faults.ErrInvalid].
func ParseName(s string) (Name, error) {
	var n Name
	rest := s
	server, after, hasServer := strings.Cut(s, ":")
	if hasServer {
		n.Server, rest = lower(server), after
	}
	namespace, base, hasNamespace := strings.Cut(rest, "/")
	switch {
	case hasNamespace:
		n.Namespace, n.Base = lower(namespace), lower(base)
	case hasServer:
		return Name{}, invalid("name", s, "has a server and no namespace; want server:namespace/name")
	default:
		n.Namespace, n.Base = DefaultNamespace, lower(rest)
	}
	if hasServer && !isNamePart(n.Server, "-_.") {
		return Name{}, invalid("name", s, badPart("server", "letters, digits, hyphens, underscores and dots"))
	}
	if !isNamePart(n.Namespace, "-") {
		return Name{}, invalid("name", s, badPart("namespace", "letters, digits and hyphens"))
	}
	if !isNamePart(n.Base, "-_") {
		return Name{}, invalid("name", s, badPart("name", "letters, digits, hyphens and underscores"))
	}
	return n, nil
}

// lower is strings.ToLower for ASCII only. isNamePart refuses other letters, and some of them would
// become ASCII letters in lower case.
func lower(s string) string {
	return strings.Map(func(r rune) rune {
		if 'A' <= r && r <= 'Z' {
			return r + ('a' - 'A')
		}
		return r
	}, s)
}

func badPart(part, alphabet string) string {
	return fmt.Sprintf("has a bad %s; want 1 to %d %s", part, maxNamePart, alphabet)
}

// isNamePart reports whether s has a permitted length and consists of lower-case ASCII letters,
// digits and the characters in extra.
func isNamePart(s, extra string) bool {
	if s == "" || len(s) > maxNamePart {
		return false
	}
	for _, r := range s {
		letterOrDigit := 'a' <= r && r <= 'z' || '0' <= r && r <= '9'
		if !letterOrDigit && !strings.ContainsRune(extra, r) {
			return false
		}
	}
	return true
}

// String returns the normalised form, which [ParseName] reads back to n.
func (n Name) String() string {
	if n.Server == "" {
		return n.Namespace + "/" + n.Base
	}
	return n.Server + ":" + n.Namespace + "/" + n.Base
}

// IsZero reports whether n is the zero value.
func (n Name) IsZero() bool { return n == Name{} }

// MarshalText implements [encoding.TextMarshaler]: the form of [Name.String].
func (n Name) MarshalText() ([]byte, error) { return []byte(n.String()), nil }

// UnmarshalText implements [encoding.TextUnmarshaler] with [ParseName].
func (n *Name) UnmarshalText(text []byte) error {
	parsed, err := ParseName(string(text))
	if err != nil {
		return err
	}
	*n = parsed
	return nil
}
