package timeline

// A Blame says whose bug a failure is, as far as that is known, and why in a sentence.
type Blame struct {
	Of  string // one of the values below; "" if it was not determined
	Why string
}

// Whose bug a failure can be. Undecided means that the known facts do not decide it.
const (
	OfCode        = "code"        // the code under test
	OfTest        = "test"        // such as one that sleeps until others are done
	OfEnvironment = "environment" // network, files, other processes
	Undecided     = "undecided"
)

// String returns both in one line.
func (b Blame) String() string {
	switch b.Of {
	case "":
		return ""
	case Undecided:
		return "undecided whose bug: " + b.Why
	}
	return "bug of the " + b.Of + ": " + b.Why
}
