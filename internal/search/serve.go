package search

import (
	"fmt"

	"github.com/jacquard-go/jacquard/internal/schedule"
	"github.com/jacquard-go/jacquard/internal/source"
	"github.com/jacquard-go/jacquard/internal/verdict"
	"github.com/jacquard-go/jacquard/internal/workers"
)

// serve is Run in a worker. An exploration before the one that the worker serves
// returns the result that it had in the process that started the worker.
func (x *explorer) serve(p *workers.Role) (*verdict.Result, error) {
	if number := x.workers.Exploration.Number; number != p.Number {
		return p.Earlier(number, x.cfg.Name)
	}
	if p.Told().First {
		x.opens(p)
		p.Quit(0, "") // the asking process reads no more
	}
	if ok, err := x.repeatable(); !ok || err != nil {
		p.Quit(1, fmt.Sprintf("%s %v", x.result.Reason, err))
	}
	id, err := x.identity()
	if err != nil {
		p.Quit(1, err.Error())
	}
	x.First = false // the first executions, which get more patience, are over
	p.Serve(id, runner{x})
	return nil, nil
}

// A runner runs schedules for another process.
type runner struct{ x *explorer }

func (w runner) Try(s schedule.Schedule, points workers.Structure) workers.Course {
	w.x.pointsAre(points)
	return w.x.try(s)
}

// pointsAre makes points and failures those of the exploring process, which may look for others than
// the search that a process is started for.
func (x *explorer) pointsAre(points workers.Structure) {
	x.cfg.Stall, x.Settings.Stall, x.Settings.Races = points.Stall, max(points.Stall, 0), points.Races
	x.Watched = points.Watched
	x.Memory = x.Memory[:0]
	x.Observe(points.Observers)
	for _, pc := range points.Memory {
		x.Memory = append(x.Memory, source.Absolute(pc))
	}
}

func (w runner) Gone() bool { return w.x.Lost }
