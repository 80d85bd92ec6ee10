package soak

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/jacquard-go/jacquard/lifecycle/jobs"
)

// Owned summarizes claims, jobs and locks.
type Owned struct {
	Plans Turns `json:"plans"`
	Jobs  Turns `json:"jobs"`
	Locks Turns `json:"locks"`

	Submitted int `json:"submitted"` // jobs that are there at the end
	Succeeded int `json:"succeeded"` // of those
}

// Turns is how often something was got, and how.
type Turns struct {
	Got     int `json:"got"`
	Over    int `json:"over"`    // taken over from an owner that had not given it back
	Refused int `json:"refused"` // calls of callers that did not own it
}

// tenure has all calls about one thing that can be owned: a plan, a job or a lock. The only assumption about it is that
// its number grows with each new owner.
type tenure struct {
	name     string
	got      []*operation // acknowledged, by fence
	used     []*operation // what owners did with it, acknowledged or pending
	refused  []*operation
	evidence []evidence // by fence, the greatest first
	end      int64      // the number at the end
}

// evidence is an operation that shows that a number had been given by some time. In a tenure's list the time is the
// earliest known of this number or a greater one, and by is the operation that shows it.
type evidence struct {
	fence int64
	at    int64
	by    *operation
}

// tenures has the tenures of a history.
type tenures struct {
	h      *history
	byName map[string]*tenure
	made   map[string]*operation
}

// subject returns what a call about ownership is about, or "".
func (o *operation) subject() string {
	switch o.Kind {
	case ClaimPlan, RenewClaim, EndClaim, MergeChange:
		return "plan " + o.Subject
	case DoSubplan:
		if o.answer.Outcome != Held { // a refusal names a claim without a label
			return "subplan " + o.Subject
		}
	case MovePlan, StartChangeset, RecordChange:
		if o.Fence > 0 || o.answer.Outcome == Held {
			return "plan " + o.Subject
		}
	case ClaimJob:
		if o.answer.Outcome == OK {
			return "job " + o.answer.ID
		}
	case RenewJob, SucceedJob, FailJob:
		return "job " + o.Subject
	case AcquireLock, RenewLock, ReleaseLock:
		return "lock " + o.Subject
	}
	return ""
}

// gets reports whether calls of this kind acquire something.
func (k Kind) gets() bool {
	return k == ClaimPlan || k == ClaimJob || k == AcquireLock || k == DoSubplan
}

// ends reports whether calls of this kind give something back.
func (k Kind) ends() bool {
	return k == EndClaim || k == SucceedJob || k == FailJob || k == ReleaseLock
}

func newTenures(h *history) *tenures {
	t := &tenures{h, make(map[string]*tenure), h.byLabel()}
	for _, o := range h.operations {
		if name := o.subject(); name != "" {
			t.of(name).add(o)
		}
	}
	for id, c := range h.claims {
		t.of("plan " + id).end = c.Fence
		if x := t.byName["subplan "+id]; x != nil {
			x.end = c.Fence
		}
	}
	for _, j := range h.jobs {
		t.of("job " + j.ID).end = j.Fence
	}
	for id, l := range h.locks {
		t.of("lock " + id).end = l.Fence
	}
	for _, x := range t.byName {
		x.sort()
	}
	return t
}

func (t *tenures) of(name string) *tenure {
	if t.byName[name] == nil {
		t.byName[name] = &tenure{name: name}
	}
	return t.byName[name]
}

func (x *tenure) add(o *operation) {
	a := o.answer
	switch {
	case a.Outcome == Held:
		x.refused = append(x.refused, o)
		x.evidence = append(x.evidence, evidence{a.Fence, a.At, o})
	case a.Outcome == OK && o.Kind.gets():
		x.got = append(x.got, o)
		x.evidence = append(x.evidence, evidence{a.Fence, a.At, o})
	case !o.Kind.gets() && (a.Outcome == OK || a.Outcome.pending()):
		x.used = append(x.used, o)
	}
}

func (x *tenure) sort() {
	slices.SortStableFunc(x.got, func(a, b *operation) int { return cmp.Compare(a.answer.Fence, b.answer.Fence) })
	slices.SortStableFunc(x.evidence, func(a, b evidence) int { return cmp.Compare(b.fence, a.fence) })
	for i := 1; i < len(x.evidence); i++ {
		if e := &x.evidence[i]; e.at > x.evidence[i-1].at {
			e.at, e.by = x.evidence[i-1].at, x.evidence[i-1].by
		}
	}
}

