package guest

import (
	"os/exec"
	"time"

	"github.com/jacquard-go/jacquard/internal/verdict"
	"github.com/jacquard-go/jacquard/suite/protocol"
)

// patience says how long an item may be explored, for a fixed time or in turns, and by how many
// processes.
type patience struct {
	it        *item
	end       time.Time       // unless zero
	turns     *protocol.Turns // unless nil
	last      bool            // there are no more turns
	processes int             // running ones, including this one
}

// wait waits for the first turn, if the request has turns.
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
		_, err = turns.Next() // without a turn there is still one schedule
		return p, err
	} else if q.Time > 0 {
		p.end = time.Now().Add(q.Time)
	}
	return p, nil
}

// beat is how often the item reports its progress within a turn.
const beat = time.Second

// over reports whether no further schedule may begin.
func (p *patience) over(sofar verdict.Result) bool {
	if p.last {
		return true // the result is told, and no turn
	}
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
		p.last = !more
		return p.last
	case p.turns == nil && !p.end.IsZero():
		return !time.Now().Before(p.end)
	}
	return false
}

// hurry reports whether failures must be reported without further reduction.
func (p *patience) hurry() bool { return p.turns != nil && p.turns.Last() }

// worker returns another process for the item's schedules, or nil if no more are allowed now; see
// explore.Config.
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
