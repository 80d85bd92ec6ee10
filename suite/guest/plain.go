package guest

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/jacquard-go/jacquard/internal/child"
	"github.com/jacquard-go/jacquard/internal/engine"
	"github.com/jacquard-go/jacquard/internal/verdict"
	"github.com/jacquard-go/jacquard/suite/protocol"
)

// unfinished reports whether an item has not come to its end in a discovery run.
func (it *item) unfinished(e protocol.Event) bool {
	return e.Verdict == verdict.Unknown.String() && it.request.Mode == protocol.Discover && it.ends == 0
}

// doubtful reports whether an item has failed for what may be different under
// control only: how much was allocated; or, in a discovery run, anything at all: such as
// the functions that have called it, where there was nothing to choose and so no
// schedule made it fail; or how long another process took to answer.
func (it *item) doubtful(e protocol.Event) bool {
	if e.Verdict != verdict.Violated.String() || it.request.Mode == protocol.Replay || it.request.Mode == protocol.Confirm {
		return false
	}
	if allocates(e) {
		return true
	}
	if it.request.Mode != protocol.Discover {
		return false
	}
	return (!e.Concurrent || e.Depends) && !stuck(e.Kind)
}

// stuck reports whether a failure is that somebody waits for ever. Go test would wait
// as long.
func stuck(kind string) bool {
	return kind == string(engine.KindDeadlock) || kind == string(engine.KindLeak)
}

// refutable reports whether an item has failed though nobody was stopped for that, and
// a run without control may show that it does not: because somebody waits while others
// go on by timers for long; or because another process, or who else is outside, was too
// slow for a clock that nobody has to wait for.
func (it *item) refutable(e protocol.Event, r *verdict.Result) bool {
	return e.Verdict == verdict.Violated.String() && r.Failure != nil && r.Failure.Plain &&
		(strings.HasSuffix(e.Message, engine.ByTimers) || e.Depends && e.Kind != string(engine.KindRace)) &&
		(it.request.Mode == protocol.Discover || it.request.Mode == protocol.Explore)
}

// doubt is why the failure of a first schedule may be control's doing, if it has not failed
// without; "" if go test would most likely meet it too.
func (it *item) doubt(e protocol.Event, r *verdict.Result) string {
	switch why := scarce(r.Failure); {
	case why != "":
		return why
	case allocates(e), it.refutable(e, r), e.Depends && it.doubtful(e):
		return "it may go well without control"
	}
	return ""
}

// allocates reports whether an item looks at how much is allocated.
func allocates(e protocol.Event) bool { return slices.Contains(e.Outside, engine.MemoryStatistics) }

// decided is an item that is unfinished, as it ends without control.
func (it *item) decided(e protocol.Event) (event protocol.Event, output string) {
	ok, output := it.plainly(e.Kind)
	if it.plain.refused {
		e.Outside = append(e.Outside, "all of it")
		return it.untried(e), it.first
	}
	return it.uncontrolled(e, ok), output
}

// untried is what is said of an item that TestMain lets nobody run without control beside
// this process.
func (it *item) untried(e protocol.Event) protocol.Event {
	e = doubted(e, "it is not known whether it goes well without control ("+e.Reason+e.Message+"): a process was to show that, but "+it.plain.text)
	e.Refused, e.Concurrent = true, false
	return e
}

// settled is an item that is doubtful. If it fails without control too, what go
// test prints of a panic says it all.
func (it *item) settled(e protocol.Event, output string) (event protocol.Event, text string) {
	ok, text := it.plainly(e.Kind)
	switch {
	case it.plain.refused:
		return it.untried(e), output
	case ok:
		event = it.uncontrolled(e, ok)
		event.Concurrent = e.Concurrent && allocates(e) // a recorded execution does so more than others
		return event, text
	case e.Concurrent || e.Kind == string(engine.KindCheck):
		return e, output
	case e.Kind == string(engine.KindPanic), e.Kind == string(engine.KindFatal):
		e.Report = ""
	}
	return e, text
}

// needsOthers reports whether an item has failed by itself that goes well behind the other
// tests of its package, as go test runs it: in whatever schedule, and without control.
func (it *item) needsOthers(e protocol.Event, r *verdict.Result) bool {
	if !it.request.Went || e.Verdict != verdict.Violated.String() || r.Failure == nil || !r.Failure.Plain || r.Failure.Of == engine.KindRace || stuck(e.Kind) {
		return false
	}
	ok, _ := it.plainly(e.Kind)
	return !ok && !it.plain.refused
}

