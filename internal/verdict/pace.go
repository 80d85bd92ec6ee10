package verdict

import (
	"fmt"
	"time"
)

// A Pace records how long schedules without a failure take, in the program's virtual
// time. It leaves out schedules in which goroutines were held up.
type Pace struct {
	Schedules   int
	Least, Most time.Duration
}

// Add records one more schedule.
func (p *Pace) Add(d time.Duration) {
	if p.Schedules++; p.Schedules == 1 {
		p.Least = d
	}
	p.Least, p.Most = min(p.Least, d), max(p.Most, d)
}

// slower is the difference from which on Differs reports durations.
const slower = time.Second

// Differs describes how long schedules take if some take far longer than others; else it
// returns "". A difference occurs where a wake-up is lost, and a timer makes up for that later.
func (p *Pace) Differs() string {
	if p.Most-p.Least < slower {
		return ""
	}
	return fmt.Sprintf("%v of its own time by some schedules, %v by others", p.Least.Round(time.Millisecond), p.Most.Round(time.Millisecond))
}
