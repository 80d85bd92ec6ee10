package explore

import (
	"bytes"
	"context"
	"encoding/gob"
	"errors"
	"io"
	"time"
)

// WithWorkers returns a Config with n processes that are there from the
// beginning. started is called with the number of each but this one, helped in
// the end with the number of schedules that they ran.
func WithWorkers(cfg Config, n int, started, helped func(int)) Config {
	cfg.Workers = n
	cfg.crew = crewOptions{eager: true, started: started, helped: helped}
	return cfg
}

// A Course is what came of a schedule.
type Course = course

// Travelled returns a course as it arrives from another process.
func Travelled(c Course) (Course, error) {
	var b bytes.Buffer
	if err := gob.NewEncoder(&b).Encode(saying{Reports: []*report{reportOf(1, 2, c)}}); err != nil {
		return Course{}, err
	}
	var s saying
	if err := gob.NewDecoder(&b).Decode(&s); err != nil {
		return Course{}, err
	}
	return s.Reports[0].course()
}

// DecodeRun reads the decisions of a course.
func DecodeRun(b []byte) ([]Decision, error) { return decodeRun(b) }

// EncodeRun writes them.
func EncodeRun(run []Decision) []byte { return encodeRun(run) }

// Played returns what each of the first schedules of a strategy chooses, as
// it is, or as it arrives in another process.
func Played(s Strategy, n int, travel bool, play func(Picker) []Decision) ([][]Decision, error) {
	var all [][]Decision
	d := drawerOf(s)
	d.Reset(1)
	for range n {
		next, ok := d.draw()
		if !ok {
			break
		}
		going := next
		if travel {
			var b bytes.Buffer
			var there task
			err := errors.Join(
				gob.NewEncoder(&b).Encode(task{Schedules: []tasked{{Index: 1, Schedule: next}}}),
				gob.NewDecoder(&b).Decode(&there))
			if err != nil {
				return nil, err
			}
			going = there.Schedules[0].Schedule
		}
		p, seed := going.start()
		if _, want := next.start(); seed != want {
			return nil, errors.New("another seed")
		}
		run := play(p)
		d.ran(next, Trace{Decisions: run})
		all = append(all, run)
	}
	return all, nil
}

// A Mate is a worker that is made up: it reads what the crew writes and writes
// what it likes.
type Mate struct {
	In  io.Reader
	Out io.Writer
}

// Greet reads the briefing and says that the mate is at exploration number.
func (m Mate) Greet(number int) error {
	var b briefing
	return errors.Join(
		gob.NewDecoder(m.In).Decode(&b),
		gob.NewEncoder(m.Out).Encode(saying{Hello: &hello{identity{Number: number}}}))
}

// Serve is an honest worker from after its briefing on: it runs what it is
// asked to, and change may change what it reports, or say false to report it not
// at all. It returns at the end of the stream.
func (m Mate) Serve(run func(seed uint64) Course, change func(batch, index int, c Course) (int, Course, bool)) {
	hear, say := gob.NewDecoder(m.In), gob.NewEncoder(m.Out)
	var b briefing
	if hear.Decode(&b) != nil || say.Encode(saying{Hello: &hello{identity{Number: 1}}}) != nil {
		return
	}
	for {
		var t task
		if hear.Decode(&t) != nil {
			return
		}
		for _, next := range t.Schedules {
			_, seed := next.Schedule.start()
			index, c, ok := change(t.Batch, next.Index, run(seed))
			if ok && say.Encode(saying{Reports: []*report{reportOf(t.Batch, index, c)}}) != nil {
				return
			}
		}
	}
}

// CourseOf is a course that can be told from others by its seed.
func CourseOf(seed uint64) Course {
	return Course{digest: seed, order: seed, run: []Decision{{Runnable: 2, hash: seed}}}
}

// Changed is c with another digest.
func Changed(c Course) Course {
	c.digest++
	return c
}

// Crew runs batches of so many random walks with mates that are made up, and
// returns the seeds of the courses in the order in which they were taken, the
// number of schedules that mates ran, and why mates were given up.
func Crew(ctx context.Context, batches, size int, silence time.Duration, run func(seed uint64) Course, mates ...func(Mate)) (taken []uint64, helped int, lost []error) {
	own := func(s schedule) course {
		_, seed := s.start()
		return run(seed)
	}
	c := newCrew(ctx, own, func(_ *worker, why error) { lost = append(lost, why) }, silence)
	for _, mate := range mates {
		theirIn, out := io.Pipe()
		in, theirOut := io.Pipe()
		over := make(chan struct{})
		go func() {
			defer close(over)
			mate(Mate{theirIn, theirOut})
			_ = theirOut.Close()
			_, _ = io.Copy(io.Discard, theirIn)
		}()
		c.workers = append(c.workers, c.talk(in, out, &briefing{}, identity{Number: 1}, func() string {
			_, _ = theirIn.Close(), theirOut.Close()
			_, _ = in.Close(), out.Close()
			<-over
			return ""
		}))
	}
	c.greet()
	strategy := &randomWalk{}
	strategy.Reset(1)
	for range batches {
		var batch []schedule
		for range size {
			next, _ := strategy.draw()
			batch = append(batch, next)
		}
		err := c.run(batch, nil, func(s schedule, c course) (bool, error) {
			taken = append(taken, c.digest)
			return true, nil
		})
		if err != nil {
			lost = append(lost, err)
			break
		}
	}
	c.end()
	return taken, c.helped, lost
}
