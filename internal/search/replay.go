package search

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/jacquard-go/jacquard/internal/card"
	"github.com/jacquard-go/jacquard/internal/control"
	"github.com/jacquard-go/jacquard/internal/engine"
	"github.com/jacquard-go/jacquard/internal/report"
	"github.com/jacquard-go/jacquard/internal/schedule"
	"github.com/jacquard-go/jacquard/internal/source"
	"github.com/jacquard-go/jacquard/internal/strategy"
	"github.com/jacquard-go/jacquard/internal/verdict"
)

// Replay runs body under the schedule of a card. In the program that made the card,
// replay is strict: the execution must be the same to the last step, or the outcome is
// [Diverged]. In another program, such as an edited one or one built by another version
// of Go, Replay looks for the operations that the card names, by goroutine, kind,
// function and object; see [Outcome].
//
// The error is [ErrCard] (and with it [ErrFormat]), [ErrOtherTest] or one of Run's.
// cfg must agree with that of the exploration that made the card in everything that
// determines scheduling points.
func Replay(ctx context.Context, cfg Config, cardText string, body func(*engine.T)) (*verdict.Replayed, error) {
	c, err := card.ParseCard(cardText)
	if err != nil {
		return nil, fmt.Errorf("explore: %w", err)
	}
	if !Controlled() {
		return nil, ErrNotControlled
	}
	if err := c.CheckTest(cfg.Name); err != nil {
		return nil, err
	}
	program, err := card.ProgramID()
	if err != nil {
		return nil, err
	}
	x, err := single(ctx, cfg, body)
	if err != nil {
		return nil, err
	}
	defer x.end()
	x.result.Schedules, x.First = 1, false
	if c.Kind != engine.KindRace {
		x.Engine.Settings.Races = engine.RacesNote // a race before the failure is another failure
	}
	x.Leakage.Known = c.Kind == engine.KindLeak // then all leftover goroutines count
	r := &verdict.Replayed{Result: x.result, Toolchain: c.Toolchain.Text, Was: c.Kind}
	if c.Kind == engine.KindRace && !control.Detector() {
		r.Divergence = &verdict.Divergence{Decision: c.Decisions, Decisions: c.Decisions, Expected: "a data race", Got: "a program that was built without the race detector"}
	} else if c.Program == program {
		x.repeat(c, r)
	} else if err := x.reanchor(c, r); err != nil {
		return nil, err
	}
	if x.result.Verdict == verdict.Unknown {
		x.result.Reason = r.String()
	}
	return r, nil
}

// repeat follows a card of this very program.
func (x *explorer) repeat(c *card.Card, r *verdict.Replayed) {
	ex, d := x.follow(c)
	if r.Executions = x.followed; d != nil {
		r.Outcome, r.Divergence = verdict.Diverged, d
		return
	}
	r.Outcome = verdict.Exact
	x.fail(ex, c.Seed, &verdict.Failure{Strategy: verdict.ByCard, Schedule: 1, Found: schedule.Preemptions(ex.Run), FoundSteps: ex.Steps, Card: c.String()}, r)
}

// Confirm looks, in a new process, for the failure of a [Result]'s Suspect: under the
// same schedule, in the process's first execution, and then after the body has been
// run. A failure that it finds has its own card, and is not minimised, because the next
// execution would meet what the failing one has left behind. Without a failure the
// verdict is Unknown; Suspect is then the first execution if it took another course and failed
// too. The errors are those of [Replay].
func Confirm(ctx context.Context, cfg Config, suspect string, body func(*engine.T)) (*verdict.Result, error) {
	c, err := card.ParseCard(suspect)
	if err != nil {
		return nil, fmt.Errorf("explore: %w", err)
	}
	if err := c.CheckTest(cfg.Name); err != nil {
		return nil, err
	}
	x, err := single(ctx, cfg, body)
	if err != nil {
		return nil, err
	}
	defer x.end()
	x.result.Schedules, x.First = 1, false
	x.Leakage.Known = c.Kind == engine.KindLeak
	x.Tracking = true
	c.People, c.Anchors = nil, nil
	ex, f, d := x.strictly(c, true)
	if d != nil {
		x.result.Reason = fmt.Sprint(d)
		return x.result, nil
	}
	if c.Kind == engine.KindLeak && x.followed == 1 && ex.Ticking() && x.startsOnce(ex) {
		x.result.Reason = ex.Out.Message + ", but only the first schedule of a process starts it"
		return x.result, nil
	}
	c.People, c.Anchors, c.Cause = f.People, f.Anchors, card.NameID(ex.Cause())
	x.result.Depends, x.result.Suspect = x.Depends(), ""
	x.byNow()
	x.fail(ex, c.Seed, &verdict.Failure{Strategy: verdict.ByCard, Schedule: 1, Found: schedule.Preemptions(ex.Run), FoundSteps: ex.Steps, Card: c.String()}, nil)
	return x.result, nil
}

