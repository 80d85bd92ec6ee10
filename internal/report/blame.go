package report

import (
	"cmp"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/jacquard-go/jacquard/internal/engine"
	"github.com/jacquard-go/jacquard/internal/schedule"
	"github.com/jacquard-go/jacquard/internal/source"
	"github.com/jacquard-go/jacquard/internal/timeline"
	"github.com/jacquard-go/jacquard/internal/verdict"
)

// blame decides whose bug a failed test shows: of the code, the test, or the environment. No other
// function decides that. The verdict rests only on the recorded execution; where that also fits a
// bug elsewhere, the verdict is undecided.
func (p *picture) blame(f *verdict.Failure) timeline.Blame {
	for _, judge := range []func(*verdict.Failure) timeline.Blame{p.outerBlame, p.outputBlame, p.raceBlame, p.lockBlame, p.closeBlame, p.lateBlame, p.sectionBlame, p.sleepBlame, p.ownBlame, p.earlyBlame} {
		if b := judge(f); b.Of != "" {
			return b
		}
	}
	return undecided("%s", p.doubt(f))
}

func undecided(format string, args ...any) timeline.Blame {
	return timeline.Blame{Of: timeline.Undecided, Why: fmt.Sprintf(format, args...)}
}

func blamed(of, format string, args ...any) timeline.Blame {
	return timeline.Blame{Of: of, Why: fmt.Sprintf(format, args...)}
}

// A side says whose code a place belongs to.
type side int

const (
	elsewhere side = iota // another module, or a package that helps tests
	inTest
	inCode
)

// sideOf returns the side of a frame. Helper packages for tests are elsewhere.
func sideOf(at source.Frame) side {
	pkg := source.PackageOf(at.Function)
	name := path.Base(pkg)
	switch {
	case strings.HasSuffix(at.File, "_test.go"):
		return inTest
	case !source.InModule(pkg), strings.HasPrefix(name, "test"), strings.HasSuffix(name, "test"), strings.Contains(name, "mock"), strings.Contains(name, "fake"):
		return elsewhere
	}
	return inCode
}

func (e *event) side() side { return sideOf(e.Site.User) }

// synchronises reports whether a row is a lock, atomic or channel operation, or the like.
func (e *event) synchronises() bool {
	switch e.Site.Kind {
	case source.SiteLock, source.SiteRLock, source.SiteUnlock, source.SiteRUnlock, source.SiteAtomicRead, source.SiteAtomicWrite, source.SiteChannel, source.SiteDone:
		return !e.log && !e.Site.Self
	}
	return e.Site.Part() && !e.log
}

// callFrom returns the return address of the innermost call from one side on a row's stack, or 0
// if there is none, as from test files where the code under test has started the goroutine itself.
func (e *event) callFrom(on side) uintptr {
	for _, pc := range e.pcs {
		if slices.ContainsFunc(source.Whole(pc), func(f source.Frame) bool { return sideOf(f) == on }) {
			return pc
		}
	}
	return 0
}

// during reports whether a row belongs to the same call of the code under test as an earlier row of
// its goroutine: operations between two calls are the test's. A row at the same place, called
// in the same way, belongs to another iteration of a loop.
func (e *event) during(earlier *event) bool {
	call := earlier.callFrom(inTest)
	if again := slices.Equal(e.pcs, earlier.pcs); again || call == 0 {
		return !again && e.callFrom(inTest) == 0
	}
	return slices.Contains(e.pcs, call) || e.inlinedWith(earlier)
}

// inlinedWith reports whether two rows belong to one call from test files that the compiler has
// inlined there: the same function is called at the same line, and a later line of it runs.
func (e *event) inlinedWith(earlier *event) bool {
	called := func(e *event) (callee, caller source.Frame) {
		frames := source.Resolve(e.pcs)
		if i := slices.IndexFunc(frames, func(f source.Frame) bool { return sideOf(f) == inTest }); i > 0 {
			return frames[i-1], frames[i]
		}
		return source.Frame{}, source.Frame{}
	}
	into, from := called(earlier)
	again, there := called(e)
	return into.Function != "" && into.Function == again.Function && from == there && into.Line() < again.Line()
}

// places lists the source places of rows, each once.
func places(rows ...*event) string {
	var all []string
	for _, e := range rows {
		if at := source.Where(e.Site.User); at != "" && !slices.Contains(all, at) {
			all = append(all, at)
		}
	}
	return strings.Join(all, ", ")
}

