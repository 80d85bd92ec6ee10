package guest

import (
	"slices"
	"strings"

	"github.com/jacquard-go/jacquard/internal/control"
	"github.com/jacquard-go/jacquard/internal/engine"
	"github.com/jacquard-go/jacquard/internal/search"
	"github.com/jacquard-go/jacquard/internal/verdict"
	"github.com/jacquard-go/jacquard/suite/protocol"
)

// One failure may hide another. So a failed test is explored again, passing over the known
// failures, until nothing else is found: at most mostOthers times, by otherSchedules schedules each
// time.
const (
	mostOthers     = 2
	otherSchedules = 150
)

// more looks for failures that the first one hides.
func (it *item) more(cfg search.Config, e protocol.Event, r *verdict.Result) (protocol.Event, *verdict.Result, error) {
	var known []protocol.Cause
	stalled, report := r, ""
	next, err := it.behindStall(cfg, r, &e)
	if err != nil {
		return protocol.Event{}, nil, err
	}
	if next != nil {
		it.announce(*next.Failure, protocol.Event{Another: true, Instead: true})
		r, e = next, it.told(next)
		e.Output = it.out.text()
		it.reduced(e)
		known = append(known, unnumbered(stalled.Failure))
		if told := it.beside(stalled); told != "" {
			report = "\nanother failure, where somebody is held up:\n" + told
		}
	}
	others, err := it.others(cfg, r, known, &e)
	if err != nil {
		return protocol.Event{}, nil, err
	}
	e.Report += report + others
	return e, r, nil
}

// others looks for failures with causes other than the known ones, and returns their reports. After
// a data race, which every schedule may have, races are only noted, and all remaining schedules are
// run. The event counts them.
func (it *item) others(cfg search.Config, r *verdict.Result, known []protocol.Cause, event *protocol.Event) (report string, err error) {
	if r.Failure == nil || r.Failure.Of == engine.KindLivelock || spent(r) || it.request.Worker || len(it.request.Pass) > 0 || it.request.Card != "" || it.request.Seek != nil {
		return "", nil
	}
	heading := "\nanother failure:\n"
	cfg.Bookmark, cfg.Found, cfg.Schedules = nil, it.suspected, min(otherSchedules, max(cfg.Schedules, 1))
	if r.Failure.Of == engine.KindRace {
		heading = "\nanother failure, where data races are only noted:\n"
		cfg.Races, cfg.Schedules = engine.RacesNote, max(it.request.Schedules-r.Schedules, 1)
	}
	known = append(known, unnumbered(r.Failure))
	cfg.Pass = func(f verdict.Failure) bool {
		found := unnumbered(&f)
		return slices.ContainsFunc(known, func(c protocol.Cause) bool { return c.Is(found) })
	}
	for most := len(known) + mostOthers; len(known) < most; {
		if cfg.Plan, err = plan(it.request); err != nil {
			return "", err
		}
		next, err := search.Run(it.ctx, cfg, it.body)
		if err != nil {
			return report, err
		}
		event.Besides += next.Schedules
		if next.Verdict != verdict.Violated {
			return report, nil
		}
		told := it.beside(next)
		if told == "" {
			it.refuted()
			return report, nil
		}
		it.announce(*next.Failure, protocol.Event{Another: true})
		known = append(known, unnumbered(next.Failure))
		if !strings.Contains(report, told) {
			report += heading + told
		}
	}
	return report, nil
}

// behindRaces looks for a failure that known data races hide, because every schedule may have them
// and a race precedes what it may have caused: they are only noted. It runs up to otherSchedules
// schedules in this process, as behindStall does. It returns r, which counts them, if it finds nothing.
func (it *item) behindRaces(cfg search.Config, r *verdict.Result) (*verdict.Result, error) {
	q := it.request
	races := func(c protocol.Cause) bool { return c.Kind == string(engine.KindRace) }
	if !r.Passed || r.Failure != nil || r.Suspect != "" || spent(r) || q.Worker || q.Card != "" || q.Seek != nil || cfg.Hurry() || !slices.ContainsFunc(q.Pass, races) {
		return r, nil
	}
	var err error
	if cfg.Plan, err = plan(q); err != nil {
		return nil, err
	}
	cfg.Bookmark, cfg.Races, cfg.Workers, cfg.Schedules = nil, engine.RacesNote, 1, min(otherSchedules, max(q.Schedules, 1))
	next, err := search.Run(it.ctx, cfg, it.body)
	if err != nil {
		return nil, err
	}
	if next.Verdict != verdict.Violated {
		r.Schedules += next.Schedules
		return r, nil
	}
	next.Bookmark = nil // it is of a search that no other process continues
	next.Schedules += r.Schedules
	return next, nil
}

// spent reports whether this process cannot explore any further.
func spent(r *verdict.Result) bool { return r.Lost || control.Astray() }

// reduced reports a failure in full before the search for what it hides, for which there may be no
// time.
func (it *item) reduced(e protocol.Event) {
	if !it.request.Worker {
		e.Found, e.Reduced = true, true
		it.tell(e)
	}
}

// suspected announces a further failure that is not confirmed and may be lost if the process must end.
func (it *item) suspected(f verdict.Failure) {
	it.announce(f, protocol.Event{Another: true, Unconfirmed: true})
}

// refuted withdraws the last suspected failure.
func (it *item) refuted() {
	it.tell(protocol.Event{Test: it.name, Found: true, Another: true, Unconfirmed: true})
}

// beside returns the report of a further failure; "" if the failure does not happen again in
// another process.
func (it *item) beside(r *verdict.Result) string {
	it.out.clear() // its output is not printed
	if e := it.confirmed(it.told(r), r); e.Verdict == verdict.Violated.String() && r.Failure != nil {
		return e.Report
	}
	return ""
}

// unnumbered returns the cause of a failure without the numbers of goroutines of one go statement,
// because it is chance which of them is the second.
func unnumbered(f *verdict.Failure) protocol.Cause {
	return protocol.Cause{Kind: string(f.Kind), Cause: strings.ReplaceAll(causeOf(f), " ##", "")}
}
