package guarantees

// A Grade says how good an outcome is. Smaller is better.
type Grade int

// The grades.
const (
	Kept   Grade = iota // what the row asks for
	Partly              // less, but acceptable to some users
	Broken              // not what the row asks for, or not supported
	Fatal               // a caller waits for ever, or the process dies
)

// An Outcome is what a probe found.
type Outcome struct {
	Text  string
	Grade Grade
}

func kept(text string) Outcome   { return Outcome{text, Kept} }
func partly(text string) Outcome { return Outcome{text, Partly} }
func broken(text string) Outcome { return Outcome{text, Broken} }

// Outcomes that come up in many rows.
var (
	hangs   = Outcome{"hangs", Fatal}
	dies    = Outcome{"process dies", Fatal}
	missing = Outcome{"–", Broken} // there is no call for it
)