// told returns the rows of the story, in order.
func (p *picture) told() []*event {
	return slices.SortedFunc(maps.Keys(p.story.marks), func(a, b *event) int { return a.index - b.index })
}

// all reports whether rows is not empty and all its rows are on one side.
func all(rows []*event, on side) bool {
	return len(rows) > 0 && !slices.ContainsFunc(rows, func(e *event) bool { return e.side() != on })
}

// strangers are error texts of the system for a problem outside the program. A missing file is not
// among them, because the program may have to create it.
var strangers = []string{
	"connection refused", "no such host", "network is unreachable", "no route to host", "address already in use",
	"read-only file system", "no space left on device", "too many open files", "executable file not found",
}

// outerBlame blames the environment if nothing runs concurrently and the test reports an error of the system.
func (p *picture) outerBlame(f *verdict.Failure) timeline.Blame {
	if slices.ContainsFunc(p.ex.Run, func(d schedule.Decision) bool { return d.Runnable > 1 || d.Ready > 1 }) {
		return timeline.Blame{}
	}
	if s := verdict.Says(f, strangers...); s != "" {
		return blamed(timeline.OfEnvironment, "nothing in it runs concurrently, and its message is one of the system: %s", s)
	}
	return timeline.Blame{}
}

// outputBlame is undecided for an example whose output lines may come in any order.
func (p *picture) outputBlame(f *verdict.Failure) timeline.Blame {
	if !strings.HasPrefix(f.Message, "its lines are in another order: ") {
		return timeline.Blame{}
	}
	return undecided("the example prints the lines that it wants in another order; whether the code under test should order them is not known")
}

// raceBlame decides by the places of the two accesses of a data race.
func (p *picture) raceBlame(f *verdict.Failure) timeline.Blame {
	if f.Of != engine.KindRace || len(p.ex.Out.Races) == 0 {
		return timeline.Blame{}
	}
	r := p.ex.Out.Races[0]
	one, other := accessFrame(r.Accesses[1]), accessFrame(r.Accesses[0])
	at := fmt.Sprintf("(%s, %s)", r.Accesses[1].Where, r.Accesses[0].Where)
	switch a, b := sideOf(one), sideOf(other); {
	case a == inTest && b == inTest && p.testAlone(r):
		return blamed(timeline.OfTest, "both accesses are in test files %s, and neither goroutine meets the code under test", at)
	case a == inTest && b == inTest:
		return undecided("both accesses are in test files %s, and the code under test may have been meant to order them", at)
	case a == inCode && b == inCode && p.synchronised(source.PackageOf(one.Function), source.PackageOf(other.Function)):
		return blamed(timeline.OfCode, "both accesses are in the code under test %s, which is made for several goroutines: it synchronises", at)
	case a == inCode && b == inCode:
		return undecided("both accesses are in the code under test %s, which synchronises nothing: whether several goroutines may use it at once is not known", at)
	}
	return undecided("the two accesses are not both in the code under test, nor both in test files %s", at)
}

// accessFrame returns the source place of an access.
func accessFrame(a engine.RaceAccess) source.Frame {
	if a.PC == 0 {
		return source.Frame{}
	}
	return source.ProgramFrame(a.PC)
}

// synchronised reports whether code of one of these packages synchronises in the execution.
func (p *picture) synchronised(pkgs ...string) bool {
	return slices.ContainsFunc(p.rec.events, func(e *event) bool {
		return e.synchronises() && e.side() == inCode && slices.Contains(pkgs, source.PackageOf(e.Site.User.Function))
	})
}

// testAlone reports whether the goroutines of a race run no operation of the code under test that
// others could notice.
func (p *picture) testAlone(r engine.RaceReport) bool {
	return len(p.rec.events) > 0 && !slices.ContainsFunc(p.rec.events, func(e *event) bool {
		name := p.ex.Name(e.task)
		ours := name == r.Accesses[0].Goroutine || name == r.Accesses[1].Goroutine
		return ours && e.beyondTest()
	})
}

