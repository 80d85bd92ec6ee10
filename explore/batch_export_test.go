package explore

// A Picker decides a schedule.
type Picker = picker

// InBatches runs at most so many schedules of a strategy in batches, those of a
// batch in reverse, and tells the strategy of them in their order.
func InBatches(s Strategy, most int, run func(Picker) []Decision) (batches []int) {
	stage := stageRun{strategy: drawerOf(s)}
	for most > 0 {
		batch := stage.draw(most)
		if len(batch) == 0 {
			break
		}
		runs := make([][]Decision, len(batch))
		for i := len(batch) - 1; i >= 0; i-- {
			p, _ := batch[i].start()
			runs[i] = run(p)
		}
		for i, drawn := range batch {
			stage.strategy.ran(drawn, Trace{Decisions: runs[i]})
		}
		most -= len(batch)
		batches = append(batches, len(batch))
	}
	return batches
}
