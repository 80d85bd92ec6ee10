package engine

import (
	"time"

	"github.com/jacquard-go/jacquard/internal/control"
	"github.com/jacquard-go/jacquard/internal/source"
)

// Passing time is no progress if it wakes no task, or only tasks that live by timers for
// ever. What the body waits for then never happens, though there are timers.

// Bounds on how long others may live by timers before waiting tasks count as stuck:
// idleRounds timers and idleTime (after which go test gives up); or idleMost timers more
// than usual, or firstMost before the default schedule has shown what is usual; or dueMost if
// a timer that was set when a task began to wait has not fired by then: it may be the deadline
// that ends the wait. The waiting tasks are checked after every idleLook timers.
const (
	idleRounds = 1000
	idleTime   = 10 * time.Minute
	idleMost   = 10_000
	firstMost  = 100_000
	dueMost    = 500_000
	idleLook   = 100
)

// ByTimers ends the message of a deadlock that is known only by such a bound.
const ByTimers = " did not go on for a long time: only goroutines that spin, or live by timers, have run"

// An idle records the moments at which no task could run.
type idle struct {
	rounds int
	made   int    // value of Made when time last passed
	still  int64  // virtual time since which passing time has woken no task
	ran    []int  // by task: value of Made when it last ran
	rests  []rest // by task
}

// A rest says since when a task has not run, and when the last timer was due then.
type rest struct {
	ran, round int
	at, due    int64
}

// lasted reports whether the rest has lasted for the given time, or for very many timers.
// The default schedule has ended after usual operations, or not yet if that is 0.
func (r *rest) lasted(rounds int, now int64, least time.Duration, usual int) bool {
	most := firstMost
	if usual > 0 {
		most = min(idleMost+4*usual, dueMost)
	}
	if now < r.due {
		least, most = idleTime, dueMost
	}
	timers := rounds - r.round
	return timers >= idleRounds && (now-r.at >= int64(least) || timers >= most)
}

// moved records that a task runs.
func (d *idle) moved(id uint32, made int) { d.ran[id] = made }

// hangs records that no task can run and time must pass. It reports whether passing
// time will not help the tasks that the body waits for.
func (ex *Execution) hangs() bool {
	d, now := &ex.idle, ex.Control.Now()
	if d.rounds++; ex.Made != d.made || d.rounds == 1 {
		d.made, d.still = ex.Made, now
	} else if longest, last := ex.Control.Tickers(); last == 0 && longest > 0 && now-d.still > 2*longest {
		return len(ex.Spins.resting) == 0 // each ticker has fired, and woken no task
	}
	if d.rounds%idleLook != 0 {
		return false
	}
	_, last := ex.Control.Tickers()
	for i := 1; i <= ex.Control.Len(); i++ {
		if len(d.rests) <= i {
			d.rests = append(d.rests, make([]rest, i+1-len(d.rests))...)
		}
		if r := &d.rests[i]; r.round == 0 || r.ran != d.ran[i] {
			*r = rest{d.ran[i], d.rounds, now, last}
		}
	}
	return ex.starved(idleTime)
}

// starved fails the execution if the body, and what it waits for, has not run for long,
// though at least the given time has passed for others.
func (ex *Execution) starved(least time.Duration) bool {
	d, now := &ex.idle, ex.Control.Now()
	if ex.Returned() {
		return false
	}
	var stuck []uint32
	for i := 1; i < len(d.rests); i++ {
		r, m := &d.rests[i], ex.Control.Task(i)
		rests := m.State == control.Blocked && r.ran == d.ran[i] && r.lasted(d.rounds, now, least, ex.Engine.Usual) && !ex.Control.AwaitsTime(m.ID)
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

// starter returns the package of the go statement that started a task.
func (ex *Execution) starter(m *control.Task) string {
	for _, f := range source.Resolve([]uintptr{m.GoPC}) {
		return source.PackageOf(f.Function)
	}
	return ""
}
