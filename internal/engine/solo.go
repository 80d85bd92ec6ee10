package engine

// A goroutine goes solo while no other can run: there is nothing to choose, and
// what it does comes before all that others do later, since only it, or the
// clock, can wake them. A test may do millions of operations like that before it
// starts anybody. Where [Config].Patient says so, those beyond soloMost in a row
// do not count as steps, and are not kept; most of them are made in slices.
const (
	soloMost  = 5000
	soloBound = 20e6 // in a row; after them it is taken to go on for ever
)

// solo takes note of who can run next. It reports whether that one has gone solo
// for long.
func (ex *Execution) solo(runnable []uint32) bool {
	if !ex.Engine.Settings.Patient || len(runnable) != 1 || runnable[0] != ex.ran || ex.Returned() {
		ex.solos = 0
		return false
	}
	ex.solos++
	return !ex.kept()
}

// kept reports whether the step that begins is one to be kept.
func (ex *Execution) kept() bool { return ex.solos <= soloMost }