// suspect returns a card of an execution with empty anchors, which only numbers describe.
func (x *explorer) suspect(ex *engine.Execution, seed uint64) (string, error) {
	c, err := x.card(ex, seed)
	if err != nil {
		return "", err
	}
	c.People, c.Anchors = []card.Person{{Name: card.WordOf("")}}, make([]card.Anchor, len(c.Deviations))
	for i := range c.Anchors {
		c.Anchors[i] = card.Anchor{Who: -1, Op: card.WordOf(""), Function: card.WordOf("")}
	}
	return c.String(), nil
}

// attempts is how many times a card is tried: a process has first-use effects, such as
// filling a cache, that a first try may meet.
const attempts = 3

// follow executes a card strictly, and records the execution.
func (x *explorer) follow(c *card.Card) (ex *engine.Execution, d *verdict.Divergence) {
	ex, _, d = x.strictly(c, false)
	return ex, d
}

// strictly is follow; if making is set it computes the card's anchors instead of checking them.
func (x *explorer) strictly(c *card.Card, making bool) (ex *engine.Execution, f *card.Follower, d *verdict.Divergence) {
	x.Memory = c.Points()
	if c.Kind == engine.KindLivelock && x.Usual == 0 {
		x.ends(x.Execute(schedule.DefaultPick{}, x.cfg.Seed, nil))
	}
	x.Observe(c.Observers)
	var stopped []uintptr
	for x.followed = 1; ; x.followed++ {
		f = &card.Follower{Card: c, Making: making}
		ex = x.ExecuteWith(f.Follow, c.Seed, report.NewRecorder())
		if d = f.Done(ex); d == nil || x.followed == attempts {
			return ex, f, lacking(c, stopped, d)
		}
		if making && x.followed == 1 && ex.Out.Kind == c.Kind {
			x.result.Suspect, _ = x.suspect(ex, c.Seed) // without a card nothing is suspected
		}
		if !x.SettledIn || x.Usual == 0 { // like the start of the process that made the card, and with its bounds
			stopped = x.usual(timed(ex))
		}
	}
}

// anchored adds to a card the anchors of its deviations and the cause of the failure.
// The error says why the card cannot be followed.
func (x *explorer) anchored(c *card.Card) error {
	var d *verdict.Divergence
	for range attempts {
		f := &card.Follower{Card: c, Making: true}
		ex := x.ExecuteWith(f.Follow, c.Seed, nil)
		if d = f.Done(ex); d == nil {
			c.People, c.Anchors, c.Cause = f.People, f.Anchors, card.NameID(ex.Cause())
			return nil
		}
	}
	return fmt.Errorf("%s", d)
}

// report minimises a failing schedule, makes its card, and replays the card to record what
// happens. A failure whose card does not replay does not count, except for a data race.
func (x *explorer) report(ex *engine.Execution, strategy string, seed uint64) error {
	f := &verdict.Failure{Strategy: strategy, Schedule: x.result.Schedules, Found: schedule.Preemptions(ex.Run), FoundSteps: ex.Steps}
	suspect, err := x.suspect(ex, seed)
	if err != nil {
		return err
	}
	first := ex
	x.Tracking = ex.Out.Kind == engine.KindDeadlock || ex.Out.Kind == engine.KindLeak
	defer func() { x.Tracking = false }()
	if x.cfg.Found != nil {
		x.found(ex, *f, "")
	}
	ex = x.settled(ex, seed)
	if x.cfg.Found != nil {
		c, err := x.card(ex, seed)
		if err != nil {
			return err
		}
		card := ""
		if x.anchored(c) == nil {
			card = c.String()
		}
		x.found(ex, *f, card)
	}
	best := x.settled(x.minimise(ex, seed, f), seed)
	c, err := x.card(best, seed)
	if err != nil {
		return err
	}
	if err := x.anchored(c); err != nil {
		x.unrepeated(first, seed, f, suspect, err)
		return nil
	}
	shown, d := x.follow(c)
	if d == nil && x.byNow() {
		shown, d = x.follow(c) // unless the other process was slow for a while only
	}
	if d != nil {
		x.unrepeated(first, seed, f, suspect, d)
		return nil
	}
	f.Card, x.result.Suspect = c.String(), suspect
	if f.Ordered, f.Always = x.ordered(shown); (f.Ordered || f.Always) && len(schedule.Deviations(shown.Run)) == 0 {
		if f.Passes = x.decisive(shown, seed); f.Passes.At > 0 {
			f.Ordered, f.Always = true, false
		}
	}
	x.fail(shown, seed, f, nil)
	return nil
}

