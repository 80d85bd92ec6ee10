package litmus_test

import (
	"fmt"
	"slices"
	"strings"

	"github.com/jacquard-go/jacquard/internal/litmus"
	"github.com/jacquard-go/jacquard/internal/timeline"
)

// compare checks the rows of an operation against its result.
func (r *reader) compare(at ref) {
	rows, op, got := r.rows[at.task][at.op], r.op(at), r.result(at)
	switch op.Verb {
	case litmus.PlainLoad, litmus.PlainStore: // no points
		return
	}
	if len(rows) == 0 {
		if got != litmus.Never {
			r.say(nil, "%v: no row", op)
		}
		return
	}
	s := rows[len(rows)-1]
	if i := slices.IndexFunc(rows, blocked); got == litmus.Never && op.Verb == litmus.CondWait && i >= 0 && !strings.HasPrefix(s.Outcome, "woken") {
		s = rows[i] // a later row releases the lock
	}
	switch {
	case got == litmus.Never:
		if !blocked(s) {
			r.say(s, "did not return: %v", op)
		}
		return
	case blocked(s):
		r.say(s, "returned %d: %v", got, op)
		return
	case got == litmus.Panicked:
		if !strings.HasPrefix(s.Outcome, "panics") {
			r.say(s, "panicked: %v", op)
		}
		return
	case strings.Contains(s.Outcome, "panics"):
		r.say(s, "returned %d: %v", got, op)
	}
	switch kind := r.p.Objects[op.On].Kind; {
	case op.Verb == litmus.TryLock, op.Verb == litmus.TryRLock:
		r.tries(rows, got)
	case op.Verb == litmus.Select:
		r.channels(s, at)
	case op.Verb == litmus.TimerStop, op.Verb == litmus.TimerReset:
		r.want(s, strings.TrimPrefix(op.Verb.String(), "Timer"), fmt.Sprint("= ", got == 1))
	case onNothing(op):
	case kind == litmus.Int, kind == litmus.Word:
		r.atomics(s, at)
	case kind == litmus.Value:
		r.values(s, at)
	case kind == litmus.Chan:
		r.channels(s, at)
	}
	switch op.Verb {
	case litmus.Sleep:
		ms := 0
		if !scan(s.Outcome, "woken after %dms", &ms) || s.Op != "sleep" || ms < op.Arg {
			r.say(s, "want a sleep of %d ms", op.Arg)
		}
	case litmus.Start:
		if want := fmt.Sprint("task ", op.Arg); s.Op != "go" || s.Value != want {
			r.say(s, "want go %s", want)
		}
	}
}

func (r *reader) want(s *timeline.Step, op, value string) {
	if s.Op != op || s.Value != value {
		r.say(s, "want %s … %s", op, value)
	}
}

func (r *reader) atomics(s *timeline.Step, at ref) {
	op, got, arg := r.op(at), r.result(at), r.arg(at)
	equals := fmt.Sprint("= ", got)
	switch op.Verb {
	case litmus.Load, litmus.HighLoad:
		if r.p.Objects[op.On].Kind == litmus.Word && op.Verb == litmus.Load {
			var w uint64
			if !scan(s.Value, "= %d", &w) || int(w>>32)*10+int(uint32(w)) != got {
				r.say(s, "want the halves of %d", got)
			}
			return
		}
		r.want(s, "Load", equals)
	case litmus.Add, litmus.LowAdd:
		r.want(s, fmt.Sprintf("Add(%d)", arg), equals)
	case litmus.Count:
		if want := fmt.Sprintf("Add(%d)", arg); s.Op != want {
			r.say(s, "want %s", want)
		}
	case litmus.Swap:
		r.want(s, fmt.Sprintf("Swap(%d)", arg), equals)
	case litmus.And:
		r.want(s, "And", fmt.Sprintf("%d → %d", got, got&arg))
	case litmus.Or:
		r.want(s, "Or", fmt.Sprintf("%d → %d", got, got|arg))
	case litmus.Store, litmus.HighStore:
		if r.p.Objects[op.On].Kind == litmus.Word && op.Verb == litmus.Store {
			arg |= arg << 32
		}
		if to := fmt.Sprint(" → ", arg); s.Op != "Store" || !strings.HasSuffix(s.Value, to) {
			r.say(s, "want Store …%s", to)
		}
	case litmus.CAS:
		want := "= true"
		if got == 0 {
			want = "= false: it is "
		}
		if s.Op != fmt.Sprintf("CompareAndSwap(%d→%d)", op.Old, arg) || !strings.HasPrefix(s.Value, want) {
			r.say(s, "want %v, %s", op, want)
		}
	}
}

