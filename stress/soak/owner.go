package soak

import (
	"context"
	"fmt"
	"math/rand/v2"
	"time"

	"github.com/jacquard-go/jacquard/lifecycle"
)

// owners is the number of goroutines of each process that claim plans and jobs, and get locks.
const owners = 2

// resources is the number of resources that can be locked.
const resources = 16

// token identifies what an owner has, has had, or believes it has.
type token struct {
	subject string
	holder  string
	fence   int64
}

// call returns a call about the token's subject, under the token.
func (t token) call(k Kind) call {
	return call{Kind: k, Subject: t.subject, Holder: t.holder, Fence: t.fence}
}

// owner has at most one plan, one job and one lock at a time, works on each in turn, and sometimes abandons one. One call
// of eight is made with a token that it had earlier, however late that is. It is not safe for concurrent use.
type owner struct {
	worker    *worker
	goroutine int
	rng       *rand.Rand

	has [3]token // by office; zero if it has nothing
	had [3][]token
}

// The offices.
const (
	plansOffice = iota
	jobsOffice
	locksOffice
)

func newOwner(w *worker, goroutine int, rng *rand.Rand) *owner {
	return &owner{worker: w, goroutine: goroutine, rng: rng}
}

// run makes calls until ctx ends. It does nothing while all processes read.
func (o *owner) run(ctx context.Context) error {
	for ctx.Err() == nil {
		if !quiet(clock()) {
			if err := o.act(); err != nil {
				return err
			}
		}
		timer := time.NewTimer(time.Duration(o.rng.Int64N(int64(lease / 5))))
		select {
		case <-timer.C:
		case <-ctx.Done():
			timer.Stop()
		}
	}
	return nil
}

// act makes a call.
func (o *owner) act() error {
	office := o.rng.IntN(len(o.has))
	t, had := o.has[office], o.had[office]
	if len(had) > 0 && o.rng.IntN(8) == 0 {
		t = had[o.rng.IntN(len(had))]
	} else if t.fence > 0 && o.rng.IntN(10) == 0 {
		o.leave(office)
		return nil
	}
	c := [...]func(token) call{plansOffice: o.aboutPlan, jobsOffice: o.aboutJob, locksOffice: o.aboutLock}[office](t)
	a, err := o.worker.do(o.goroutine, c)
	if err != nil {
		return err
	}
	o.settle(office, c, a)
	return nil
}

// leave abandons what the owner has in an office.
func (o *owner) leave(office int) {
	all := append(o.had[office], o.has[office])
	o.had[office], o.has[office] = all[max(0, len(all)-4):], token{}
}

// settle updates the tokens after a call.
func (o *owner) settle(office int, c call, a answer) {
	switch c.Kind {
	case ClaimPlan, ClaimJob, AcquireLock:
		if a.Outcome == OK {
			subject := c.Subject
			if c.Kind == ClaimJob {
				subject = a.ID
			}
			o.has[office] = token{subject, a.Holder, a.Fence}
		}
	case EndClaim, SucceedJob, FailJob, ReleaseLock:
		if c.Fence == o.has[office].fence && c.Subject == o.has[office].subject {
			o.leave(office)
		}
	}
	if a.Outcome == Finished {
		o.worker.knowledge.forgetOwned(c.Subject)
	}
	if t := o.has[office]; t.fence > 0 && t == (token{c.Subject, c.Holder, c.Fence}) && (a.Outcome == Held || a.Outcome == Finished) {
		o.leave(office)
	}
}

// aboutPlan claims a plan, or works on the one that is claimed.
func (o *owner) aboutPlan(t token) call {
	plan, ok := o.worker.knowledge.ownedPlan(o.rng)
	switch {
	case t.fence > 0:
	case !ok && o.rng.IntN(4) == 0:
		return call{Kind: CreateAction, Subject: ownedAction}
	case !ok:
		return call{Kind: UseAction, Subject: ownedAction}
	case o.rng.IntN(8) == 0: // without a claim
		return call{Kind: RecordChange, Subject: plan.ID}
	default:
		return call{Kind: ClaimPlan, Subject: plan.ID}
	}
	switch n := o.rng.IntN(20); {
	case n < 10:
		return t.call(RecordChange)
	case n < 13:
		return t.call(StartChangeset)
	case n < 15:
		return call{Kind: GetPlan, Subject: t.subject}
	case n < 17:
		return t.call(RenewClaim)
	case n < 18:
		return t.call(EndClaim)
	}
	c := t.call(MovePlan)
	c.Command = o.worker.knowledge.next(t.subject)
	return c
}

// aboutJob claims a job, or works on the one that is claimed.
func (o *owner) aboutJob(t token) call {
	switch n := o.rng.IntN(8); {
	case t.fence == 0 && n < 2:
		return call{Kind: SubmitJob}
	case t.fence == 0:
		return call{Kind: ClaimJob}
	case n < 4:
		return t.call(SucceedJob)
	case n < 5:
		return t.call(FailJob)
	}
	return t.call(RenewJob)
}

// aboutLock gets a lock, or renews or releases the one that the owner has.
func (o *owner) aboutLock(t token) call {
	switch {
	case t.fence == 0:
		return call{Kind: AcquireLock, Subject: fmt.Sprint("resource ", o.rng.IntN(resources))}
	case o.rng.IntN(3) == 0:
		return t.call(RenewLock)
	}
	return t.call(ReleaseLock)
}

// next returns the command that leads onward from the last known position of a plan.
func (k *knowledge) next(id string) lifecycle.Command {
	k.mu.Lock()
	defer k.mu.Unlock()
	for _, t := range lifecycle.Transitions() {
		if t.From.String() == k.plans[id].At && t.Command != lifecycle.CommandCancel {
			return t.Command
		}
	}
	return lifecycle.CommandStartStrategize // the plan is finished, or was not read yet
}
