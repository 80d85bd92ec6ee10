package verdict

import (
	"fmt"
	"time"
)

// A Pace is how long the schedules without a failure take, by the clock of the program
// and without those in which somebody was held up.
type Pace struct {
	Schedules   int
	Least, Most time.Duration
}

// Add counts one more.
func (p *Pace) Add(d time.Duration) {
	if p.Schedules++; p.Schedules == 1 {
		p.Least = d
	}
	p.Least, p.Most = min(p.Least, d), max(p.Most, d)
}

// slower is by how much times have to differ to be told of.
const slower = time.Second

// Differs says how long schedules take, if some take far longer than others: "" if they
// do not. So it is where a wake-up is lost, and a timer makes up for that later.
func (p *Pace) Differs() string {
	if p.Most-p.Least < slower {
		return ""
	}
	return fmt.Sprintf("%v of its own time by some schedules, %v by others", p.Least.Round(time.Millisecond), p.Most.Round(time.Millisecond))
}
