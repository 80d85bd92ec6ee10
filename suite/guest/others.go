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

// One failure may hide another one. So when a test has failed it is explored once more,
// without what is known, until nothing else is found: at most so often, and by so many
// schedules each time.
const (
	mostOthers     = 2
	otherSchedules = 150
)

// more looks for what the failure that was found hides.
func (it *item) more(cfg search.Config, e protocol.Event, r *verdict.Result) (protocol.Event, *verdict.Result, error) {
	var known []protocol.Cause
	stalled, report := r, ""
	next, err := it.behindStall(cfg, r)
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
	others, err := it.others(cfg, r, known)
	if err != nil {
		return protocol.Event{}, nil, err
	}
	e.Report += report + others
	return e, r, nil
}

// others looks for failures of other causes than those that were found, and reports
// them. Behind a data race, where every schedule has it, races are only noted, and all
// schedules that are left are run.
func (it *item) others(cfg search.Config, r *verdict.Result, known []protocol.Cause) (report string, err error) {
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
		if err != nil || next.Verdict != verdict.Violated {
			return report, err
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

// spent reports whether nothing more can be explored in this process.
func spent(r *verdict.Result) bool { return r.Lost || control.Astray() }

// reduced tells all of a failure before the search for what it hides, which there may be no
// time for.
func (it *item) reduced(e protocol.Event) {
	if !it.request.Worker {
		e.Found, e.Reduced = true, true
		it.tell(e)
	}
}

// suspected tells of a failure beside the first that may yet be lost, if the process has to go.
func (it *item) suspected(f verdict.Failure) {
	it.announce(f, protocol.Event{Another: true, Unconfirmed: true})
}

// refuted takes back what was suspected last.
func (it *item) refuted() {
	it.tell(protocol.Event{Test: it.name, Found: true, Another: true, Unconfirmed: true})
}

// beside is the report of a failure beside the one of the test; empty if it does not
// happen again in another process.
func (it *item) beside(r *verdict.Result) string {
	it.out.clear() // what is not printed says nothing
	if e := it.confirmed(it.told(r), r); e.Verdict == verdict.Violated.String() && r.Failure != nil {
		return e.Report
	}
	return ""
}

// unnumbered is what failed, whichever of several goroutines it was that one go statement
// has started: who is the second of them is chance.
func unnumbered(f *verdict.Failure) protocol.Cause {
	return protocol.Cause{Kind: string(f.Kind), Cause: strings.ReplaceAll(causeOf(f), " ##", "")}
}