// mostSamples bounds the schedules that ordered runs to find one that passes.
const mostSamples = 10

// ordered reports whether some schedule of a test passes although the schedule without preemptions
// fails in the same way as this execution; or always, if all that it tries fail in that way. Of
// schedules that go on after Config.MaxSteps it tries one.
func (x *explorer) ordered(ex *engine.Execution) (some, always bool) {
	if x.cfg.Runner == "" || x.unpicked.Kind != ex.Out.Kind {
		return false, false
	}
	samples := schedule.DrawerOf(strategy.POS())
	samples.Reset(x.cfg.Seed)
	always = true
	for range mostSamples {
		if x.cfg.Hurry != nil && x.cfg.Hurry() {
			return false, false
		}
		s, _ := samples.Draw()
		p, seed := s.Start()
		next := x.Execute(p, seed, nil)
		if good(next) {
			return true, false
		}
		always = always && next.Out.Like(&ex.Out)
		if next.Slices.Coarse {
			break
		}
	}
	if always && ex.Quantum && good(x.Execute(schedule.PatientPick{}, x.cfg.Seed, nil)) {
		return true, false
	}
	return false, always
}

// mostTurns bounds the schedules that decisive runs.
const mostTurns = 24

// decisive looks for a schedule that deviates once from the default one, which fails, and passes:
// where it deviates, the order of goroutines decides. Deviations without a preemption come first; of
// several, the last is nearest to the failure.
func (x *explorer) decisive(ex *engine.Execution, seed uint64) (last verdict.Turn) {
	left := mostTurns
	for _, preempting := range []bool{false, true} {
		for at, d := range ex.Run {
			for i := range d.Runnable {
				switch {
				case i == d.Default || d.Stalls(i) || d.Costs(i) != preempting:
					continue
				case last.At > 0 && preempting, left <= 0, x.cfg.Hurry != nil && x.cfg.Hurry():
					return last
				}
				other := schedule.Deviation{At: at, Choice: schedule.Choice{Index: i}, Hash: d.Hash}
				next := x.Execute(held{deviating(other), ex.Stalls.Bound}, seed, nil)
				if good(next) && other.In(next.Run) {
					last = verdict.Turn{At: at + 1, Goroutine: next.Run[at].Goroutine}
				}
				left -= 1 + max(ex.Steps, next.Steps)/minimiseSteps
			}
		}
	}
	return last
}

// good reports whether an execution has passed.
func good(ex *engine.Execution) bool { return !ex.Out.Failed() && ex.Out.Unknown == "" }

// deviating is the default schedule but for one deviation.
type deviating schedule.Deviation

// Pick deviates where that is possible.
func (d deviating) Pick(p *schedule.Point) schedule.Choice {
	if p.Index == d.At && d.Choice.Index < len(p.Runnable) {
		return d.Choice
	}
	return schedule.Choice{Index: p.Default()}
}

// found calls Config.Found. card is "" unless the failure was repeated by that card.
func (x *explorer) found(ex *engine.Execution, f verdict.Failure, card string) {
	f.Kind, f.Of, f.Message, f.Messages, f.Card = kindOf(ex), ex.Out.Kind, ex.Out.Message, ex.Out.Messages, card
	f.Preemptions, f.Steps, f.Calls, f.Quantum = f.Found, f.FoundSteps, ex.Visible(), ex.Quantum
	x.cfg.Found(f)
}

// unrepeated concludes the exploration if a failing schedule did not fail again by its card.
// A data race is reported all the same, because the race detector has no false positives.
func (x *explorer) unrepeated(ex *engine.Execution, seed uint64, f *verdict.Failure, suspect string, why any) {
	if ex.Out.Kind == engine.KindRace {
		for range looks {
			if again := x.guided(guideOf(ex.Run), ex, seed, report.NewRecorder()); again.Out.Kind == engine.KindRace && again.Out.Unknown == "" {
				x.fail(again, seed, f, nil)
				return
			}
		}
		ex.Trace = report.NewRecorder()
		x.fail(ex, seed, f, nil)
		return
	}
	x.result.Suspect = suspect
	x.result.Reason = fmt.Sprintf("schedule %d failed (%s), but does not repeat: %v", f.Schedule, ex.Out.Message, why)
}