// lockBlame judges a cycle of locks, each of which is taken, and the next one waited for, within
// one call of the code under test, or in test files, while no code is called.
func (p *picture) lockBlame(f *verdict.Failure) timeline.Blame {
	if f.Of != engine.KindDeadlock && f.Of != engine.KindLeak {
		return timeline.Blame{}
	}
	var rows []*event
	cycle, how := p.cycle(), "each goroutine takes one lock and waits for the next"
	if len(cycle) == 1 {
		how = "the goroutine takes a lock that it has taken already,"
	}
	for i, id := range cycle {
		e, wanted := p.rec.waiting[id], p.rec.waiting[cycle[(i+len(cycle)-1)%len(cycle)]]
		if rows = append(rows, e); wanted.queued { // behind this one, which need hold nothing
			how = "each lock of the cycle is taken, and the next one waited for,"
			continue
		}
		since := p.takenBy(id, wanted)
		if since == nil || since.side() != inTest && !e.during(since) {
			return timeline.Blame{}
		}
		rows = append(rows, since)
	}
	switch {
	case all(rows, inCode):
		return blamed(timeline.OfCode, "%s within one call of the code under test (%s)", how, places(rows...))
	case all(rows, inTest) && !slices.ContainsFunc(p.rec.events, (*event).beyondTest):
		return blamed(timeline.OfTest, "the locks are taken and waited for in test files (%s), and nothing else synchronises", places(rows...))
	}
	return timeline.Blame{}
}

// closeBlame blames code that closes a channel and then sends on it, or closes it twice.
func (p *picture) closeBlame(f *verdict.Failure) timeline.Blame {
	rows := p.told()
	if f.Of != engine.KindPanic || !strings.Contains(f.Message, "closed channel") || len(rows) < 2 || !all(rows, inCode) {
		return timeline.Blame{}
	}
	return blamed(timeline.OfCode, "the channel is closed, and used after that, in the code under test (%s)", places(rows...))
}

// lateBlame blames a test that does not wait for a goroutine that logs for it, if test files start
// the goroutine and no code under test is on its stack.
func (p *picture) lateBlame(f *verdict.Failure) timeline.Blame {
	rows := p.told()
	if !verdict.TooLate(f) || len(rows) != 1 {
		return timeline.Blame{}
	}
	e := rows[0]
	_, at := p.ex.Created(p.ex.Control.Task(int(e.task)))
	if sideOf(at) != inTest || e.callFrom(inCode) != 0 {
		return timeline.Blame{}
	}
	started := source.Where(at) // which is the place of go t.Fail() too
	return blamed(timeline.OfTest, "the goroutine is started (%s) and %s (%s) in test files, and the test does not wait for it", started, failsLate(f, "fails the test", "logs"), cmp.Or(places(e), started))
}

// sectionBlame blames the code if the only preemption is between two operations of one call of the
// code, which are those in the story.
func (p *picture) sectionBlame(f *verdict.Failure) timeline.Blame {
	rows := p.told()
	if f.Kind == engine.KindTiming || f.Plain || schedule.Preemptions(p.ex.Run) != 1 || !all(rows, inCode) || !p.interrupted(rows) {
		return timeline.Blame{}
	}
	return blamed(timeline.OfCode, "one goroutine is preempted, once, within one call of the code under test (%s)", places(rows...))
}

// interrupted reports whether a goroutine was stopped between two of these rows that belong to one
// call of the code.
func (p *picture) interrupted(rows []*event) bool {
	return slices.ContainsFunc(rows, func(e *event) bool {
		return slices.ContainsFunc(rows, func(earlier *event) bool {
			return earlier.index < e.index && earlier.task == e.task && earlier.side() == inCode && e.side() == inCode && e.during(earlier) && p.parted(earlier, e)
		})
	})
}

// sleepBlame blames a test that fails only with a delayed goroutine if all waiting for time is in
// the test.
func (p *picture) sleepBlame(f *verdict.Failure) timeline.Blame {
	if f.Kind != engine.KindTiming || f.Of != engine.KindCheck || !strings.Contains(f.Message, "_test.go:") || p.interrupted(p.told()) {
		return timeline.Blame{}
	}
	sleeps, others := p.sleeps()
	if len(sleeps) == 0 || len(others) > 0 {
		return timeline.Blame{}
	}
	return blamed(timeline.OfTest, "it fails only where %s, and all that waits for time is in the test (%s)", p.ex.HeldUp(), places(sleeps...))
}

// sleeps returns the rows that waited for time before the failure: those in the test, and the
// others.
func (p *picture) sleeps() (tests, others []*event) {
	for _, e := range p.untilEnd() {
		switch {
		case !e.timed:
		case e.verb != timerFires && e.side() == inTest:
			tests = append(tests, e)
		default:
			others = append(others, e)
		}
	}
	return tests, others
}

