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

// unfinished reports whether an item did not end in a discovery run.
func (it *item) unfinished(e protocol.Event) bool {
	return e.Verdict == verdict.Unknown.String() && it.request.Mode == protocol.Discover && it.ends == 0
}

// doubtful reports whether an item's failure may occur only under control: because it depends on
// how much is allocated; or, in a discovery run, for any reason where no choice of a schedule made
// it fail, such as the functions that have called it, or the time that another process took to
// answer.
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

// stuck reports whether a failure is a goroutine that waits for ever. Go test would wait as long.
func stuck(kind string) bool {
	return kind == string(engine.KindDeadlock) || kind == string(engine.KindLeak)
}

// refutable reports whether an item has failed without any preemption, and a run without control
// may refute the failure: because a goroutine waits while others keep running by timers for long;
// because another process, or something else outside, was too slow for a clock that does not wait
// for it; or because each schedule fails, so that none is to blame: the date may be, or a clock that
// goes faster in a long execution.
func (it *item) refutable(e protocol.Event, r *verdict.Result) bool {
	return e.Verdict == verdict.Violated.String() && r.Failure != nil && r.Failure.Plain && it.request.Mode != protocol.Replay &&
		(strings.HasSuffix(e.Message, engine.ByTimers) || e.Kind != string(engine.KindRace) && (e.Depends || !verdict.TooLate(r.Failure) && it.unvaried(e, r)))
}

// unvaried reports whether all schedules fail in the same way, and a run without control can show
// whether control is the reason.
func (it *item) unvaried(e protocol.Event, r *verdict.Result) bool {
	return r.Failure.Always && !endless(e.Kind) && !it.plainly(e.Kind).refused
}

// questionable reports whether a failure is doubtful or refutable.
func (it *item) questionable(e protocol.Event, r *verdict.Result) bool {
	return it.doubtful(e) || it.refutable(e, r)
}

// doubt returns the reason why control may have caused the failure of a first schedule; "" if its
// choices may have. A run without control is to tell, and there may be no time for that.
func (it *item) doubt(e protocol.Event, r *verdict.Result) string {
	switch why := scarce(r.Failure); {
	case why != "":
		return why
	case it.questionable(e, r):
		return "it may pass without control"
	}
	return ""
}

// allocates reports whether an item reads how much is allocated.
func allocates(e protocol.Event) bool { return slices.Contains(e.Outside, engine.MemoryStatistics) }

// decided runs an unfinished item without control and returns that result.
func (it *item) decided(e protocol.Event) (event protocol.Event, output string) {
	run := it.plainly(e.Kind)
	switch {
	case run.refused:
		e.Outside = append(e.Outside, "all of it")
		return it.untried(e), it.first
	case run.endless != "":
		e.Reason += "; it " + run.endless
		return e, run.text
	}
	return it.uncontrolled(e, run.ok), run.text
}

// untried returns the result for an item that TestMain prevents from running without control beside
// this process.
func (it *item) untried(e protocol.Event) protocol.Event {
	e = doubted(e, "whether it passes without control is not known ("+e.Reason+e.Message+"): a process was to show that, but "+it.plain.text)
	e.Refused, e.Concurrent = true, false
	return e
}

// settled runs a doubtful item without control. If it panics there too, the output of go test
// replaces the report.
func (it *item) settled(e protocol.Event, output string) (event protocol.Event, shown string) {
	run := it.plainly(e.Kind)
	switch {
	case run.refused:
		return it.untried(e), output
	case run.ok:
		event = it.uncontrolled(e, true)
		event.Refuted = true
		event.Concurrent = e.Concurrent && allocates(e) // recording allocates more than an ordinary run
		return event, run.text
	case e.Concurrent || e.Kind == string(engine.KindCheck):
		return e, output
	case e.Kind == string(engine.KindPanic), e.Kind == string(engine.KindFatal):
		e.Report = ""
	}
	return e, run.text
}

// needsOthers reports whether an item that fails by itself, with and without control, went well
// after the other tests of its package, in the order of go test.
func (it *item) needsOthers(e protocol.Event, r *verdict.Result) bool {
	if !it.request.Went || e.Verdict != verdict.Violated.String() || r.Failure == nil || !r.Failure.Plain || r.Failure.Of == engine.KindRace || stuck(e.Kind) {
		return false
	}
	return it.plainly(e.Kind).fails(e.Kind)
}

// besideOthers reports whether an item with a single schedule has failed by itself, but go test
// passes it among the tests of this process: it may need those that are parallel to it.
func (it *item) besideOthers(e protocol.Event, r *verdict.Result) bool {
	if it.request.Mode != protocol.Discover || e.Verdict != verdict.Violated.String() || e.Concurrent || r.Failure == nil || r.Failure.Of == engine.KindRace {
		return false
	}
	if it.plainAll == "" {
		ctx, cancel := context.WithTimeout(it.ctx, min(it.share(), briefTime))
		defer cancel()
		chosen, _ := it.wanted()
		_, text := it.ordinary(ctx, "-test.v=true", runFlag+chosen)
		it.plainAll = "\n" + text
	}
	return strings.Contains(it.plainAll, "\n--- PASS: "+it.name+" (")
}

