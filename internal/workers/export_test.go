package workers

import (
	"bytes"
	"context"
	"encoding/gob"
	"errors"
	"io"
	"time"

	"github.com/jacquard-go/jacquard/internal/child"
	"github.com/jacquard-go/jacquard/internal/schedule"
	"github.com/jacquard-go/jacquard/internal/strategy"
)

// Travelled returns a course after encoding and decoding it as a message.
func Travelled(c Course) (Course, error) {
	var b bytes.Buffer
	if err := gob.NewEncoder(&b).Encode(Message{Reports: []*Report{ReportOf(1, 2, c)}}); err != nil {
		return Course{}, err
	}
	var s Message
	if err := gob.NewDecoder(&b).Decode(&s); err != nil {
		return Course{}, err
	}
	return s.Reports[0].Course()
}

// DecodeRun decodes the decisions of a course.
func DecodeRun(b []byte) ([]schedule.Decision, error) { return schedule.DecodeRun(b) }

// EncodeRun encodes the decisions of a course.
func EncodeRun(run []schedule.Decision) []byte { return schedule.EncodeRun(run) }

// A Mate is a fake worker: it reads what the pool writes, and writes arbitrary
// messages.
type Mate struct {
	In  io.Reader
	Out io.Writer
}

// Greet reads the briefing and reports that the mate is at the exploration with that number.
func (m Mate) Greet(number int) error {
	var b briefing
	return errors.Join(
		gob.NewDecoder(m.In).Decode(&b),
		gob.NewEncoder(m.Out).Encode(Message{Hello: &hello{Identity{Number: number}}}))
}

// Serve acts as a correct worker from its briefing on: it runs the schedules of its
// jobs. change may alter a report, or return false to suppress it. Serve returns at the
// end of the stream.
func (m Mate) Serve(run func(seed uint64) Course, change func(batch, index int, c Course) (int, Course, bool)) {
	hear, say := gob.NewDecoder(m.In), gob.NewEncoder(m.Out)
	var b briefing
	if hear.Decode(&b) != nil || say.Encode(Message{Hello: &hello{Identity{Number: 1}}}) != nil {
		return
	}
	for {
		var t Job
		if hear.Decode(&t) != nil {
			return
		}
		for _, next := range t.Schedules {
			_, seed := next.Schedule.Start()
			index, c, ok := change(t.Batch, next.Index, run(seed))
			if ok && say.Encode(Message{Reports: []*Report{ReportOf(t.Batch, index, c)}}) != nil {
				return
			}
		}
	}
}

// CourseOf returns a course that is identified by its seed.
func CourseOf(seed uint64) Course {
	return Course{Digest: seed, Order: seed, Run: []schedule.Decision{{Runnable: 2, Hash: seed}}}
}

// Changed returns c with another digest.
func Changed(c Course) Course {
	c.Digest++
	return c
}

// RunBatches runs batches of size random walks each with fake workers. It returns the
// seeds of the courses in the order in which they were taken, the number of schedules
// that mates ran, and why mates were given up.
func RunBatches(ctx context.Context, batches, size int, silence time.Duration, run func(seed uint64) Course, mates ...func(Mate)) (taken []uint64, helped int, lost []error) {
	own := func(s schedule.Schedule) Course {
		_, seed := s.Start()
		return run(seed)
	}
	c := newPool(ctx, own, func(_ *worker, why error) { lost = append(lost, why) }, silence)
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
		c.workers = append(c.workers, c.talk(child.Gob(in, out), &briefing{}, Identity{Number: 1}, func() string {
			_, _ = theirIn.Close(), theirOut.Close()
			_, _ = in.Close(), out.Close()
			<-over
			return ""
		}))
	}
	c.greet()
	strategy := schedule.DrawerOf(strategy.RandomWalk())
	strategy.Reset(1)
	for range batches {
		var batch []schedule.Schedule
		for range size {
			next, _ := strategy.Draw()
			batch = append(batch, next)
		}
		err := c.Run(batch, Structure{}, func(s schedule.Schedule, c Course) (bool, error) {
			taken = append(taken, c.Digest)
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
