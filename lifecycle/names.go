package lifecycle

import "github.com/jacquard-go/jacquard/lifecycle/internal/domain"

// DefaultNamespace is the namespace of a name that gives none.
const DefaultNamespace = domain.DefaultNamespace

// Name is a normalised name, [server:]namespace/base. It is comparable, so it can be a map key, and
// two names are equal exactly if they name the same thing. The zero value is not a name. Server is
// empty for a name on this server; Namespace and Base are never empty in a parsed name.
//
// Its method String returns the normalised form, which [ParseName] reads back. MarshalText and
// UnmarshalText do the same for package encoding. IsZero reports whether it is the zero value.
type Name = domain.Name

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
// The error matches [ErrInvalid].
func ParseName(s string) (Name, error) { return domain.ParseName(s) }

// MaxText bounds the text of one call, in bytes over all its fields: of an action, a use, a
// transition or a change. A plan that grows through many calls then still fits into every database.
const MaxText = domain.MaxText
