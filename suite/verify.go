package suite

import (
	"context"
	"errors"
	"io"

	"github.com/jacquard-go/jacquard/internal/finding"
	"github.com/jacquard-go/jacquard/suite/protocol"
)

// A Verified is what is known of a card's failure in the present program.
type Verified struct {
	// State is StillFails, FailsOtherwise, one of finding's Fixed and Unseen, or "" if nothing is
	// known: Event has the Reason.
	State string
	// Event is the failure, or else the end of the search.
	Event protocol.Event
	// Others are failures of the test that are not the card's.
	Others []protocol.Event
	// Replayed is the outcome of the card itself, and Why its reason.
	Replayed, Why string
}

// The states of a failure that is not gone.
const (
	StillFails     = "still fails"
	FailsOtherwise = "fails differently"
)

// otherwise and exact are outcomes of a card; see explore.Outcome.
const (
	otherwise = "fails differently"
	exact     = "exactly replayed"
)

// Verify checks whether a failure is still there. It replays the card. If that no longer leads to
// the failure, it searches the test for a failure of the same kind and cause, with the random
// choices of the card, passing over all others: only this distinguishes a schedule that no longer
// fits from a bug that is gone. The error is as Replay's.
func Verify(ctx context.Context, cfg Config, card Card) (v Verified, err error) {
	e, err := replay(ctx, cfg, card, func(ctx context.Context, r *run) (protocol.Event, error) {
		short, cancel := r.cfg.bounded(ctx)
		defer cancel()
		e, err := r.follow(short, card)
		if err != nil && (!errors.Is(err, ErrReplay) || ctx.Err() != nil) {
			return e, err
		} else if err != nil {
			e.Reason = err.Error()
		}
		v.Replayed, v.Why = e.Replayed, e.Reason
		if e.Verdict == violated && e.Replayed != otherwise {
			v.State = StillFails
			return e, nil
		}
		found, err := r.search(ctx, card)
		if err != nil || found == nil {
			return e, err
		}
		v.State, v.Others = found.state(r, e)
		return found.last(), nil
	})
	v.Event = e
	return v, err
}

// search looks for the failure of a card in its test; nil if there is no such test.
func (r *run) search(ctx context.Context, card Card) (*test, error) {
	r.cfg.target, r.cfg.Fresh, r.cfg.Cards = card.Text, true, ""
	r.cfg.Run = protocol.Only(r.cfg.Run, card.Test)
	if err := r.test(ctx, io.Discard); err != nil {
		return nil, err
	}
	if len(r.tests) != 1 {
		return nil, nil
	}
	return r.tests[0], nil
}

// state returns the result of a search for the failure of a card, whose replay returned replayed.
func (t *test) state(r *run, replayed protocol.Event) (state string, others []protocol.Event) {
	e := t.last()
	others = t.met
	if replayed.Replayed == otherwise {
		others = union(others, replayed)
	}
	switch {
	case t.died != "":
		return FailsOtherwise, union(others, protocol.Event{Kind: "exit", Message: t.died})
	case e.Verdict == violated && e.Same:
		return StillFails, others
	case e.Verdict == violated:
		return FailsOtherwise, union(others, e)
	case len(others) > 0:
		return FailsOtherwise, others
	case r.cfg.NoRace && replayed.Was == "race" && e.Verdict == holds:
		return finding.Unseen(e.Schedules), nil // the run did not look for races
	}
	return t.without(finding.Record{Kind: was(replayed, e), Flags: r.words()}, r.words()), nil
}

// was returns the kind of the card's failure: Timing, which proves least, if it is not known.
func was(replayed, e protocol.Event) string {
	if replayed.Was == "" || e.Verdict != holds {
		return protocol.Timing
	}
	return replayed.Was
}
