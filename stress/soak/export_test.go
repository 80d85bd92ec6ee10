package soak

import (
	"context"
	"time"

	"github.com/jacquard-go/jacquard/lifecycle"
	"github.com/jacquard-go/jacquard/lifecycle/jobs"
	"github.com/jacquard-go/jacquard/lifecycle/locks"
)

// Types for tests that write histories.
type (
	Call          = call
	Answer        = answer
	PlanView      = planView
	ActionView    = actionView
	ChangesetView = changesetView
)

// ViewPlan returns what a history records of a plan.
var ViewPlan = viewPlan

// Tale is a history that a test makes call by call on a service, with a clock that counts calls.
type Tale struct {
	s   Service
	h   *history
	now int64
}

// NewTale begins a history.
func NewTale(s Service) *Tale {
	return &Tale{s: s, h: &history{plans: make(map[string]*planEnd), actions: make(map[string]actionView)}}
}

// Told is an operation of a tale. A test may alter it.
type Told struct{ o *operation }

// Do makes a call in the name of a process, and records it.
func (t *Tale) Do(process int, c Call) *Told {
	o := t.tell(process, c)
	o.answer = perform(context.Background(), t.s, o.call, o.label())
	o.answer.At = t.tick()
	return &Told{o}
}

// Claim records a call with an answer, without making it.
func (t *Tale) Claim(process int, c Call, a Answer) *Told {
	o := t.tell(process, c)
	o.answer = a
	o.answer.At = t.tick()
	return &Told{o}
}

func (t *Tale) tell(process int, c Call) *operation {
	o := &operation{life: life{process, 1}, call: c}
	o.Number, o.call.At = int64(len(t.h.operations)+1), t.tick()
	t.h.operations = append(t.h.operations, o)
	return o
}

// tick advances the clock by a second and returns it.
func (t *Tale) tick() int64 {
	t.now += int64(time.Second)
	return t.now
}

// Now returns the clock's time.
func (t *Tale) Now() int64 { return t.now }

// Label returns the label that the effects of the operation carry.
func (x *Told) Label() string { return x.o.label() }

// Answer returns the operation's answer.
func (x *Told) Answer() *Answer { return &x.o.answer }

// Lasted sets when the operation was called and when it returned.
func (x *Told) Lasted(from, until int64) { x.o.call.At, x.o.answer.At = from, until }

// At returns when the operation was called and when it returned.
func (x *Told) At() (from, until int64) { return x.o.call.At, x.o.answer.At }

// Under sets the fence that the operation carries.
func (x *Told) Under(fence int64) { x.o.Fence = fence }

// Ends sets the final state: the fence of a plan's claim, all jobs, and the fence of a lock.
func (t *Tale) Ends(plan string, fence int64, all []jobs.Job, resource string, lock int64) {
	t.h.claims = map[string]lifecycle.Claim{plan: {Fence: fence}}
	t.h.jobs = all
	t.h.locks = map[string]locks.Lock{resource: {Fence: lock}}
}

// Member is the final state of a plan of a family. A change has its call's label, and in a parent also the merged one's.
type Member struct {
	ID, Name, At string
	Changes      [][2]string
}

// Family sets the final states of a parent that a call created, and of its subplans.
func (t *Tale) Family(made *Told, parent Member, subplans ...Member) {
	member := func(m Member) member {
		all := member{id: m.ID, name: m.Name, label: made.Label(), at: position(m.At)}
		for _, c := range m.Changes {
			all.changes = append(all.changes, merged{c[0], c[1]})
		}
		return all
	}
	f := &family{parent: member(parent)}
	for _, m := range subplans {
		f.subplans = append(f.subplans, member(m))
	}
	t.h.families = map[string]*family{parent.ID: f}
}

// CutOff turns the operation into one whose process was killed before it returned.
func (x *Told) CutOff() { x.o.answer = answer{Number: x.o.Number, At: never, Outcome: CutOff} }

// Judge reads the final state and checks the whole history.
func (t *Tale) Judge(maxAge time.Duration) *Report {
	t.tick()
	if err := t.h.readAll(context.Background(), t.s); err != nil {
		return &Report{Processing: []Problem{{What: err.Error()}}}
	}
	for _, o := range t.h.operations {
		if o.Process == parent {
			o.call.At, o.answer.At = t.tick(), t.tick()
		}
	}
	t.h.settled = t.now
	t.h.sort()
	cfg := Config{MaxAge: maxAge, CheckTime: time.Minute, Progress: func(string) {}}
	return judge(context.Background(), newFleet(cfg, "", ""), t.h)
}

// Counter is the counter that windows are computed from.
type Counter struct{ counter }

// Saw, Reached, Grew and Window call the counter's methods.
func (c *Counter) Saw(n int, from, until int64)     { c.saw(n, from, until) }
func (c *Counter) Reached(n int, from, until int64) { c.reached(n, from, until) }
func (c *Counter) Grew(from, until int64)           { c.grew(from, until) }
func (c *Counter) Window(n int) (from, until int64) { return c.window(n) }

// ReadJournal returns how many operations a journal has, and how many of them are pending.
func ReadJournal(dir string) (all, pending int, err error) {
	operations, _, err := readJournal(dir, life{1, 1})
	for _, o := range operations {
		if o.answer.Outcome.pending() {
			pending++
		}
	}
	return len(operations), pending, err
}

// JournalName is the file of the journal that ReadJournal reads.
func JournalName(dir string) string { return journalName(dir, life{1, 1}) }

// CheckHello checks the first output of a process that started at began.
func CheckHello(began int64, text string) error {
	h := helloReader{began: began}
	_, _ = h.Write([]byte(text)) // never fails
	return h.check()
}

// Clock is the shared clock.
var Clock = clock