// besideOthers reports whether an item has failed by itself, with nothing to choose, that go
// test passes among the tests of this process: it may need those that are parallel to it.
func (it *item) besideOthers(e protocol.Event, r *verdict.Result) bool {
	if it.request.Mode != protocol.Discover || e.Verdict != verdict.Violated.String() || e.Concurrent || r.Failure == nil || r.Failure.Of == engine.KindRace {
		return false
	}
	if it.plainAll == "" {
		ctx, cancel := context.WithTimeout(it.ctx, min(it.share(), stuckTime))
		defer cancel()
		chosen, _ := it.wanted()
		_, text := it.ordinary(ctx, "-test.v=true", runFlag+chosen)
		it.plainAll = "\n" + text
	}
	return strings.Contains(it.plainAll, "\n--- PASS: "+it.name+" (")
}

// uncontrolled is an item of which is known only how it ended without control.
func (it *item) uncontrolled(e protocol.Event, ok bool) protocol.Event {
	why := e.Reason + e.Message
	e.Concurrent = false // there is no exploring it
	e.Outside = append(e.Outside, "all of it")
	if !ok {
		return it.failedPlainly(e)
	}
	e.Verdict, e.Reason = verdict.Unknown.String(), "it went well without control, and not under it: "+why
	e.Summary, e.Kind, e.Message, e.Report = e.Reason, "", "", ""
	e.Cause, e.Sites, e.Blame, e.Evidence = "", nil, "", ""
	return e
}

// ownWay runs an item that explores by itself, in a process of its own, for it
// cannot do so within an execution.
func (it *item) ownWay(e protocol.Event) (event protocol.Event, output string) {
	event = protocol.Event{Test: it.name, Own: true, Schedules: 1, Distinct: 1, Verdict: verdict.Unknown.String(), Spoilt: e.Spoilt}
	if it.request.Mode == protocol.Replay {
		event.Reason = "it explores by itself: see explore.Test for how its cards are replayed"
		return event, it.first
	}
	ok, output := it.plainly("")
	if it.plain.refused {
		event.Reason, event.Own = "", false
		return it.untried(event), it.first
	}
	if !ok {
		return it.failedPlainly(event), output
	}
	event.Verdict, event.Summary = verdict.Holds.String(), "it explores by itself"
	return event, output
}

// failedPlainly is an event of an item that has failed without control: what it has
// written says why.
func (it *item) failedPlainly(e protocol.Event) protocol.Event {
	e.Verdict, e.Kind, e.Message, e.Report = verdict.Violated.String(), string(engine.KindCheck), it.name+" failed without control", ""
	e.Cause, e.Sites, e.Blame, e.Evidence = "failed without control", nil, "", ""
	return e
}

// lastWord is what package testing says when all tests have been run.
var lastWord = regexp.MustCompile(`(?m)^\x16?(?:PASS|FAIL)\n\z`)

// How long an item may take without control if the request names no end, how long
// it may take at least, and how long its process then has for the stacks of its
// goroutines.
const (
	plainTime = 2 * time.Minute
	leastTime = 2 * time.Second
	lastTime  = 5 * time.Second
)

// plainly runs an item as go test does, in a process of its own. It has failed if
// it comes to no end: of what waits for ever under control, little time shows that.
// It may want what tests have in this process who never run again: listen at an
// address, or call there, or lock a file.
func (it *item) plainly(kind string) (ok bool, text string) {
	if it.plain == nil {
		most := it.share()
		if stuck(kind) || kind == string(engine.KindLivelock) {
			most = min(most, max(stuckTime, 20*it.took()))
		}
		ok, text, refused := it.withoutControl(most)
		it.plain = &plainRun{ok, text, refused}
	}
	return it.plain.ok, it.plain.text
}

// A plainRun is a run without control: whether it went well, and what it has written.
type plainRun struct {
	ok      bool
	text    string
	refused bool // by TestMain, before the item began; then text says how
}

// stuckTime is how long an item may take, at least, that does not end under control.
const stuckTime = 10 * time.Second

