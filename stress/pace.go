package stress

import (
	"slices"
	"sync"
	"time"
)

// Pace says that after so many seconds there had been so many rounds.
type Pace struct {
	Seconds float64 `json:"seconds"`
	Rounds  int64   `json:"rounds"`
}

const (
	paces    = 20                     // how often a campaign is looked at
	leastGap = 100 * time.Millisecond // between two looks
)

// pacer looks from time to time how many rounds a child has begun. It is the parent that looks, so that a child that crashes is seen too.
type pacer struct {
	dir   string
	began time.Time
	over  chan struct{}
	ended sync.WaitGroup
	seen  []Pace // written by the goroutine, read when that has ended
}

// watchPace begins to look.
func watchPace(j job) *pacer {
	p := &pacer{dir: j.Dir, began: time.Now(), over: make(chan struct{})}
	p.ended.Go(func() {
		tick := time.NewTicker(max(leastGap, j.Time/paces))
		defer tick.Stop()
		for {
			select {
			case <-p.over:
				return
			case <-tick.C:
			}
			if rounds, _, err := readProgress(p.dir); err == nil {
				p.note(rounds)
			}
		}
	})
	return p
}

func (p *pacer) note(rounds int64) {
	p.seen = append(p.seen, Pace{time.Since(p.began).Seconds(), rounds})
}

// end stops looking. It returns what was seen, and in the end all rounds.
func (p *pacer) end(rounds int64) []Pace {
	close(p.over)
	p.ended.Wait()
	p.note(rounds)
	return p.seen
}

// mostPaces is how many of a campaign are kept.
const mostPaces = 4 * paces

// after is what was seen of one process and then of another one.
func after(one, other []Pace) []Pace {
	all := slices.Clone(one)
	var last Pace
	if len(one) > 0 {
		last = one[len(one)-1]
	}
	for _, p := range other {
		all = append(all, Pace{last.Seconds + p.Seconds, last.Rounds + p.Rounds})
	}
	for len(all) > mostPaces {
		all = halved(all)
	}
	return all
}

// halved is every second one, and the last.
func halved(all []Pace) []Pace {
	var some []Pace
	for i, p := range all {
		if (len(all)-1-i)%2 == 0 {
			some = append(some, p)
		}
	}
	return some
}
