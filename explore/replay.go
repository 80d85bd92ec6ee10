package explore

import (
	"context"
	"fmt"

	"github.com/jacquard-go/jacquard/internal/control"
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
func Replay(ctx context.Context, cfg Config, cardText string, body func(*T)) (*Replayed, error) {
	c, err := parseCard(cardText)
	if err != nil {
		return nil, fmt.Errorf("explore: %w", err)
	}
	if !Controlled() {
		return nil, ErrNotControlled
	}
	if err := c.checkTest(cfg.Name); err != nil {
		return nil, err
	}
	program, err := programID()
	if err != nil {
		return nil, err
	}
	x, err := begin(ctx, cfg, body)
	if err != nil {
		return nil, err
	}
	defer x.end()
	x.result.Schedules = 1
	x.leakage.known = c.kind == KindLeak // then all that is left counts
	r := &Replayed{Result: x.result, Toolchain: c.toolchain.text, was: c.kind}
	if c.kind == KindRace && !control.Detector() {
		r.Divergence = &Divergence{Decision: c.decisions, Decisions: c.decisions, Expected: "a data race", Got: "a program that was built without the race detector"}
	} else if c.program == program {
		x.repeat(c, r)
	} else if err := x.reanchor(c, r); err != nil {
		return nil, err
	}
	if x.result.Verdict == Unknown {
		x.result.Reason = r.String()
	}
	return r, nil
}

// repeat follows a card of this very program.
func (x *explorer) repeat(c *card, r *Replayed) {
	ex, d := x.follow(c)
	if r.Executions = x.followed; d != nil {
		r.Outcome, r.Divergence = Diverged, d
		return
	}
	r.Outcome = Exact
	x.fail(ex, c.seed, &Failure{Strategy: byCard, Schedule: 1, Found: preemptions(ex.run), FoundSteps: ex.steps, Card: c.String(), replayed: r})
}

// byCard stands for a strategy where a schedule is a card's.
const byCard = "card"

// attempts is how often a card may be tried: a process does some things only
// once, such as to fill a cache, and a first try may meet them.
const attempts = 3

// follow executes a card strictly, recording it.
func (x *explorer) follow(c *card) (ex *execution, d *Divergence) {
	x.memory = c.points()
	for x.followed = 1; ; x.followed++ {
		f := &follower{card: c}
		ex = x.executeWith(f.follow, c.seed, newRecorder())
		if d = f.done(ex); d == nil || x.followed == attempts {
			return ex, d
		}
	}
}

// anchored adds to a card the anchors of its deviations and the cause of the
// failure. The error says that the card cannot be followed.
func (x *explorer) anchored(c *card) error {
	var d *Divergence
	for range attempts {
		f := &follower{card: c, making: true}
		ex := x.executeWith(f.follow, c.seed, nil)
		if d = f.done(ex); d == nil {
			c.people, c.anchors, c.cause = f.people, f.anchors, nameID(ex.cause())
			return nil
		}
	}
	return fmt.Errorf("%s", d)
}

// report minimises a failing schedule, makes its card, and replays it to
// record what happens. A failure whose card does not replay is no finding.
func (x *explorer) report(ex *execution, strategy string, seed uint64) error {
	f := &Failure{Strategy: strategy, Schedule: x.result.Schedules, Found: preemptions(ex.run), FoundSteps: ex.steps}
	x.tracking = ex.out.kind == KindDeadlock || ex.out.kind == KindLeak
	defer func() { x.tracking = false }()
	best, minimal := x.minimise(x.settled(ex, seed), seed)
	best = x.settled(best, seed)
	f.Minimal = minimal
	c, err := x.card(best, seed)
	if err != nil {
		return err
	}
	if err := x.anchored(c); err != nil {
		x.result.Reason = fmt.Sprintf("schedule %d failed (%s), but does not repeat: %v", f.Schedule, best.out.message, err)
		return nil
	}
	shown, d := x.follow(c)
	if d != nil {
		x.result.Reason = fmt.Sprintf("schedule %d failed (%s), but does not repeat: %v", f.Schedule, best.out.message, d)
		return nil
	}
	f.Card = c.String()
	x.fail(shown, seed, f)
	return nil
}

// settled runs a failing schedule once more: its first run may have met what a
// process does only once, and it is the others that can be replayed.
func (x *explorer) settled(ex *execution, seed uint64) *execution {
	again := x.guided(guideOf(ex.run), seed, nil)
	if again.out.kind != ex.out.kind || again.out.unknown != "" {
		return ex
	}
	return again
}

// looks is how often a data race may be repeated to see it closer.
const looks = 4

// closer repeats a recorded data race with the racing accesses as points, so
// that they can be seen. With more points the detector may meet another pair of
// accesses first, which then become points in turn.
func (x *explorer) closer(ex *execution, seed uint64) *execution {
	memory := x.memory
	defer func() { x.memory = memory }()
	x.memory = append([]uintptr(nil), memory...)
	want, best := ex.out.races[0], ex
	for range looks {
		fresh := x.learn(best.out.races)
		near := x.guided(guideOf(ex.run), seed, newRecorder())
		if near.out.kind != KindRace || near.out.unknown != "" {
			break
		}
		best = near
		if !fresh {
			break
		}
	}
	for i, r := range best.out.races {
		if r.same(want) { // the one that the message is about
			best.out.races[0], best.out.races[i] = r, best.out.races[0]
			break
		}
	}
	return best
}

// fail completes a failure from its recorded execution.
func (x *explorer) fail(ex *execution, seed uint64, f *Failure) {
	f.Kind, f.Message, f.Messages = ex.out.kind, ex.out.message, ex.out.messages
	f.Preemptions, f.Steps = preemptions(ex.run), ex.steps
	f.cause = ex.cause()
	f.Plain = f.Plain || f.Kind == x.unpicked.kind && classOf(f.Message) == classOf(x.unpicked.message)
	for _, r := range ex.out.races {
		x.result.note(r)
	}
	x.result.Verdict, x.result.Failure = Violated, f
	if f.Kind == KindRace {
		ex = x.closer(ex, seed)
	}
	f.Timeline = ex.trace.timeline(ex, f)
	x.result.Points = max(x.result.Points, len(ex.run))
	x.result.Distinct = len(x.seen)
}
