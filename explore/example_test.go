package explore_test

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/jacquard-go/jacquard/explore"
)

// Each method of an account is safe for concurrent use on its own.
type account struct {
	mu      sync.Mutex
	balance int
}

func (a *account) get() int {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.balance
}

func (a *account) set(to int) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.balance = to
}

func (a *account) spend(n int) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.balance -= n
}

// spending returns a body in which two goroutines spend ten each.
func spending(spend func(*account)) func(*explore.T) {
	return func(t *explore.T) {
		a := &account{balance: 100}
		t.Go("rent", func() { spend(a) })
		t.Go("food", func() { spend(a) })
		t.Wait()
		if got := a.get(); got != 80 {
			t.Errorf("balance %d, want 80", got)
		}
	}
}

var (
	wrong = spending(func(a *account) { a.set(a.get() - 10) })
	right = spending(func(a *account) { a.spend(10) })
)

// try explores a body with one strategy.
func try(s explore.Strategy, body func(*explore.T)) *explore.Result {
	cfg := explore.Config{Plan: []explore.Stage{{Strategy: s, Schedules: 500}}}
	r, err := explore.Run(context.Background(), cfg, body)
	if err != nil {
		panic(err)
	}
	return r
}

// A table of bodies, each explored in a test of its own. In a test file, t is a *testing.T
// and the loop calls t.Run.
func ExampleTest() {
	for _, c := range []struct {
		name  string
		spend func(*account)
	}{
		{"one critical section", func(a *account) { a.spend(10) }},
		{"two critical sections", func(a *account) { a.set(a.get() - 10) }},
	} {
		t := console{name: c.name}
		explore.Test(t, explore.Config{Cards: explore.NoCards}, spending(c.spend))
	}
	// Output:
	// one critical section holds
	// two critical sections violated: check
}

func ExampleRun() {
	r, err := explore.Run(context.Background(), explore.Config{}, wrong)
	if err != nil {
		panic(err)
	}
	fmt.Println(r.Verdict, r.Failure.Kind, r.Failure.Preemptions)
	fmt.Println(r.Failure.Message)
	// Output:
	// violated check 1
	// balance 90, want 80
}

// The card of a failure replays it.
func ExampleReplay() {
	ctx, cfg := context.Background(), explore.Config{Name: "spending"}
	found, err := explore.Run(ctx, cfg, wrong)
	if err != nil {
		panic(err)
	}
	again, err := explore.Replay(ctx, cfg, found.Failure.Card, wrong)
	if err != nil {
		panic(err)
	}
	fmt.Println(again.Outcome, again.Result.Failure.Message)
	// Output: exactly replayed balance 90, want 80
}

func ExampleReport() {
	explore.Report(console{name: "TestSpending"}, try(explore.DepthFirst(1), wrong))
	// Output: TestSpending violated: check
}

// The code after Control runs under control. In plain go test it runs in another process,
// whose result becomes the test's.
func ExampleControl() {
	if explore.Control(console{name: "TestSpending"}) {
		fmt.Println(try(explore.DepthFirst(1), right).Verdict)
	}
	// Output: holds
}

func ExampleControlled() {
	fmt.Println(explore.Controlled())
	// Output: true
}

func ExampleCheckCard() {
	err := explore.CheckCard("no card at all")
	fmt.Println(errors.Is(err, explore.ErrCard))
	// Output: true
}

// In this fuzz target the input is the schedule.
func ExampleFuzz() {
	fuzzSpending := func(f *testing.F) { // in a test file it is func FuzzSpending(f *testing.F)
		explore.Fuzz(f, explore.Config{}, right)
	}
	_ = fuzzSpending
}

// In this fuzz target the input is a program and its schedule. Each byte is an operation.
func ExampleFuzzProgram() {
	fuzzCounter := func(f *testing.F) { // in a test file it is func FuzzCounter(f *testing.F)
		explore.FuzzProgram(f, explore.FuzzConfig{}, func(t *explore.T, program []byte) {
			var n atomic.Int64
			for _, b := range program[:min(len(program), 4)] {
				t.Go("adder", func() { n.Add(int64(b)) })
			}
			t.Wait()
		})
	}
	_ = fuzzCounter
}

// Goroutines of a dependency may outlive the body if a filter names them.
func ExampleConfig() {
	leaky := func(t *explore.T) {
		t.Go("other", func() {})
		go func() { select {} }()
		t.Wait()
	}
	r, err := explore.Run(context.Background(), explore.Config{
		IgnoreLeaks: []explore.LeakFilter{{CreatedBy: "github.com/jacquard-go/jacquard/explore_test.ExampleConfig*"}},
	}, leaky)
	fmt.Println(r.Verdict, err)
	// Output: holds <nil>
}

func ExampleT() {
	r := try(explore.RandomWalk(), func(t *explore.T) {
		words := make(chan string)
		t.Go("sender", func() { words <- "hello" })
		t.Go("receiver", func() { t.Logf("got %s", <-words) })
		t.Wait()
	})
	fmt.Println(r.Verdict)
	// Output: holds
}

// The parts of a body have names, and fail independently.
func ExampleT_Run() {
	r := try(explore.DepthFirst(0), func(t *explore.T) {
		t.Go("other", func() {})
		ok := t.Run("part", func(t *explore.T) { t.Fatalf("%s cannot go on", t.Name()) })
		t.Logf("it did well: %v", ok)
		t.Wait()
	})
	fmt.Println(r.Failure.Message)
	// Output: /part cannot go on
}

// Survey tells which of many bodies are worth exploring.
func ExampleSurvey() {
	alone := func(t *explore.T) { t.Log("nobody else is here") }
	for _, body := range []func(*explore.T){alone, right} {
		r, err := explore.Survey(context.Background(), explore.Config{}, body)
		fmt.Println(r.Verdict, r.Points > 0, err)
	}
	// Output:
	// unknown false <nil>
	// unknown true <nil>
}
