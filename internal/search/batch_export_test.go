package search

import (
	"bytes"
	"encoding/gob"
	"errors"

	"github.com/jacquard-go/jacquard/internal/schedule"
)

// A Picker decides a schedule.
type Picker = schedule.Picker

// InBatches draws up to most schedules of a strategy in batches. It runs each batch in
// reverse order, and reports its executions to the strategy in the order of drawing.
func InBatches(s schedule.Strategy, most int, run func(Picker) []schedule.Decision) (batches []int) {
	stage := stageRun{strategy: schedule.DrawerOf(s)}
	for most > 0 {
		batch := stage.draw(most)
		if len(batch) == 0 {
			break
		}
		runs := make([][]schedule.Decision, len(batch))
		for i := len(batch) - 1; i >= 0; i-- {
			p, _ := batch[i].Start()
			runs[i] = run(p)
		}
		for i, drawn := range batch {
			stage.strategy.Ran(drawn, schedule.Trace{Decisions: runs[i]})
		}
		most -= len(batch)
		batches = append(batches, len(batch))
	}
	return batches
}

// Played returns the choices in each of a strategy's first n schedules, either as drawn or,
// with travel, as another process receives them.
func Played(s schedule.Strategy, n int, travel bool, play func(schedule.Picker) []schedule.Decision) ([][]schedule.Decision, error) {
	var all [][]schedule.Decision
	d := schedule.DrawerOf(s)
	d.Reset(1)
	for range n {
		next, ok := d.Draw()
		if !ok {
			break
		}
		going := next
		if travel {
			var b bytes.Buffer
			var there []schedule.Schedule
			err := errors.Join(gob.NewEncoder(&b).Encode([]schedule.Schedule{next}), gob.NewDecoder(&b).Decode(&there))
			if err != nil {
				return nil, err
			}
			going = there[0]
		}
		p, seed := going.Start()
		if _, want := next.Start(); seed != want {
			return nil, errors.New("another seed")
		}
		run := play(p)
		d.Ran(next, schedule.Trace{Decisions: run})
		all = append(all, run)
	}
	return all, nil
}

// Digest identifies the part of a Config that executions depend on.
func Digest(c Config) uint64 { return c.digest() }
