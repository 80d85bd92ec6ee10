package lifecycle

import "github.com/jacquard-go/jacquard/lifecycle/internal/domain"

// DefaultNamespace is the namespace of a name that gives none.
const DefaultNamespace = domain.DefaultNamespace

// Name is a normalised name, [server:]namespace/base. It is comparable, so it
// can be a map key, and two names are equal exactly if they name the same
// thing. The zero value is no name. Server is empty for a name on this server;
// Namespace and Base are never empty in a parsed name.
//
// Its method String returns the normalised form, which [ParseName] reads back; so do
// MarshalText and UnmarshalText, those of package encoding. IsZero reports whether it
// is no name at all.
type Name = domain.Name

// ParseName reads a name of the form [[server:]namespace/]base. It splits at
// the first colon, then at the first slash; a missing namespace becomes
// [DefaultNamespace]; the result is in lower case. A namespace is made of
// ASCII letters, digits and hyphens, a base of these and underscores, a server
// of these and dots; each is at most 128 bytes long.
//
// The tracker is of two minds about "server:base": its grammar forbids it and
// its splitting rule would read it as server:local/base. It is refused here,
// because the default namespace means this server.
//
// The error matches [ErrInvalid].
func ParseName(s string) (Name, error) { return domain.ParseName(s) }

// MaxText is how many bytes of text one call may hand over, all its fields
// together: an action, the use of one, a transition, or a change. What a plan
// comes to in its life then has room in every database.
const MaxText = domain.MaxText
