package guest

import (
	"os/exec"
	"time"

	"github.com/jacquard-go/jacquard/internal/verdict"
	"github.com/jacquard-go/jacquard/suite/protocol"
)

// patience is how long an item may be explored: for a time, or in turns. It says
// too how many processes may do so.
type patience struct {
	it        *item
	end       time.Time       // if it is not zero
	turns     *protocol.Turns // if it is not nil
	processes int             // this one, and those that were started
}

// wait waits for the first turn, if there are turns.
func (it *item) wait() (*patience, error) {
	p := &patience{it: it, processes: 1}
	if q := it.request; q.Mode != protocol.Explore {
		return p, nil
	} else if q.Turns != "" {
		turns, err := protocol.OpenTurns(q.Turns)
		if err != nil {
			return nil, err
		}
		p.turns = turns
		_, err = turns.Next() // where there is none, there is one schedule
		return p, err
	} else if q.Time > 0 {
		p.end = time.Now().Add(q.Time)
	}
	return p, nil
}

// beat is how often it is told within a turn how far the item has come.
const beat = time.Second

// over reports whether no schedule is to be begun any more.
func (p *patience) over(sofar verdict.Result) bool {
	if p.turns != nil && !p.turns.Over() && time.Since(p.it.spoke) >= beat {
		p.it.spoke = time.Now()
		p.it.tell(protocol.Event{Test: p.it.name, Alive: true, Schedules: sofar.Schedules, Distinct: sofar.Distinct, Points: sofar.Points})
	}
	switch {
	case p.turns != nil && p.turns.Over():
		p.it.tell(protocol.Event{Test: p.it.name, Pause: true, Schedules: sofar.Schedules, Distinct: sofar.Distinct, Points: sofar.Points})
		more, err := p.turns.Next()
		if err != nil {
			giveUp(err)
		}
		return !more
	case p.turns == nil && !p.end.IsZero():
		return !time.Now().Before(p.end)
	}
	return false
}

// hurry reports whether what was found is to be told as it is.
func (p *patience) hurry() bool { return p.turns != nil && p.turns.Last() }

// worker is another process for the item's schedules, nil if there may be no more
// for now; see explore.Config.
func (p *patience) worker() *exec.Cmd {
	most := p.it.request.Workers
	if p.turns != nil {
		most = min(most, p.turns.Processes())
	}
	if p.processes >= most {
		return nil
	}
	cmd, err := p.it.worker()
	if err != nil {
		giveUp(err)
	}
	p.processes++
	return cmd
}
