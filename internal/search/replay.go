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

// Replay runs body under the schedule of a card. In the program that the card
// is from it is strict: the course is the same to the last step, or the outcome
// is [Diverged]. In another one, such as the same after an edit or built by
// another version of Go, it looks for the operations that the card names, by
// their goroutine, kind, function and object; see [Outcome].
//
// The error is [ErrCard] (and with it [ErrFormat]), [ErrOtherTest],
// [ErrNotControlled], [ErrConfig] or the context's. cfg must be that of the
// exploration that made the card, as far as it decides what is a scheduling
// point.
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
	x, err := begin(ctx, cfg, body)
	if err != nil {
		return nil, err
	}
	defer x.end()
	x.result.Schedules, x.First = 1, false
	if c.Kind != engine.KindRace {
		x.Engine.Settings.Races = engine.RacesNote // one that comes before it is another failure
	}
	x.Leakage.Known = c.Kind == engine.KindLeak // then all that is left counts
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

// Confirm looks, in a new process, for the failure of a [Result]'s Suspect: by the
// same schedule, first of all that the process does, then once the body has been run.
// What is found has a card of its own, and is not minimised: the next execution would
// meet what the failing one has left behind. Else the verdict is Unknown. The error is
// as [Replay]'s.
func Confirm(ctx context.Context, cfg Config, suspect string, body func(*engine.T)) (*verdict.Result, error) {
	c, err := card.ParseCard(suspect)
	if err != nil {
		return nil, fmt.Errorf("explore: %w", err)
	}
	if err := c.CheckTest(cfg.Name); err != nil {
		return nil, err
	}
	x, err := begin(ctx, cfg, body)
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
	c.People, c.Anchors, c.Cause = f.People, f.Anchors, card.NameID(ex.Cause())
	x.fail(ex, c.Seed, &verdict.Failure{Strategy: verdict.ByCard, Schedule: 1, Found: schedule.Preemptions(ex.Run), FoundSteps: ex.Steps, Card: c.String()}, nil)
	return x.result, nil
}

// suspect is a card of an execution that says nothing in words.
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

// attempts is how often a card may be tried: a process does some things only
// once, such as to fill a cache, and a first try may meet them.
const attempts = 3

// follow executes a card strictly, recording it.
func (x *explorer) follow(c *card.Card) (ex *engine.Execution, d *verdict.Divergence) {
	ex, _, d = x.strictly(c, false)
	return ex, d
}

// strictly is follow, with a card that has no anchors if they are to be made.
func (x *explorer) strictly(c *card.Card, making bool) (ex *engine.Execution, f *card.Follower, d *verdict.Divergence) {
	x.Memory = c.Points()
	if c.Kind == engine.KindLivelock && x.Usual == 0 {
		x.ends(x.Execute(schedule.DefaultPick{}, x.cfg.Seed, nil))
	}
	x.Observe(c.Observers)
	for x.followed = 1; ; x.followed++ {
		f = &card.Follower{Card: c, Making: making}
		ex = x.ExecuteWith(f.Follow, c.Seed, report.NewRecorder())
		if d = f.Done(ex); d == nil || x.followed == attempts {
			return ex, f, d
		}
		if !x.SettledIn {
			x.Execute(schedule.DefaultPick{}, x.cfg.Seed, nil) // as the process began that has made the card
		}
	}
}

// anchored adds to a card the anchors of its deviations and the cause of the
// failure. The error says that the card cannot be followed.
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

// report minimises a failing schedule, makes its card, and replays it to
// record what happens. A failure whose card does not replay is no finding.
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
	if d != nil {
		x.unrepeated(first, seed, f, suspect, d)
		return nil
	}
	f.Card, x.result.Suspect = c.String(), suspect
	f.Ordered = x.ordered(shown)
	x.fail(shown, seed, f, nil)
	return nil
}

// mostSamples is how many schedules may be run to find one that goes well.
const mostSamples = 10

