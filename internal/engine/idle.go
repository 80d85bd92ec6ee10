package engine

import (
	"time"

	"github.com/jacquard-go/jacquard/internal/control"
	"github.com/jacquard-go/jacquard/internal/source"
)

// Time that passes is no progress if it wakes nobody, or for ever the same who live by
// it. What the body waits for is then never done, though there are timers.

// How long others may live by timers before those that wait are stuck: for so many
// timers, and the time after which go test gives a test up; or for very many. Who waits
// is looked at each time that idleLook of them have fired.
const (
	idleRounds = 1000
	idleTime   = 10 * time.Minute
	idleMost   = 10_000
	idleLook   = 100
)

// ByTimers ends the message of a deadlock of which only such a bound is known.
const ByTimers = " can never go on: for long only goroutines that spin, or live by timers, have run"

// An idle is what an execution knows of the times at which nobody could run.
type idle struct {
	rounds int
	made   int    // decisions when time passed last
	still  int64  // since this instant it has woken nobody
	ran    []int  // by task: decisions when it had run last
	rests  []rest // by task
}

// A rest is since when a task has not run.
type rest struct {
	ran   int
	round int
	at    int64
}

// moved takes note that a task runs.
func (d *idle) moved(id uint32, made int) { d.ran[id] = made }

// hangs takes note that nobody can run and time is to pass. It reports whether that
// changes nothing for those whom the body waits for.
func (ex *Execution) hangs() bool {
	d, now := &ex.idle, ex.Control.Now()
	if d.rounds++; ex.Made != d.made || d.rounds == 1 {
		d.made, d.still = ex.Made, now
	} else if longest, all := ex.Control.Tickers(); all && longest > 0 && now-d.still > 2*longest {
		return len(ex.Spins.resting) == 0 // each has fired, and woken nobody
	}
	if d.rounds%idleLook != 0 {
		return false
	}
	for i := 1; i <= ex.Control.Len(); i++ {
		if len(d.rests) <= i {
			d.rests = append(d.rests, make([]rest, i+1-len(d.rests))...)
		}
		if r := &d.rests[i]; r.round == 0 || r.ran != d.ran[i] {
			*r = rest{d.ran[i], d.rounds, now}
		}
	}
	return ex.starved(idleTime)
}

// starved makes it the verdict if the body, and what it waits for, has not run for
// long, though time has passed for others: at least so much of it.
func (ex *Execution) starved(least time.Duration) bool {
	d, now := &ex.idle, ex.Control.Now()
	if ex.Returned() {
		return false
	}
	var stuck []uint32
	for i, r := range d.rests {
		if i == 0 {
			continue
		}
		m := ex.Control.Task(i)
		rests := m.State == control.Blocked && r.ran == d.ran[i] && d.rounds-r.round >= idleRounds && (now-r.at >= int64(least) || d.rounds-r.round >= idleMost)
		switch {
		case rests && !m.Leftover():
			stuck = append(stuck, m.ID)
		case m.State != control.Exited && (i == 1 || ex.Engine.Settings.Runs(ex.starter(m))):
			return false // the body itself lives by timers
		}
	}
	if len(stuck) == 0 {
		return false
	}
	if ex.jam() {
		return true
	}
	ex.Out.Blocked = ex.Told(stuck)
	ex.Out.fail(KindDeadlock, ex.List(ex.Out.Blocked)+ByTimers)
	return true
}

// starter is the package whose go statement has started a task.
func (ex *Execution) starter(m *control.Task) string {
	for _, f := range source.Resolve([]uintptr{m.GoPC}) {
		return source.PackageOf(f.Function)
	}
	return ""
}