// settled runs a failing schedule once more: its first run may have met first-use
// effects of the process, and only later runs can be replayed.
func (x *explorer) settled(ex *engine.Execution, seed uint64) *engine.Execution {
	again := x.guided(guideOf(ex.Run), ex, seed, nil)
	if again.Out.Kind != ex.Out.Kind || again.Out.Unknown != "" {
		return ex
	}
	return again
}

// looks is how many times a data race may be repeated to record it more closely.
const looks = 4

// closer repeats a recorded data race with the racing accesses as points, so that the
// report shows them. With more points the detector may find another pair of accesses
// first, which then become points in turn.
func (x *explorer) closer(ex *engine.Execution, seed uint64) *engine.Execution {
	memory := x.Memory
	defer func() { x.Memory = memory }()
	x.Memory = append([]uintptr(nil), memory...)
	want, best := ex.Out.Races[0], ex
	for range looks {
		fresh := x.learn(best.Out.Races)
		near := x.guided(guideOf(ex.Run), ex, seed, report.NewRecorder())
		if near.Out.Kind != engine.KindRace || near.Out.Unknown != "" {
			break
		}
		best = near
		if !fresh {
			break
		}
	}
	for i, r := range best.Out.Races {
		if r.Same(want) { // the race that the message describes
			best.Out.Races[0], best.Out.Races[i] = r, best.Out.Races[0]
			break
		}
	}
	return best
}

// fail completes a failure from its recorded execution.
func (x *explorer) fail(ex *engine.Execution, seed uint64, f *verdict.Failure, from *verdict.Replayed) {
	f.Kind, f.Of, f.Message, f.Messages = ex.Out.Kind, ex.Out.Kind, ex.Out.Message, ex.Out.Messages
	if f.Stall = ex.Stalls.Noticed(); f.Stall > 0 {
		f.Kind, f.Needs = engine.KindTiming, needs(f.Only, from != nil)+ex.HeldUp()
	}
	f.Preemptions, f.Steps, f.Calls, f.Quantum = schedule.Preemptions(ex.Run), ex.Steps, ex.Visible(), ex.Quantum
	f.Cause = ex.Cause()
	f.Plain = f.Plain || ex.Out.Like(&x.unpicked)
	for _, r := range ex.Out.Races {
		verdict.NoteRace(x.result, r)
	}
	x.recant()
	x.result.Verdict, x.result.Failure = verdict.Violated, f
	if f.Of == engine.KindRace && f.Card != "" {
		ex = x.closer(ex, seed)
	}
	f.Timeline = ex.Trace.(*report.Recorder).Timeline(ex, f, report.Origin{Seed: x.cfg.Seed, Command: x.cfg.Replayed, Replayed: from})
	x.result.Points = max(x.result.Points, len(ex.Run))
	x.result.Distinct = len(x.seen)
}

// needs begins the text about what a timing failure needs. "only if" is claimed only
// after a complete search without stalls or with shorter ones has found no failure.
func needs(only, replayed bool) string {
	switch {
	case only:
		return "only if "
	case replayed:
		return "where "
	}
	return "found only where "
}

// stallIn returns the stall bound of a run; 0 if the clock could never be chosen in it.
func stallIn(run []schedule.Decision, most time.Duration) time.Duration {
	if slices.ContainsFunc(run, func(d schedule.Decision) bool { return d.Clocked }) {
		return most
	}
	return 0
}

// card describes an execution of x by numbers; [explorer.anchored] adds the parts in
// words.
func (x *explorer) card(ex *engine.Execution, seed uint64) (*card.Card, error) {
	return x.numbers(ex.Out.Kind, seed, ex.Digest(), ex.Run, ex.Stalls.Bound)
}

// numbers is card for a run with the given stall bound.
func (x *explorer) numbers(kind engine.Kind, seed, digest uint64, run []schedule.Decision, stall time.Duration) (*card.Card, error) {
	program, err := card.ProgramID()
	if err != nil {
		return nil, err
	}
	c := &card.Card{
		Observers: x.Observers, Test: card.NameID(x.cfg.Name), Program: program, Toolchain: card.WordOf(card.ThisToolchain()),
		Kind: kind, Seed: seed,
		End: uint32(digest >> 32), Decisions: len(run), Deviations: schedule.Deviations(run), Stall: stallIn(run, stall),
	}
	for _, pc := range x.Memory {
		c.Memory = append(c.Memory, card.Access{PC: pc, Function: card.WordOf(source.FunctionAt(pc))})
	}
	return c, nil
}