// ordered reports whether some schedule of a test goes well where the one that preempts
// nobody fails as this execution does.
func (x *explorer) ordered(ex *engine.Execution) bool {
	if x.cfg.Runner == "" || x.unpicked.Kind != ex.Out.Kind {
		return false
	}
	samples := schedule.DrawerOf(strategy.POS())
	samples.Reset(x.cfg.Seed)
	for range mostSamples {
		if x.cfg.Hurry != nil && x.cfg.Hurry() {
			return false
		}
		s, _ := samples.Draw()
		p, seed := s.Start()
		if out := x.Execute(p, seed, nil).Out; !out.Failed() && out.Unknown == "" {
			return true
		}
	}
	return false
}

// found tells of a failure as it was found, and of its card if it has come again by that.
func (x *explorer) found(ex *engine.Execution, f verdict.Failure, card string) {
	f.Kind, f.Of, f.Message, f.Messages, f.Card = kindOf(ex), ex.Out.Kind, ex.Out.Message, ex.Out.Messages, card
	f.Preemptions, f.Steps, f.Calls = f.Found, f.FoundSteps, ex.Visible()
	x.cfg.Found(f)
}

// unrepeated concludes of a failing schedule that did not fail again by its card. A
// data race was seen all the same: by the detector, who is never wrong.
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

// settled runs a failing schedule once more: its first run may have met what a
// process does only once, and it is the others that can be replayed.
func (x *explorer) settled(ex *engine.Execution, seed uint64) *engine.Execution {
	again := x.guided(guideOf(ex.Run), ex, seed, nil)
	if again.Out.Kind != ex.Out.Kind || again.Out.Unknown != "" {
		return ex
	}
	return again
}

// looks is how often a data race may be repeated to see it closer.
const looks = 4

// closer repeats a recorded data race with the racing accesses as points, so
// that they can be seen. With more points the detector may meet another pair of
// accesses first, which then become points in turn.
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
		if r.Same(want) { // the one that the message is about
			best.Out.Races[0], best.Out.Races[i] = r, best.Out.Races[0]
			break
		}
	}
	return best
}

// fail completes a failure from its recorded execution.
func (x *explorer) fail(ex *engine.Execution, seed uint64, f *verdict.Failure, from *verdict.Replayed) {
	f.Kind, f.Of, f.Message, f.Messages = ex.Out.Kind, ex.Out.Kind, ex.Out.Message, ex.Out.Messages
	if f.Stall = time.Duration(ex.Stalls.Spent); f.Stall > 0 {
		f.Kind, f.Needs = engine.KindTiming, needs(f.Only, from != nil)+ex.HeldUp()
	}
	f.Preemptions, f.Steps, f.Calls = schedule.Preemptions(ex.Run), ex.Steps, ex.Visible()
	f.Cause = ex.Cause()
	f.Plain = f.Plain || f.Of == x.unpicked.Kind && engine.ClassOf(f.Message) == engine.ClassOf(x.unpicked.Message)
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

// needs begins to say what a failure of the kind timing needs: only if no other was found
// by a search that has come to its end is it known to.
func needs(only, replayed bool) string {
	switch {
	case only:
		return "only if "
	case replayed:
		return "where "
	}
	return "found only where "
}

// stallIn is for how long goroutines might be held up in a run, 0 if they never could be.
func stallIn(run []schedule.Decision, most time.Duration) time.Duration {
	if slices.ContainsFunc(run, func(d schedule.Decision) bool { return d.Clocked }) {
		return most
	}
	return 0
}

// card describes an execution of x by numbers; [explorer.anchored] adds what
// is said in words.
func (x *explorer) card(ex *engine.Execution, seed uint64) (*card.Card, error) {
	return x.numbers(ex.Out.Kind, seed, ex.Digest(), ex.Run, ex.Stalls.Most())
}

// numbers describes a run, in which goroutines might be held up for so long, likewise.
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
