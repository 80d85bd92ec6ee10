package system

import "time"

// leastLooks is the minimum number of looks at something before it is given
// up.
const leastLooks = 100

// shortLook is the shortest interval between two looks that counts in full.
const shortLook = time.Millisecond

// A Patience is a real-time budget for waiting. A long interval between two looks costs
// little of it: while the machine is suspended, or too busy for this process, what is
// waited for makes no progress either.
type Patience struct {
	left   time.Duration
	most   time.Duration // that one look may cost
	looked time.Time
}

// NewPatience returns a budget that is full.
func NewPatience(limit time.Duration) Patience {
	return Patience{left: limit, most: max(limit/leastLooks, shortLook), looked: time.Now()}
}

// Over charges the time since the last look, and reports whether the budget is used up.
func (p *Patience) Over() bool {
	now := time.Now()
	p.left -= min(now.Sub(p.looked), p.most)
	p.looked = now
	return p.left <= 0
}

// Look returns how long to wait between two looks, at most.
func (p *Patience) Look() time.Duration { return p.most }
