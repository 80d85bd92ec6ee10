package timeline

// A Blame says whose bug a failure is, as far as that is known, and why in a sentence.
type Blame struct {
	Of  string // one of those below; "" if nobody has asked
	Why string
}

// Whose bug it can be. Where what is known does not decide it is Undecided.
const (
	OfCode        = "code"        // that is tested
	OfTest        = "test"        // such as one that sleeps until others are done
	OfEnvironment = "environment" // network, files, other processes
	Undecided     = "undecided"
)

// String is all of it in a line.
func (b Blame) String() string {
	switch b.Of {
	case "":
		return ""
	case Undecided:
		return "undecided whose bug: " + b.Why
	}
	return "bug of the " + b.Of + ": " + b.Why
}
