package soak

import (
	"context"
	"fmt"
	"math/rand/v2"
	"time"
)

// fleet has the processes of a run, and records what happened to them.
type fleet struct {
	cfg   Config
	dir   string
	url   string
	rng   *rand.Rand
	slots []*process // the present life of each process

	lives    []life
	kills    int
	restarts int
	freezes  int
	frozen   *process  // the frozen process, if any
	until    time.Time // when it is to continue
	problems []Problem

	serverRestarts int
}

func newFleet(cfg Config, dir, url string) *fleet {
	return &fleet{cfg: cfg, dir: dir, url: url, rng: rand.New(rand.NewPCG(cfg.Seed, 0)), slots: make([]*process, cfg.Processes)}
}

// plansAtATime returns how many plans are worked on at a time: so few that processes meet.
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

// pulse is the time between two looks at the processes.
const pulse = 100 * time.Millisecond

// restartEvery is the least time between two restarts of the server.
const restartEvery = 10 * time.Second

// run runs the processes for the set time, killing and restarting one at a time, and ends them. A process that exits by
// itself, or is stuck, is a problem, and ends the run. No process is left when run returns.
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

// frozenFor is how long a process is frozen. All its claims have expired by then.
const frozenFor = 4 * lease

// freeze freezes a process, unless one is frozen already.
func (f *fleet) freeze(slot int) {
	if p := f.slots[slot]; f.frozen == nil && !p.ended() {
		p.freeze()
		f.freezes++
		f.frozen, f.until = p, time.Now().Add(frozenFor)
	}
}

// thaw lets the frozen process continue, if there is one.
func (f *fleet) thaw() {
	if f.frozen != nil && !f.frozen.ended() {
		f.frozen.thaw()
	}
	f.frozen = nil
}

// untilKill draws the time until the next kill, uniformly between zero and twice the average, so that some kills hit a
// process that is still starting.
func (f *fleet) untilKill() time.Duration {
	return time.Duration(f.rng.Int64N(2 * int64(f.cfg.KillEvery)))
}

// strike kills a process and starts its next life.
func (f *fleet) strike(slot int) error {
	p := f.slots[slot]
	if p == f.frozen {
		f.frozen = nil // SIGKILL also ends a frozen process
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

// end asks all processes to end, and waits for them, for a bounded time.
func (f *fleet) end(ctx context.Context) error {
	for _, p := range f.slots {
		p.HangUp()
	}
	limit := time.NewTimer(3 * f.cfg.Stall) // for an operation, its lateness, and closing
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

// blame records the first problem of each life.
func (f *fleet) blame(p *process, what string) {
	for _, known := range f.problems {
		if known.life == p.life {
			return
		}
	}
	f.problems = append(f.problems, Problem{life: p.life, What: fmt.Sprintf("process %s %s", p.life, what), Excerpt: p.lastWords()})
}

// killAll kills the processes that are left.
func (f *fleet) killAll() {
	for _, p := range f.slots {
		if p != nil && !p.ended() {
			p.kill()
		}
	}
}