// newer returns the operation that shows that a greater number had been given before a time, or nil.
func (x *tenure) newer(fence, before int64) *operation {
	n, _ := slices.BinarySearchFunc(x.evidence, fence, func(e evidence, fence int64) int { return cmp.Compare(fence, e.fence) })
	if n > 0 && x.evidence[n-1].at < before {
		return x.evidence[n-1].by
	}
	return nil
}

// turns checks that one caller at a time owns a thing, that the numbers grow with time and are not lost, and that, by the
// database's times, no owner begins before the previous one has ended or given it back.
func (t *tenures) turns() Check {
	c := Check{Name: "nobody gets what another has", Unit: "claim"}
	for _, name := range sortedKeys(t.byName) {
		x := t.byName[name]
		for i, o := range x.got {
			c.Count++
			fence := o.answer.Fence
			if other := x.newer(fence, o.call.At); other != nil {
				c.fail(t.h, fmt.Sprintf("%s: %s got it under %d when somebody had got it under a greater number", name, o.label(), fence), other, o)
			}
			if fence > x.end {
				c.fail(t.h, fmt.Sprintf("%s: %s got it under %d, and at the end the number is %d", name, o.label(), fence, x.end), o)
			}
			if o.answer.Holder != o.label() {
				c.fail(t.h, fmt.Sprintf("%s: %s got it under the name of %s", name, o.label(), o.answer.Holder), o)
			}
			if i == 0 {
				continue
			}
			before := x.got[i-1]
			switch end, known := x.lasted(before); {
			case before.answer.Fence == fence:
				c.fail(t.h, fmt.Sprintf("%s: two got it under %d", name, fence), before, o)
			case before.answer.Fence == fence-1 && known && o.answer.From < end:
				c.fail(t.h, fmt.Sprintf("%s: %s got it %d µs before %s was to lose it", name, o.label(), end-o.answer.From, before.label()), before, o)
			}
		}
	}
	return c
}

// lasted returns the end of an ownership according to the last renewal, by the database's clock. It is not known if the
// owner may have given the thing back.
func (x *tenure) lasted(got *operation) (until int64, known bool) {
	until = got.answer.Until
	for _, o := range x.used { // in the order of their calls
		if o.Fence != got.answer.Fence {
			continue
		}
		if o.Kind.ends() || o.answer.Outcome.pending() {
			return 0, false
		}
		if o.answer.Until != 0 {
			until = o.answer.Until
		}
	}
	return until, until != 0 && got.answer.From != 0
}

// late checks that no call was accepted from an owner that had lost its ownership: neither in the order of time, nor in
// the order in which the changes of a plan were committed.
func (t *tenures) late() Check {
	c := Check{Name: "nothing is accepted of a late holder", Unit: "call"}
	for _, name := range sortedKeys(t.byName) {
		x := t.byName[name]
		for _, o := range x.used {
			if o.Fence == 0 || o.answer.Outcome != OK {
				continue
			}
			c.Count++
			if other := x.newer(o.Fence, o.call.At); other != nil {
				c.fail(t.h, fmt.Sprintf("%s: %s, %s under %d, was accepted when somebody had got it under a greater number",
					name, o.label(), o.Kind, o.Fence), other, o)
			}
		}
	}
	for _, id := range sortedKeys(t.h.plans) {
		for _, order := range t.committed(t.h.plans[id]) {
			var last *operation
			for _, o := range order {
				if last != nil && o.Fence < last.Fence {
					c.fail(t.h, fmt.Sprintf("plan %s: %s under %d was committed after %s under %d", id, o.label(), o.Fence, last.label(), last.Fence), last, o)
				}
				last = o
			}
		}
	}
	return c
}

// committed returns what owners did to a plan, in the order of the commits: its changes with its changesets, and its
// transitions.
func (t *tenures) committed(p *planEnd) (orders [2][]*operation) {
	started := make(map[string]*operation)
	x := t.byName["plan "+p.ID]
	if x == nil {
		return orders
	}
	for _, o := range x.used {
		switch {
		case o.answer.Outcome != OK || o.Fence == 0:
		case o.Kind == StartChangeset:
			started[o.answer.ID] = o
		case o.Kind == MovePlan:
			orders[1] = append(orders[1], o)
		}
	}
	for _, set := range p.changesets {
		if o := started[set.ID]; o != nil {
			orders[0] = append(orders[0], o)
		}
		for _, label := range set.Entries {
			if o := t.made[label]; o != nil && o.Fence > 0 {
				orders[0] = append(orders[0], o)
			}
		}
	}
	slices.SortStableFunc(orders[1], func(a, b *operation) int { return cmp.Compare(a.answer.Plan.Version, b.answer.Plan.Version) })
	return orders
}