// uncontrolled returns the result for an item of which only its end without control is known.
func (it *item) uncontrolled(e protocol.Event, ok bool) protocol.Event {
	why := e.Reason + e.Message
	e.Concurrent = false // it cannot be explored
	e.Outside = append(e.Outside, "all of it")
	if !ok {
		return it.failedPlainly(e)
	}
	e.Verdict, e.Reason = verdict.Unknown.String(), "it passed without control, but not under it: "+why
	e.Summary, e.Kind, e.Message, e.Report = e.Reason, "", "", ""
	e.Cause, e.Sites, e.Blame, e.Evidence = "", nil, "", ""
	return e
}

// ownWay runs an item that explores by itself without control, in a process of its own, because it
// cannot explore inside an execution.
func (it *item) ownWay(e protocol.Event) (event protocol.Event, output string) {
	event = protocol.Event{Test: it.name, Own: true, Schedules: 1, Distinct: 1, Verdict: verdict.Unknown.String(), Spoilt: e.Spoilt}
	if it.request.Mode == protocol.Replay {
		event.Reason = "it explores by itself: see explore.Test for how its cards are replayed"
		return event, it.first
	}
	run := it.plainly("")
	switch {
	case run.refused:
		event.Own = false
		return it.untried(event), it.first
	case run.endless != "":
		event.Reason = "it explores by itself, and " + run.endless
	case !run.ok:
		event = it.failedPlainly(event)
	default:
		event.Verdict, event.Summary = verdict.Holds.String(), "it explores by itself"
	}
	return event, run.text
}

// failedPlainly returns the event of an item that has failed without control. Its output has the
// reason.
func (it *item) failedPlainly(e protocol.Event) protocol.Event {
	e.Verdict, e.Kind, e.Message, e.Report = verdict.Violated.String(), string(engine.KindCheck), it.name+" failed without control", ""
	e.Cause, e.Sites, e.Blame, e.Evidence = "failed without control", nil, "", ""
	return e
}

// loaded is when the process began.
var loaded = time.Now()

// lastWord matches the closing line of package testing.
var lastWord = regexp.MustCompile(`(?m)^\x16?(?:PASS|FAIL)\n\z`)

// The time that an item may take without control if the request has no end, the least that it gets,
// and the time that its process then has to write the stacks of its goroutines.
const (
	plainTime = 2 * time.Minute
	leastTime = 2 * time.Second
	lastTime  = 5 * time.Second
)

// plainly runs an item as go test does, in a process of its own. It is not ok if it does not end;
// for a failure that waits for ever under control, a short time is enough to see that. The item may
// need what earlier tests of this process hold, such as an address or a locked file.
func (it *item) plainly(kind string) *plainRun {
	if it.plain == nil {
		most := it.share()
		if it.hangs(kind) {
			most = it.brief(briefTime)
		}
		it.plain = it.withoutControl(most)
	}
	return it.plain
}

// A plainRun is a run without control: whether it passed, and what it wrote.
type plainRun struct {
	ok      bool
	text    string
	refused bool   // by TestMain, before the item began; then text says how
	endless string // that it did not end in time, and in which; "" if it ended
}

// fails reports whether the run shows that go test fails the item too. One that ends under
// control may only have needed more time without it, where sleeping takes some.
func (p *plainRun) fails(kind string) bool {
	return !p.ok && !p.refused && (p.endless == "" || endless(kind))
}

// shows reports whether the run shows that go test has a failure of this kind too: what waits for
// ever under control may have failed otherwise there, and anything may for a data race.
func (p *plainRun) shows(kind string) bool {
	switch {
	case !p.fails(kind):
		return false
	case endless(kind):
		return p.endless != "" || strings.Contains(p.text, asleep)
	}
	return kind == string(engine.KindRace) || !strings.Contains(p.text, raced)
}

// What the runtime and package testing say of a deadlock and of a data race.
const (
	asleep = "all goroutines are asleep"
	raced  = "race detected during execution"
)

// hangs reports whether an item that fails in this way never ends: a check may fail in one that
// waits for ever after that.
func (it *item) hangs(kind string) bool {
	return endless(kind) || kind == string(engine.KindCheck) && it.ends == 0
}

// endless reports whether a failure of this kind is that an item does not end.
func endless(kind string) bool { return stuck(kind) || kind == string(engine.KindLivelock) }

// brief returns how long an item may take without control if little depends on it, or if it has not
// ended under control.
func (it *item) brief(least time.Duration) time.Duration {
	return min(it.share(), max(least, 20*it.took()))
}

// briefTime is the least of such a time, if there is that much.
const briefTime = 10 * time.Second

