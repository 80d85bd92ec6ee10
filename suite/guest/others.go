package guest

import (
	"slices"
	"strings"

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

// others looks for failures of other causes than the one that was found, and reports
// them. Behind a data race, where every schedule has it, races are only noted, and all
// schedules that are left are run.
func (it *item) others(cfg search.Config, r *verdict.Result) (report string, err error) {
	if r.Failure == nil || r.Failure.Of == engine.KindLivelock || r.Lost || it.request.Worker || len(it.request.Pass) > 0 || it.request.Card != "" || it.request.Seek != nil {
		return "", nil
	}
	heading := "\nanother failure:\n"
	cfg.Bookmark, cfg.Found, cfg.Schedules = nil, nil, min(otherSchedules, max(cfg.Schedules, 1))
	if r.Failure.Of == engine.KindRace {
		heading = "\nanother failure, where data races are only noted:\n"
		cfg.Races, cfg.Schedules = engine.RacesNote, max(it.request.Schedules-r.Schedules, 1)
	}
	known := []protocol.Cause{unnumbered(r.Failure)}
	cfg.Pass = func(f verdict.Failure) bool {
		found := unnumbered(&f)
		return slices.ContainsFunc(known, func(c protocol.Cause) bool { return c.Is(found) })
	}
	for len(known) <= mostOthers {
		if cfg.Plan, err = plan(it.request); err != nil {
			return "", err
		}
		next, err := search.Run(it.ctx, cfg, it.body)
		if err != nil || next.Verdict != verdict.Violated {
			return report, err
		}
		it.out.clear() // what is not printed says nothing
		e := it.told(next)
		e.Test = it.name
		if e = it.confirmed(e, next); e.Verdict != verdict.Violated.String() || next.Failure == nil {
			return report, nil
		}
		known = append(known, unnumbered(next.Failure))
		if !strings.Contains(report, e.Report) {
			report += heading + e.Report
		}
	}
	return report, nil
}

// unnumbered is what failed, whichever of several goroutines it was that one go statement
// has started: who is the second of them is chance.
func unnumbered(f *verdict.Failure) protocol.Cause {
	return protocol.Cause{Kind: string(f.Kind), Cause: strings.ReplaceAll(causeOf(f), " ##", "")}
}