// named checks that a refused caller is told the owner: one that has got the thing, or may have.
func (t *tenures) named() Check {
	c := Check{Name: "who is refused is told who has it", Unit: "refusal"}
	for _, name := range sortedKeys(t.byName) {
		x := t.byName[name]
		for _, o := range x.refused {
			c.Count++
			a := o.answer
			if other := x.newer(a.Fence, o.call.At); other != nil {
				c.fail(t.h, fmt.Sprintf("%s: %s was told of %d, when somebody had got it under a greater number", name, o.label(), a.Fence), other, o)
			}
			if a.Holder == "" {
				continue // the thing was given back
			}
			by := t.made[a.Holder]
			switch {
			case by == nil || !by.Kind.gets() || by.call.At > a.At:
				c.fail(t.h, fmt.Sprintf("%s: %s was told that %q has it, who has not asked", name, o.label(), a.Holder), o)
			case by.answer.Outcome == OK && (by.subject() != name || by.answer.Fence != a.Fence),
				by.answer.Outcome != OK && !by.answer.Outcome.pending():
				c.fail(t.h, fmt.Sprintf("%s: %s was told that %s has it under %d, who has not got it", name, o.label(), a.Holder, a.Fence), by, o)
			}
		}
	}
	return c
}

// jobs checks that all submitted jobs are there and no others, and that each succeeds at most once, by its last owner.
func (t *tenures) jobs() Check {
	c := Check{Name: "no job is lost, and none succeeds twice", Unit: "job", Count: len(t.h.jobs)}
	there := make(map[string]bool)
	for _, j := range t.h.jobs {
		there[j.ID] = true
		by := t.made[string(j.Payload)]
		if by == nil || by.Kind != SubmitJob || by.answer.Outcome != OK && !by.answer.Outcome.pending() || by.answer.Outcome == OK && by.answer.ID != j.ID {
			c.fail(t.h, fmt.Sprintf("job %s is there, and nobody has submitted it", j.ID))
		}
		t.result(&c, j)
	}
	for _, o := range t.h.operations {
		if o.Kind == SubmitJob && o.answer.Outcome == OK && !there[o.answer.ID] {
			c.fail(t.h, fmt.Sprintf("job %s was submitted, and is not there", o.answer.ID), o)
		}
	}
	return c
}

// result checks the final state of a job.
func (t *tenures) result(c *Check, j jobs.Job) {
	var succeeded *operation
	for _, o := range t.of("job " + j.ID).used {
		if o.Kind != SucceedJob || o.answer.Outcome != OK {
			continue
		}
		if succeeded != nil {
			c.fail(t.h, fmt.Sprintf("job %s has succeeded twice", j.ID), succeeded, o)
		}
		succeeded = o
	}
	if succeeded != nil && j.State != jobs.Succeeded {
		c.fail(t.h, fmt.Sprintf("job %s has succeeded, and at the end it is %s", j.ID, j.State), succeeded)
	}
	if j.State != jobs.Succeeded {
		return
	}
	by := t.made[string(j.Result)]
	if by == nil || by.Kind != SucceedJob || by.Subject != j.ID || by.Fence != j.Fence || by.answer.Outcome != OK && !by.answer.Outcome.pending() {
		c.fail(t.h, fmt.Sprintf("job %s has the result %q, which nobody had a right to", j.ID, j.Result), t.of("job "+j.ID).got...)
	}
	if succeeded != nil && succeeded != by {
		c.fail(t.h, fmt.Sprintf("job %s has the result of %s, and that of %s was accepted", j.ID, j.Result, succeeded.label()), succeeded)
	}
}

// owned returns the summary.
func (t *tenures) owned() Owned {
	var sum Owned
	for _, x := range t.byName {
		turns := &sum.Locks
		switch {
		case strings.HasPrefix(x.name, "subplan "):
			continue // counted separately
		case strings.HasPrefix(x.name, "plan "):
			turns = &sum.Plans
		case strings.HasPrefix(x.name, "job "):
			turns = &sum.Jobs
		}
		back := make(map[int64]bool)
		for _, o := range x.used {
			back[o.Fence] = back[o.Fence] || o.Kind.ends()
		}
		for _, o := range x.got {
			turns.Got++
			if f := o.answer.Fence; f > 1 && !back[f-1] {
				turns.Over++
			}
		}
		turns.Refused += len(x.refused)
	}
	sum.Submitted = len(t.h.jobs)
	for _, j := range t.h.jobs {
		if j.State == jobs.Succeeded {
			sum.Succeeded++
		}
	}
	return sum
}
