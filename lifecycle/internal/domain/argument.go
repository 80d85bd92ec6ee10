package domain

// ArgumentType says how the text of an argument's value is read.
type ArgumentType string

// The argument types.
const (
	ArgumentString  ArgumentType = "string"
	ArgumentInteger ArgumentType = "integer" // decimal, 64 bits
	ArgumentFloat   ArgumentType = "float"   // finite, 64 bits
	ArgumentBoolean ArgumentType = "boolean" // true or false
)

// maxPattern bounds a pattern, in bytes: the compiled pattern takes many times as much memory, and
// matching takes time in proportion to both pattern and value.
const maxPattern = 4096

// Argument declares one argument of an action. Values are text, as from a command line or a form,
// and are checked against the declaration when the action is used.
type Argument struct {
	Name        string       // unique in its action: letters, digits, hyphens, underscores
	Type        ArgumentType // empty means string
	Required    bool         // a use must give it, unless it has a default
	Description string
	Default     string   // the value when a use gives none; empty for no default
	Min, Max    *float64 // inclusive; of the number, or of a string's length in code points; nil for none
	Pattern     string   // regular expression (RE2) that the whole text matches, of at most 4096 bytes; empty for none
	Position    int      // from 1, unique in its action; 0 in all for the order given
}

func cloneBound(p *float64) *float64 {
	if p == nil {
		return nil
	}
	v := *p
	return &v
}