// alsoPlainly says of a failure for which nobody has to be stopped how the item ends
// without control, which is tried. A discovery run leaves that to the exploration that follows:
// what hangs takes long to try, and the discovery run may be ended meanwhile with nothing told.
func (it *item) alsoPlainly(kind engine.Kind) string {
	const first = "fails already in the default schedule, which preempts nobody"
	if it.request.Mode == protocol.Discover {
		return first
	}
	switch ok, text := it.plainly(string(kind)); {
	case it.plain.refused:
		return first
	case ok:
		return first + ", though not in a run without control"
	case kind == engine.KindRace && strings.Contains(text, "race detected during execution"):
		return first + "; go test -race fails it too, as a run without control has shown"
	}
	return first + "; go test fails it too, as a run without control has shown"
}

func (it *item) withoutControl(most time.Duration) (ok bool, text string, refused bool) {
	hungUp, err := letGo(it.place.opened)
	if err != nil {
		giveUp(err)
	}
	it.hungUp = hungUp
	ctx, cancel := context.WithTimeout(it.ctx, most)
	defer cancel()
	how, text := it.ordinary(ctx)
	good := well(how, text)
	switch {
	case ctx.Err() != nil:
		return false, fmt.Sprintf("%s\n%s came to no end within %v without control, which was its share of the time left\n", strings.TrimSuffix(lastWord.ReplaceAllString(text, ""), "\n"), it.name, most), false
	case how.State == nil:
		giveUp(how.Err)
	}
	if !good && !word.MatchString(text) {
		if none, said := it.ordinary(ctx, "-test.run="+protocol.NoTest); !none.OK() && !word.MatchString(said) && ctx.Err() == nil {
			return false, errRefused.Error() + ": " + none.String(), true
		}
	}
	return good, lastWord.ReplaceAllString(text, ""), false
}

// ordinary runs this program without control for the item, or as further flags say. It
// returns how that ended, and what was written.
func (it *item) ordinary(ctx context.Context, further ...string) (how child.Exit, text string) {
	cmd, err := it.process()
	if err != nil {
		giveUp(err)
	}
	cmd.Args, cmd.Env = append(cmd.Args, further...), without(cmd.Env, "GOMAXPROCS")
	written, err := scratch()
	if err != nil {
		giveUp(err)
	}
	defer written.Close()
	cmd.Stdout, cmd.Stderr = written, written
	p, err := child.Start(ctx, cmd, child.Options{Kin: true, Ask: func(error) os.Signal { return syscall.SIGQUIT }, Grace: lastTime})
	if err != nil {
		giveUp(err)
	}
	how = p.Wait()
	return how, (&output{file: written}).text()
}

// word is what package testing says when all tests have been run, whatever TestMain
// writes after it.
var word = regexp.MustCompile(`(?m)^\x16?(PASS|FAIL)$`)

// well reports whether the item went well. What package testing has said of it counts, and
// how its process ended only if it has said nothing: that is TestMain's doing, who may want
// all tests to have run, or end well whatever they say.
func well(how child.Exit, text string) bool {
	all := word.FindAllStringSubmatch(text, -1)
	if len(all) == 0 {
		return how.OK()
	}
	return all[len(all)-1][1] == "PASS"
}

// share is how long the item may take without control: half of the time that is left, or
// in a discovery run of what it may take in all, so that those after it have some, whatever
// becomes of it.
func (it *item) share() time.Duration {
	if it.request.End.IsZero() {
		return plainTime
	}
	left := it.request.End.Sub(realTime())
	if it.request.Mode == protocol.Discover {
		left = protocol.FirstTime(left)
	}
	return max(left/2, leastTime).Round(time.Millisecond)
}

// realTime is the time of the machine. Package time has another one in this process.
func realTime() time.Time {
	var now syscall.Timeval
	if err := syscall.Gettimeofday(&now); err != nil {
		giveUp(err)
	}
	return time.Unix(now.Unix())
}

// process is a new process of this program, for this item alone. It is an ordinary
// test unless told otherwise.
func (it *item) process() (*exec.Cmd, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, fmt.Errorf("to start this program again: %w", err)
	}
	cmd := exec.Command(self, it.flags()...)
	cmd.Dir = it.origin.dir // its TestMain does again what this one's has done
	cmd.Env = it.origin.env[:len(it.origin.env):len(it.origin.env)]
	return cmd, nil
}

// without is an environment without a variable.
func without(env []string, name string) (rest []string) {
	for _, entry := range env {
		if !strings.HasPrefix(entry, name+"=") {
			rest = append(rest, entry)
		}
	}
	return rest
}