// alsoPlainly describes a failure of the default schedule by how the item ends without control, which
// it tries. A discovery run leaves that to the exploration that follows: an item that hangs takes long
// to try, and the discovery run could be ended before it has reported anything. What waits for ever and
// knows neither clock nor anything outside gets little more time than TestMain took.
func (it *item) alsoPlainly(r *verdict.Result) string {
	f, least := r.Failure, briefTime
	if stuck(string(f.Kind)) && !r.Timed && !r.Depends {
		least = min(least, leastTime+2*it.began.Sub(loaded).Round(time.Second))
	}
	kind, nobody := f.Kind, "which preempts nobody"
	if f.Quantum {
		nobody += " but goroutines that have run for long"
	}
	first := "fails already in the default schedule, " + nobody
	if f.Preemptions > 0 { // its cause is not that one's
		first = "the default schedule, " + nobody + ", fails in the same way"
	}
	if it.request.Mode == protocol.Discover {
		return first
	}
	run := it.plain
	if run == nil {
		if run = it.withoutControl(it.brief(least)); run.endless == "" || it.hangs(string(kind)) { // else what decides gets more time
			it.plain = run
		}
	}
	switch {
	case run.endless != "" && it.hangs(string(kind)) && !endless(string(kind)):
		return first + "; the test does not end after that, and without control it does not end either"
	case run.ok:
		return first + ", though not in a run without control"
	case !run.shows(string(kind)):
		return first
	case run.endless != "":
		return first + "; it " + run.endless
	case kind == engine.KindRace && strings.Contains(run.text, raced):
		return first + "; go test -race fails it too, as a run without control has shown"
	}
	return first + "; go test fails it too, as a run without control has shown"
}

func (it *item) withoutControl(most time.Duration) *plainRun {
	hungUp, err := letGo(it.place.opened)
	if err != nil {
		giveUp(err)
	}
	it.hungUp = hungUp
	within := fmt.Sprintf("%v without control", most.Round(time.Millisecond))
	if most >= it.share() {
		within += ", which was its share of the time left"
	}
	ctx, cancel := context.WithTimeout(it.ctx, most)
	defer cancel()
	how, text := it.ordinary(ctx)
	good := well(how, text)
	switch {
	case ctx.Err() != nil:
		endless := "came to no end within " + within
		text = strings.TrimSuffix(lastWord.ReplaceAllString(text, ""), "\n")
		return &plainRun{text: fmt.Sprintf("%s\n%s %s\n", text, it.name, endless), endless: endless}
	case how.State == nil:
		giveUp(how.Err)
	}
	if !good && !word.MatchString(text) {
		if none, said := it.ordinary(ctx, "-test.run="+protocol.NoTest); !none.OK() && !word.MatchString(said) && ctx.Err() == nil {
			return &plainRun{text: errRefused.Error() + ": " + none.String(), refused: true}
		}
	}
	return &plainRun{ok: good, text: lastWord.ReplaceAllString(text, "")}
}

// ordinary runs this program without control for the item, with further flags. It returns how that
// ended, and the output.
func (it *item) ordinary(ctx context.Context, further ...string) (how child.Exit, text string) {
	cmd, err := it.process()
	if err != nil {
		giveUp(err)
	}
	cmd.Args, cmd.Env = append(cmd.Args, further...), append(without(cmd.Env, "GOMAXPROCS"), protocol.LingerVar+"=1")
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

// word matches package testing's verdict on the whole run, whatever TestMain writes after it.
var word = regexp.MustCompile(`(?m)^\x16?(PASS|FAIL)$`)

// well reports whether the item passed. Package testing's verdict counts, and the exit status only
// without a verdict, because TestMain determines it: it may fail unless all tests have run, or
// succeed whatever their result.
func well(how child.Exit, text string) bool {
	all := word.FindAllStringSubmatch(text, -1)
	if len(all) == 0 {
		return how.OK()
	}
	return all[len(all)-1][1] == "PASS"
}

// share returns how long the item may take without control: half of the time that is left, or, in a
// discovery run, of what the item may take in all, so that time is left for the items after it in
// any case.
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

// realTime returns the machine's time. Package time has a virtual clock in this process.
func realTime() time.Time {
	var now syscall.Timeval
	if err := syscall.Gettimeofday(&now); err != nil {
		giveUp(err)
	}
	return time.Unix(now.Unix())
}

// process returns a new process of this program, for this item only. It is an ordinary test unless
// told otherwise.
func (it *item) process() (*exec.Cmd, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, fmt.Errorf("to start this program again: %w", err)
	}
	cmd := exec.Command(self, it.flags()...)
	cmd.Dir = it.origin.dir // its TestMain repeats what this one's has done
	cmd.Env = it.origin.env[:len(it.origin.env):len(it.origin.env)]
	return cmd, nil
}

// without returns an environment without one variable.
func without(env []string, name string) (rest []string) {
	for _, entry := range env {
		if !strings.HasPrefix(entry, name+"=") {
			rest = append(rest, entry)
		}
	}
	return rest
}