// ownBlame blames the test if the story is an order of operations in test files, and no other code
// synchronises.
func (p *picture) ownBlame(f *verdict.Failure) timeline.Blame {
	rows := p.told()
	if len(rows) < 2 || !all(rows, inTest) || f.Of == engine.KindDeadlock || f.Of == engine.KindLeak || slices.ContainsFunc(p.rec.events, (*event).beyondTest) {
		return timeline.Blame{}
	}
	but := ""
	if slices.ContainsFunc(p.rec.events, func(e *event) bool {
		return e.synchronises() && e.ofStandard() && source.PackageOf(e.Site.User.Function) != "testing"
	}) {
		but = " but that of the standard library"
	}
	return blamed(timeline.OfTest, "the operations of the cause are in test files (%s), and so is all other synchronisation%s", places(rows...), but)
}

// beyondTest reports whether a row is an operation of the code under test, or of another module.
func (e *event) beyondTest() bool {
	pkg := source.PackageOf(e.Site.User.Function)
	return !e.log && e.side() != inTest && pkg != "" && !source.Standard(pkg)
}

// earlyBlame blames a test that fails before any goroutine that it started has begun, and that did
// nothing to wait for one, while other schedules pass.
func (p *picture) earlyBlame(f *verdict.Failure) timeline.Blame {
	if p.replayed || f.Plain && !f.Ordered || f.Kind == engine.KindTiming || f.Of != engine.KindCheck && f.Of != engine.KindPanic {
		return timeline.Blame{}
	}
	var started *event
	task := uint32(0) // the test's
	for _, e := range p.untilEnd() {
		if p.ex.OnlyRuns(e.task) || p.runs(e) {
			continue
		}
		task = cmp.Or(task, e.task)
		starts := e.Site.Kind == source.SiteGo
		waits := e.Site.Kind == source.SiteChannel || strings.HasSuffix(e.Action, "Wait")
		switch {
		case e.task != task || e.blocked || starts && e.side() != inTest || started != nil && waits:
			return timeline.Blame{}
		case starts && started == nil:
			started = e
		}
	}
	if started == nil || !strings.Contains(p.failedAt(f), "_test.go:") {
		return timeline.Blame{}
	}
	return blamed(timeline.OfTest, "it fails before any goroutine that it starts (%s) has begun, and calls nothing that could wait for one", places(started))
}

// failedAt returns where the test failed: its message, or the innermost place of a panic.
func (p *picture) failedAt(f *verdict.Failure) string {
	if f.Of == engine.KindCheck {
		return f.Message
	}
	if stack := p.stack(p.ex.Out.Stack); len(stack) > 0 {
		return stack[0]
	}
	return ""
}

// doubt returns the reason for an undecided verdict.
func (p *picture) doubt(f *verdict.Failure) string {
	_, timers := p.sleeps()
	rows := slices.DeleteFunc(p.told(), func(e *event) bool { return places(e) == "" }) // such as beginnings of goroutines
	where := places(rows...)
	usual := len(p.ex.Run) > 0 && len(schedule.Deviations(p.ex.Run)) == 0
	switch {
	case f.Kind == engine.KindTiming && len(timers) > 0:
		return fmt.Sprintf("it fails only where %s, but not only the test waits for time", p.ex.HeldUp())
	case f.Kind == engine.KindTiming:
		return fmt.Sprintf("it fails only where %s", p.ex.HeldUp())
	case f.Plain && !f.Ordered:
		return "the schedule without preemptions fails too, so no order of goroutines is to blame"
	case !p.replayed && f.Of == engine.KindLeak && usual:
		return "it follows the default schedule, and in others no goroutine is left"
	case !p.replayed && !f.Plain && usual:
		return "it follows the default schedule, so the difference is in the order of a map, random numbers, or what a process does only once"
	case where == "":
		return "it is not known which operations decide"
	case all(rows, inCode):
		return fmt.Sprintf("the operations of the cause are in the code under test (%s), but the test may have called it in a way that it is not made for", where)
	case all(rows, inTest):
		return fmt.Sprintf("the operations of the cause are in test files (%s), but the code under test may have been meant to prevent it", where)
	case slices.ContainsFunc(rows, func(e *event) bool { return e.side() == elsewhere }):
		return fmt.Sprintf("not all operations of the cause are in the code under test or in test files (%s)", where)
	}
	return fmt.Sprintf("the operations of the cause are in the code under test and in the test (%s)", where)
}
