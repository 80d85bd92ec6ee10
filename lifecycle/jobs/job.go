package jobs

import "time"

// State is the state of a job.
type State string

// The states of a job. The last three are terminal.
const (
	Queued    State = "queued"
	Running   State = "running"
	Succeeded State = "succeeded"
	Failed    State = "failed"
	Cancelled State = "cancelled"
)

// Terminal reports whether a job in this state never changes again.
func (s State) Terminal() bool { return s == Succeeded || s == Failed || s == Cancelled }

// Job is a snapshot of a job. All times are the database's.
type Job struct {
	ID      string // a ULID: later ones are greater
	Kind    string
	Payload []byte
	State   State

	Attempt  int // how many attempts have begun, including the one under way
	Attempts int // how many attempts there may be

	Fence      int64     // how often it was claimed: the number of the last claim
	Worker     string    // the worker that runs it, or ran it last; empty if it was given back
	LeaseEnds  time.Time // of a running job
	Cancelling bool      // a running job that is to be cancelled

	RunAfter  time.Time // a queued job does not run before this
	Message   string    // the error of the last attempt, or why the job was cancelled
	Result    []byte    // of a job that succeeded
	CreatedAt time.Time
	UpdatedAt time.Time

	version int64 // incremented by each change
}

// claimable reports whether a claim can take a job.
func (j Job) claimable(now time.Time) bool {
	return j.State == Queued && !j.RunAfter.After(now) || j.State == Running && !j.LeaseEnds.After(now)
}

// claimed returns a claimable job after a claim: it runs, or, if its worker is lost and it may not
// run again, it is in a terminal state.
func (j Job) claimed(worker string, until time.Time) Job {
	switch {
	case j.State == Running && j.Cancelling:
		return j.ended(Cancelled, j.Message)
	case j.State == Running && j.Attempt >= j.Attempts:
		return j.ended(Failed, "worker "+j.Worker+" was not heard of in time")
	}
	j.State, j.Worker, j.LeaseEnds = Running, worker, until
	j.Attempt++
	j.Fence++
	return j
}

// ended returns a job in a terminal state. It keeps the name of its last worker.
func (j Job) ended(state State, message string) Job {
	j.State, j.Message, j.Cancelling, j.LeaseEnds = state, message, false, time.Time{}
	return j
}

// queuedAgain returns a job that waits for its next attempt.
func (j Job) queuedAgain(after time.Time) Job {
	j.State, j.LeaseEnds, j.RunAfter = Queued, time.Time{}, after
	return j
}

// refuse returns the error for a caller whose fence gives it no right to a job; nil if it has the right.
func (j Job) refuse(fence int64, now time.Time) error {
	if j.State == Running && j.Fence == fence && j.LeaseEnds.After(now) {
		return nil
	}
	return &LostError{j, fence}
}

// cancelled returns a job after a Cancel.
func (j Job) cancelled(reason string, now time.Time) Job {
	if j.State == Running && j.LeaseEnds.After(now) {
		if !j.Cancelling {
			j.Cancelling, j.Message = true, reason
		}
		return j
	}
	return j.ended(Cancelled, reason)
}

// failed returns a job after a failed attempt.
func (j Job) failed(message string, again time.Time) Job {
	switch {
	case j.Cancelling:
		return j.ended(Cancelled, j.Message)
	case j.Attempt >= j.Attempts:
		return j.ended(Failed, message)
	}
	j.Message = message
	return j.queuedAgain(again)
}

// givenBack returns a job for another worker to run.
func (j Job) givenBack(now time.Time) Job {
	if j.Cancelling {
		return j.ended(Cancelled, j.Message)
	}
	j.Attempt--
	j.Worker = ""
	return j.queuedAgain(now)
}
