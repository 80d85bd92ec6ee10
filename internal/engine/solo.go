package engine

import "github.com/jacquard-go/jacquard/internal/control"

// A goroutine goes solo while no other can run: there is nothing to choose, and its
// steps precede everything that others do later, since only this goroutine or the clock
// can wake them. A test may do millions of such operations before it starts another
// goroutine. Under [Config].Patient, those beyond soloMost in a row do not count as
// steps, and are not recorded; most of them run in slices.
//
// Beside a timer that is near, the clock may be chosen between the steps. So the count begins
// anew, a few times, unless the goroutine has waited for a timer lately, as one that lives by a
// ticker; beyond that no search makes a claim.
const (
	soloMost  = 5000
	soloNear  = 2    // times that the count begins anew
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
	return !ex.kept() && !ex.beside()
}

// beside reports whether a timer is near and the steps beside it can still be recorded.
func (ex *Execution) beside() bool {
	ns, ok := ex.Control.NextMoment()
	if !ok || ex.Stalls.Bound == 0 || ns > int64(ex.Stalls.Bound-ex.Stalls.Spent) {
		return false
	}
	if ex.timed == soloNear || ex.idle.rounds > 0 && ex.Made-ex.idle.made < soloMost {
		ex.Notes |= control.NoteAlone
		return false
	}
	ex.timed++
	ex.solos = 1
	return true
}

// kept reports whether the step that begins is recorded.
func (ex *Execution) kept() bool { return ex.solos <= soloMost }
