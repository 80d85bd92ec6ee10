package guest

import (
	"github.com/jacquard-go/jacquard/internal/engine"
	"github.com/jacquard-go/jacquard/internal/search"
	"github.com/jacquard-go/jacquard/internal/verdict"
	"github.com/jacquard-go/jacquard/suite/protocol"
)

// behindStall looks for a failure that does not need a delayed goroutine, after one that does was
// found. It runs the remaining schedules in this process, because workers serve only the search that
// the request asks for. It returns the result that becomes the test's; nil if no such failure happens again
// in another process: the event then counts the schedules.
func (it *item) behindStall(cfg search.Config, r *verdict.Result, event *protocol.Event) (*verdict.Result, error) {
	q := it.request
	if r.Failure == nil || r.Failure.Kind != engine.KindTiming || spent(r) || q.Worker || q.Card != "" || q.Seek != nil || cfg.Hurry() || r.Schedules >= q.Schedules {
		return nil, nil
	}
	var err error
	if cfg.Plan, err = plan(q); err != nil {
		return nil, err
	}
	cfg.Bookmark, cfg.Found, cfg.Stall, cfg.Workers, cfg.Schedules = nil, it.suspected, -1, 1, q.Schedules-r.Schedules
	next, err := search.Run(it.ctx, cfg, it.body)
	if err != nil {
		return nil, err
	}
	event.Besides += next.Schedules
	if next.Verdict != verdict.Violated {
		return nil, nil
	}
	if e := it.confirmed(it.told(next), next); e.Verdict != verdict.Violated.String() || next.Failure == nil {
		it.refuted()
		return nil, nil
	}
	next.Schedules += r.Schedules
	return next, nil
}
