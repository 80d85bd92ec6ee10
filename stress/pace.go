package stress

import (
	"slices"
	"sync"
	"time"
)

// Pace is the number of rounds that were begun after some seconds.
type Pace struct {
	Seconds float64 `json:"seconds"`
	Rounds  int64   `json:"rounds"`
}

const (
	paces    = 20                     // samples per campaign
	leastGap = 100 * time.Millisecond // between two samples
)

// pacer samples how many rounds a child has begun. The parent does it, so that a child that crashes is sampled too.
type pacer struct {
	dir   string
	began time.Time
	over  chan struct{}
	ended sync.WaitGroup
	seen  []Pace // written by the goroutine, and read after it has ended
}

// watchPace starts sampling.
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

// end stops sampling. It returns the samples, the last of which has all rounds.
func (p *pacer) end(rounds int64) []Pace {
	close(p.over)
	p.ended.Wait()
	p.note(rounds)
	return p.seen
}

// mostPaces is how many samples of a campaign are kept.
const mostPaces = 4 * paces

// after appends the samples of another process to those of one.
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

// halved returns every second sample, including the last.
func halved(all []Pace) []Pace {
	var some []Pace
	for i, p := range all {
		if (len(all)-1-i)%2 == 0 {
			some = append(some, p)
		}
	}
	return some
}
