package engine

// A goroutine goes solo while no other can run: there is nothing to choose, and its
// steps precede everything that others do later, since only this goroutine or the clock
// can wake them. A test may do millions of such operations before it starts another
// goroutine. Under [Config].Patient, those beyond soloMost in a row do not count as
// steps, and are not recorded; most of them run in slices.
const (
	soloMost  = 5000
	soloBound = 20e6 // operations in a row, after which the execution is taken to be endless
)

// solo records which tasks can run. It reports whether a single one has gone solo for
// long.
func (ex *Execution) solo(runnable []uint32) bool {
	if !ex.Engine.Settings.Patient || len(runnable) != 1 || runnable[0] != ex.ran || ex.Returned() {
		ex.solos = 0
		return false
	}
	ex.solos++
	return !ex.kept()
}

// kept reports whether the step that begins is recorded.
func (ex *Execution) kept() bool { return ex.solos <= soloMost }
