package soak

import (
	"context"
	"fmt"
	"math/rand/v2"
	"time"
)

// fleet is the processes of a run, and what became of them.
type fleet struct {
	cfg   Config
	dir   string
	url   string
	rng   *rand.Rand
	slots []*process // the present life of each

	lives    []life
	kills    int
	restarts int
	freezes  int
	frozen   *process  // one that is, if any
	until    time.Time // when that is to go on
	problems []Problem

	serverRestarts int
}

func newFleet(cfg Config, dir, url string) *fleet {
	return &fleet{cfg: cfg, dir: dir, url: url, rng: rand.New(rand.NewPCG(cfg.Seed, 0)), slots: make([]*process, cfg.Processes)}
}

// plansAtATime is how many plans are worked on at a time: few enough that processes meet.
func plansAtATime(cfg Config) int { return max(2, cfg.Processes*cfg.Goroutines/3) }

// start begins the next life of a process.
func (f *fleet) start(slot int) error {
	l := life{Process: slot + 1, Life: 1}
	if p := f.slots[slot]; p != nil {
		l.Life = p.Life + 1
		f.restarts++
	}
	p, err := startProcess(f.cfg, job{
		life: l, URL: f.url, Dir: f.dir, Goroutines: f.cfg.Goroutines, Plans: plansAtATime(f.cfg), Seed: f.cfg.Seed,
		MaxAge: f.cfg.MaxAge, Relaxed: f.cfg.Relaxed, Stall: f.cfg.Stall,
	})
	if err != nil {
		return err
	}
	f.slots[slot] = p
	f.lives = append(f.lives, l)
	return nil
}

// pulse is how often the processes are looked after.
const pulse = 100 * time.Millisecond

// restartEvery is how long the server is left alone, at least.
const restartEvery = 10 * time.Second

// run runs the processes for the set time, killing and restarting one at a time, and ends them. A process that ends by itself, or
// that is stuck, is a problem, and ends the run. When run returns no process is left.
func (f *fleet) run(ctx context.Context) error {
	defer f.killAll()
	defer f.thaw()
	for slot := range f.slots {
		if err := f.start(slot); err != nil {
			return err
		}
	}
	began := time.Now()
	next := f.untilKill()
	restart := min(f.cfg.Time/2, restartEvery)
	tick := time.NewTicker(pulse)
	defer tick.Stop()
	for time.Since(began) < f.cfg.Time && f.sound() {
		select {
		case <-ctx.Done():
			return fmt.Errorf("soak: %w", ctx.Err())
		case <-tick.C:
		}
		if f.frozen != nil && time.Now().After(f.until) {
			f.thaw()
		}
		if f.cfg.Restart != nil && time.Since(began) >= restart {
			if err := f.cfg.Restart(ctx); err != nil {
				return fmt.Errorf("soak: restart the server: %w", err)
			}
			f.serverRestarts++
			restart = time.Since(began) + restartEvery + time.Duration(f.rng.Int64N(int64(restartEvery)))
		}
		if time.Since(began) < next {
			continue
		}
		next += f.untilKill()
		if err := f.strike(f.rng.IntN(len(f.slots))); err != nil {
			return err
		}
		f.freeze(f.rng.IntN(len(f.slots)))
		f.cfg.Progress(fmt.Sprintf("%v of %v · %d kills", time.Since(began).Round(time.Second), f.cfg.Time, f.kills))
	}
	f.thaw()
	return f.end(ctx)
}

// frozenFor is how long a process is frozen: whatever it has claimed is over by then.
const frozenFor = 4 * lease

// freeze freezes a process, unless one is.
func (f *fleet) freeze(slot int) {
	if p := f.slots[slot]; f.frozen == nil && !p.ended() {
		p.freeze()
		f.freezes++
		f.frozen, f.until = p, time.Now().Add(frozenFor)
	}
}

// thaw lets the process go on that is frozen, if one is.
func (f *fleet) thaw() {
	if f.frozen != nil && !f.frozen.ended() {
		f.frozen.thaw()
	}
	f.frozen = nil
}

// untilKill draws the time until the next kill: evenly between none and twice the average, so that some strike a process that has not
// begun.
func (f *fleet) untilKill() time.Duration {
	return time.Duration(f.rng.Int64N(2 * int64(f.cfg.KillEvery)))
}

// strike kills a process and starts its next life.
func (f *fleet) strike(slot int) error {
	p := f.slots[slot]
	if p == f.frozen {
		f.frozen = nil // it dies as it is
	}
	if !p.kill() {
		f.blame(p, "ended by itself with "+p.Wait().String())
		return nil
	}
	f.kills++
	if err := p.hello.check(); err != nil {
		return err
	}
	return f.start(slot)
}

// sound reports whether every process is alive and working.
func (f *fleet) sound() bool {
	for _, p := range f.slots {
		switch {
		case p.ended():
			f.blame(p, "ended by itself with "+p.Wait().String())
		case p.silent() > f.cfg.Stall:
			p.dump()
			f.blame(p, fmt.Sprintf("is stuck: it has written nothing for %v", f.cfg.Stall))
		}
	}
	return len(f.problems) == 0
}

// end asks all processes to end, and gives them time to.
func (f *fleet) end(ctx context.Context) error {
	for _, p := range f.slots {
		p.HangUp()
	}
	limit := time.NewTimer(3 * f.cfg.Stall) // an operation, what it may be late, and closing
	defer limit.Stop()
	for _, p := range f.slots {
		select {
		case <-p.Done():
			if !p.Wait().State.Success() && !p.killed {
				f.blame(p, "was asked to end, and did with "+p.Wait().String())
			}
		case <-ctx.Done():
			return fmt.Errorf("soak: %w", ctx.Err())
		case <-limit.C:
			limit.Reset(0)
			p.dump()
			f.blame(p, fmt.Sprintf("was asked to end, and did not within %v", 3*f.cfg.Stall))
		}
		if err := p.hello.check(); err != nil {
			return err
		}
	}
	return nil
}

// blame notes a problem with a process, once.
func (f *fleet) blame(p *process, what string) {
	for _, known := range f.problems {
		if known.life == p.life {
			return
		}
	}
	f.problems = append(f.problems, Problem{life: p.life, What: fmt.Sprintf("process %s %s", p.life, what), Excerpt: p.lastWords()})
}

// killAll ends what is left.
func (f *fleet) killAll() {
	for _, p := range f.slots {
		if p != nil && !p.ended() {
			p.kill()
		}
	}
}
