package explore

import (
	"context"
	"fmt"
)

// Replay runs body once more under the schedule of a card. The result is
// Violated with the same kind of failure, or there is an error: [ErrCard],
// [ErrOtherTest], [ErrOtherProgram], [ErrDiverged], [ErrNotControlled].
// cfg must be that of the exploration that made the card, as far as it decides
// what is a scheduling point.
func Replay(ctx context.Context, cfg Config, cardText string, body func(*T)) (*Result, error) {
	c, err := parseCard(cardText)
	if err != nil {
		return nil, fmt.Errorf("explore: %w", err)
	}
	if !Controlled() {
		return nil, ErrNotControlled
	}
	if err := c.check(cfg.Name); err != nil {
		return nil, err
	}
	x, err := begin(ctx, cfg, body)
	if err != nil {
		return nil, err
	}
	defer x.end()
	x.memory = c.memory
	x.result.Schedules = 1
	ex, err := x.follow(c)
	if err != nil {
		return nil, err
	}
	x.fail(ex, c.seed, &Failure{Strategy: byCard, Schedule: 1, Found: preemptions(ex.run), Card: c.String()})
	return x.result, nil
}

// byCard stands for a strategy where a schedule is a card's.
const byCard = "card"

// attempts is how often a card may be tried: a process does some things only
// once, such as to fill a cache, and a first try may meet them.
const attempts = 3

// follow executes a card strictly, recording it.
func (x *explorer) follow(c *card) (*execution, error) {
	x.memory = c.memory
	var err error
	for range attempts {
		f := &follower{card: c}
		ex := x.execute(f, c.seed, newRecorder())
		if err = f.done(ex); err == nil {
			return ex, nil
		}
	}
	return nil, err
}

// report minimises a failing schedule, makes its card, and replays it to
// record what happens. A failure whose card does not replay is no finding.
func (x *explorer) report(ex *execution, strategy string, seed uint64) error {
	f := &Failure{Strategy: strategy, Schedule: x.result.Schedules, Found: preemptions(ex.run)}
	best := x.settled(x.minimise(ex, seed), seed)
	c, err := x.card(best, seed)
	if err != nil {
		return err
	}
	shown, err := x.follow(c)
	if err != nil {
		x.result.Reason = fmt.Sprintf("schedule %d failed (%s), but does not repeat: %v", f.Schedule, best.out.message, err)
		return nil
	}
	f.Card = c.String()
	x.fail(shown, seed, f)
	return nil
}

// settled runs a failing schedule once more: its first run may have met what a
// process does only once, and it is the others that can be replayed.
func (x *explorer) settled(ex *execution, seed uint64) *execution {
	p := &guidePicker{guide: guideOf(ex.run)}
	again := x.executeWith(func(ex *execution) picker { p.ex = ex; return p }, seed, nil)
	if again.out.kind != ex.out.kind || again.out.unknown != "" {
		return ex
	}
	return again
}

// closer repeats a recorded data race with the racing accesses as points, so
// that they can be seen.
func (x *explorer) closer(ex *execution, seed uint64) *execution {
	memory := x.memory
	defer func() { x.memory = memory }()
	x.memory = append([]uintptr(nil), memory...)
	x.learn(ex.out.races)
	p := &guidePicker{guide: guideOf(ex.run)}
	near := x.executeWith(func(ex *execution) picker { p.ex = ex; return p }, seed, newRecorder())
	if near.out.kind != KindRace || near.out.unknown != "" {
		return ex
	}
	return near
}

// fail completes a failure from its recorded execution.
func (x *explorer) fail(ex *execution, seed uint64, f *Failure) {
	f.Kind, f.Message, f.Messages = ex.out.kind, ex.out.message, ex.out.messages
	f.Preemptions = preemptions(ex.run)
	for _, r := range ex.out.races {
		x.result.note(r)
	}
	if f.Kind == KindRace {
		ex = x.closer(ex, seed)
	}
	f.Timeline = ex.trace.timeline(ex, f)
	x.result.Verdict, x.result.Failure = Violated, f
	x.result.Points = max(x.result.Points, len(ex.run))
	x.result.Distinct = len(x.seen)
}