// values checks the values of an atomic.Value.
func (r *reader) values(s *timeline.Step, at ref) {
	op, got := r.op(at), r.result(at)
	switch op.Verb {
	case litmus.Load, litmus.Swap:
		want, verb := fmt.Sprint("= ", got), "Value.Load"
		if got == 0 {
			want = "= nil"
		}
		if op.Verb == litmus.Swap {
			verb = fmt.Sprintf("Value.Swap(%d)", r.arg(at))
		}
		r.want(s, verb, want)
	case litmus.Store:
		if to := fmt.Sprint(" → ", r.arg(at)); !strings.HasSuffix(s.Value, to) {
			r.say(s, "want …%s", to)
		}
	case litmus.CAS:
		if want := fmt.Sprint("= ", got == 1, ": "); !strings.HasPrefix(s.Value, want) {
			r.say(s, "want %s", want)
		}
	}
}

func (r *reader) tries(rows []*timeline.Step, got int) {
	want := fmt.Sprint("= ", got == 1)
	for i, s := range rows {
		if i == len(rows)-1 && s.Value != want || s.Value != "" && s.Value != want {
			r.say(s, "want %s", want)
		}
	}
}

func (r *reader) channels(s *timeline.Step, at ref) {
	op, got := r.op(at), r.result(at)
	verb, sends, notReady := "", false, ""
	switch op.Verb {
	case litmus.Len:
		r.want(s, "len", fmt.Sprint("= ", got))
		return
	case litmus.Close:
		r.want(s, "close", "")
		return
	case litmus.Send, litmus.TrySend:
		verb, sends, notReady = "send", true, "not sent: "
	case litmus.Recv, litmus.TryRecv:
		verb, notReady = "receive", "nothing to receive"
	case litmus.Select:
		switch got {
		case litmus.NotReady:
			r.want(s, "select: default", "")
			return
		case litmus.TimedOut:
			r.want(s, "select: receive", "")
			return
		}
		which := (got+50)/100 - 1
		c := op.Cases[which]
		got -= 100 * (which + 1)
		verb, sends, op.Arg = "select: receive", c.Send, c.Arg
		if sends {
			verb = "select: send"
		}
		if s.Object != "" {
			r.names[c.On][s.Object] = true
		}
	}
	if op.Verb == litmus.TrySend || op.Verb == litmus.TryRecv {
		verb = "try " + verb
	}
	value := fmt.Sprint("= ", got)
	if sends {
		value = fmt.Sprint("← ", op.Arg)
	}
	closed := strings.Contains(s.Outcome, "closed")
	switch {
	case got == litmus.NotReady:
		if s.Op != verb || !strings.HasPrefix(s.Outcome, notReady) || !sends && s.Value != "" {
			r.say(s, "want %s (%s)", verb, notReady)
		}
	case got == litmus.Closed:
		if s.Op != verb || s.Value != "" || !closed {
			r.say(s, "want %s (closed)", verb)
		}
	default:
		r.want(s, verb, value)
		if closed || strings.Contains(s.Outcome, "not ") {
			r.say(s, "want %s %s and no more", verb, value)
		}
	}
}
