package explore_test

import (
	"context"
	"fmt"

	"github.com/jacquard-go/jacquard/explore"
)

func ExamplePCT() {
	fmt.Println(try(explore.PCT(2), wrong).Failure.Strategy)
	// Output: pct
}

func ExamplePOS() {
	fmt.Println(try(explore.POS(), wrong).Failure.Strategy)
	// Output: pos
}

func ExampleDirected() {
	fmt.Println(try(explore.Directed(), wrong).Failure.Strategy)
	// Output: directed
}

func ExampleGuided() {
	fmt.Println(try(explore.Guided(), wrong).Failure.Strategy)
	// Output: guided
}

func ExampleSURW() {
	fmt.Println(try(explore.SURW(), wrong).Failure.Strategy)
	// Output: surw
}

func ExampleRandomWalk() {
	fmt.Println(try(explore.RandomWalk(), wrong).Failure.Strategy)
	// Output: random
}

func ExampleDepthFirst() {
	r := try(explore.DepthFirst(1), right)
	fmt.Println(r.Verdict, r.Exhausted, r.Bound)
	// Output: holds true 1
}

func ExampleReduced() {
	r := try(explore.Reduced(1), right)
	fmt.Println(r.Verdict, r.Exhausted, r.Bound)
	// Output: holds true 1
}

func ExampleDPOR() {
	fmt.Println(try(explore.DPOR(), right).Verdict)
	// Output: holds
}

// A plan may extend the default one.
func ExampleDefaultPlan() {
	plan := append(explore.DefaultPlan(), explore.Stage{Strategy: explore.POS(), Schedules: 50})
	r, err := explore.Run(context.Background(), explore.Config{Plan: plan}, right)
	fmt.Println(r.Verdict, err)
	// Output: holds <nil>
}

// last is a strategy that always runs the goroutine that was started last.
type last struct{ begun int }

func (*last) Name() string                         { return "last" }
func (s *last) Reset(uint64)                       { s.begun = 0 }
func (s *last) Begin() (uint64, bool)              { s.begun++; return uint64(s.begun), s.begun <= 3 }
func (*last) Pick(p *explore.Point) explore.Choice { return explore.Choice{Index: len(p.Runnable) - 1} }
func (*last) End(explore.Trace)                    {}

func ExampleStrategy() {
	r := try(new(last), right)
	fmt.Println(r.Verdict, r.Schedules, "schedules,", r.Distinct, "distinct")
	// Output: holds 3 schedules, 1 distinct
}

func ExamplePoint() {
	p := &explore.Point{Runnable: []uint32{2, 3}, Current: 0, Next: 1}
	fmt.Println(p.Default(), p.Preempts(1))
	p.Yielded = true
	fmt.Println(p.Default(), p.Preempts(1))
	// Output:
	// 0 true
	// 1 false
}

func ExampleDecision() {
	d := explore.Decision{Runnable: 2, Default: 0, Chosen: explore.Choice{Index: 1}}
	fmt.Println(d.Deviates())
	// Output: true
}

func ExampleOperation() {
	read := explore.Operation{Object: 1, Mode: explore.Reads}
	write := explore.Operation{Object: 1, Mode: explore.Changes}
	fmt.Println(read.Conflicts(read), read.Conflicts(write))
	// Output: false true
}

// A hundred schedules of depth 2 for two goroutines with ten decisions.
func ExamplePCTBound() {
	b := explore.PCTBound{Schedules: []int{0, 100}, Goroutines: 2, Points: 10}
	fmt.Printf("%.3f\n", b.Miss(2))
	// Output: 0.006
}

func ExampleResult() {
	exhausted := &explore.Result{Verdict: explore.Holds, Exhausted: true, Bound: 2, Searched: 24}
	unknown := &explore.Result{Reason: "nothing to explore"}
	fmt.Println(exhausted.Summary())
	fmt.Println(unknown.Summary())
	// Output:
	// exhausted at ≤ 2 preemptions: 24 schedules
	// nothing to explore
}

func ExampleVerdict() {
	var v explore.Verdict
	fmt.Println(v, explore.Holds, explore.Violated)
	// Output: unknown holds violated
}

// The report of a race has its two accesses.
func ExampleRaceReport() {
	n := 0
	r := try(explore.DepthFirst(0), func(t *explore.T) {
		t.Go("one", func() { n++ })
		t.Go("two", func() { n++ })
		t.Wait()
	})
	race := r.Noted[0]
	fmt.Println(r.Failure.Kind, race.Accesses[0].Goroutine, race.Accesses[1].Goroutine)
	// Output: race two one
}
