package guest

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"github.com/jacquard-go/jacquard/internal/child"
	"github.com/jacquard-go/jacquard/internal/engine"
	"github.com/jacquard-go/jacquard/internal/verdict"
	"github.com/jacquard-go/jacquard/suite/protocol"
)

// confirmTime bounds the repetition of a failure, including the start of the process and TestMain.
const confirmTime = 90 * time.Second

// confirmed returns a failure if it happens again, by its card, in a process of its own. If it does
// not, the cause was not the schedule but what earlier schedules have left behind. If a schedule
// has only changed this process's state, the result of the other process counts. An observed data
// race counts even if its schedule does not repeat it. The output is that of the execution that
// counts. In a discovery run earlier tests may have left something behind; then exploring, in
// another process, decides.
func (it *item) confirmed(e protocol.Event, r *verdict.Result) protocol.Event {
	switch {
	case r.Suspect != "" && r.Failure == nil:
		again, err := it.asMet(e, r)
		if conclusive(again, err) {
			return again
		}
		if err != nil {
			e = doubted(e, "a schedule failed, but could not be tried in a process of its own: "+err.Error())
			e.Spoilt, e.Refused, e.Card = true, alone(err), r.Suspect
			return e
		}
		return it.further(e, r)
	case e.Verdict != verdict.Violated.String() || r.Failure.Card == "" || it.request.Mode == protocol.Discover && !e.Concurrent:
		return e
	}
	if why := scarce(r.Failure); why != "" && it.request.Mode == protocol.Explore {
		e = it.further(doubted(e, e.Message+", but "+why), r)
		e.Files = true
		return e
	}
	again, err := it.again(protocol.Replay, e.Card)
	if err == nil && again.Verdict == e.Verdict && again.Kind == e.Kind {
		return e
	}
	if r.Failure.Of == engine.KindRace {
		r.Failure.Card = ""
		raced := it.told(r)
		raced.Output = e.Output
		return raced
	}
	if alone(err) {
		spoilt, card := e.Spoilt, e.Card
		e = doubted(e, e.Message+", but nobody could try that in a process of its own: "+err.Error())
		e.Spoilt, e.Refused, e.Card = spoilt, true, card
		return e
	}
	why := again.Reason
	switch {
	case err != nil:
		why = err.Error()
	case again.Kind != "":
		why = again.Message
	}
	const other = "%s, but not by the same schedule in a process of its own, as if earlier %s had left something behind: %s"
	if it.request.Mode == protocol.Discover {
		spoilt := e.Spoilt
		e = doubted(e, fmt.Sprintf(other, e.Message, "tests", why))
		e.Spoilt = spoilt
		return e
	}
	// The failure itself may have left behind what made each shorter schedule fail.
	if met, err := it.asMet(e, r); conclusive(met, err) {
		return met
	}
	return it.further(doubted(e, fmt.Sprintf(other, e.Message, "schedules", why)), r)
}

// asMet replays, in a process of its own, the schedule that failed here, unreduced.
func (it *item) asMet(e protocol.Event, r *verdict.Result) (protocol.Event, error) {
	again, err := it.again(protocol.Confirm, r.Suspect)
	if err == nil && again.Verdict == verdict.Unknown.String() && again.Card != "" {
		again, err = it.again(protocol.Confirm, again.Card) // it failed too, but as a process's first execution goes
	}
	again.Schedules, again.Distinct, again.Points, again.Outside, again.Leaked = e.Schedules, e.Distinct, e.Points, e.Outside, e.Leaked
	again.Concurrent, again.Strategy, again.Replayed, again.Spoilt = e.Concurrent, e.Strategy, "", true
	return again, err
}

// conclusive reports whether a process in which a failure was repeated tells what to think of it.
func conclusive(again protocol.Event, err error) bool {
	return err == nil && (again.Verdict == verdict.Violated.String() || again.Refuted)
}

// lacking returns the system resource that a failure says is exhausted; "" if it names none, or if
// the test made no system calls. A process of its own confirms such a failure too, because this
// process still holds what it took, and some resources are counted per user or machine.
func lacking(f *verdict.Failure) string {
	if !f.Calls {
		return ""
	}
	return verdict.Says(f, syscall.EMFILE.Error(), syscall.ENOSPC.Error(), syscall.ENOMEM.Error(), syscall.EADDRINUSE.Error(), syscall.EADDRNOTAVAIL.Error())
}

// scarce returns the reason why a failure may be due to an exhausted resource, or "".
func scarce(f *verdict.Failure) string {
	if lack := lacking(f); lack != "" {
		return fmt.Sprintf("what the system has no more of (%s) earlier schedules may have taken, or other processes", lack)
	}
	return ""
}

// doubted returns the result for a failure from which nothing can be concluded.
func doubted(e protocol.Event, reason string) protocol.Event {
	return protocol.Event{
		Test: e.Test, Verdict: verdict.Unknown.String(), Reason: reason, Summary: reason, Concurrent: e.Concurrent,
		Schedules: e.Schedules, Distinct: e.Distinct, Points: e.Points, Outside: e.Outside, Leaked: e.Leaked, Output: e.Output,
	}
}

// further makes another process continue after a failure that was not the schedule's.
func (it *item) further(e protocol.Event, r *verdict.Result) protocol.Event {
	e.Bookmark, e.Again, e.Spoilt = r.Bookmark, len(r.Bookmark) > 0, true
	return e
}

// errRefused means that TestMain has not let another process run the test: it may need to be the
// only process, or the first.
var errRefused = errors.New("it ended before the test began (TestMain or an init function)")

// errApart means that another process would disturb this one, and this one that.
var errApart = errors.New("TestMain, or an init function, changes files, as it would in another process beside this one")

// alone reports whether an error means that no other process of the package can run beside this
// one.
func alone(err error) bool { return errors.Is(err, errRefused) || errors.Is(err, errApart) }

// again replays a card in a new process of this program.
func (it *item) again(mode protocol.Mode, card string) (protocol.Event, error) {
	if it.apart {
		return protocol.Event{}, errApart
	}
	dir, err := os.MkdirTemp(filepath.Dir(it.request.Events), "again-")
	if err != nil {
		return protocol.Event{}, err
	}
	defer os.RemoveAll(dir)
	q := *it.request
	q.Mode, q.Card, q.Turns, q.Bookmark, q.Output = mode, card, "", nil, ""
	if q.Temp != "" {
		q.Temp = filepath.Join(filepath.Dir(q.Temp), "2")
	}
	q.Events = filepath.Join(dir, "events")
	ctx, cancel := context.WithTimeout(it.ctx, confirmTime)
	defer cancel()
	cmd, err := it.asked(q, dir)
	if err != nil {
		return protocol.Event{}, err
	}
	p, err := child.Start(ctx, cmd, child.Options{Kin: true, Output: true})
	if err != nil {
		return protocol.Event{}, err
	}
	how := p.Wait()
	e, found := protocol.LastEvent(q.Events)
	switch {
	case found:
		return e, nil
	case ctx.Err() != nil:
		return e, fmt.Errorf("it did not end within %v", confirmTime)
	}
	if how.OK() {
		return e, errors.New("it has said nothing")
	}
	if told, err := os.Stat(q.Events); err != nil || told.Size() == 0 {
		return e, fmt.Errorf("%w: %v", errRefused, how)
	}
	return e, fmt.Errorf("it has said nothing: %v", how)
}

// flags returns the flags that this process was started with, for this item only.
func (it *item) flags() []string {
	chosen, rest := it.wanted()
	return append([]string{runFlag + protocol.Only(chosen, it.name)}, rest...)
}

const runFlag = "-test.run="

// wanted returns the pattern of the tests that this process was to run, and its other flags.
func (it *item) wanted() (chosen string, rest []string) {
	for _, arg := range it.origin.args[1:] {
		if pattern, ok := strings.CutPrefix(arg, runFlag); ok {
			chosen = pattern // the last one counts
		} else {
			rest = append(rest, arg)
		}
	}
	return chosen, rest
}
