package linear_test

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/jacquard-go/jacquard/internal/engine"
	"github.com/jacquard-go/jacquard/internal/linear"
	"github.com/jacquard-go/jacquard/internal/programs"
	"github.com/jacquard-go/jacquard/internal/verdict"
)

type (
	interval = linear.Interval[programs.RegisterCall, int]
	pushed   = linear.Interval[programs.QueueCall, int]
)

// A failure shows a minimal set of operations.
func TestMinimalHistories(t *testing.T) {
	for _, c := range []struct {
		name string
		got  []string
		want string
	}{
		{"legal", linear.Judge(programs.Register(), []interval{{1, 3, 5, 5}, {2, 4, 0, 0}, {5, 6, 0, 5}}), ``},
		{"a read of what was overwritten", linear.Judge(programs.Register(), []interval{{1, 2, 5, 5}, {3, 4, 0, 5}, {5, 6, 0, 0}}), `
not linearizable: no order explains these 2 operations, whatever the other one did
    client  Write(5) = 5  ├──┤
    client  Read() = 0          ├──┤
    the nearest order: Write(5) = 5, then Read() = 0, where the model has 5`},
		{"from nowhere", linear.Judge(programs.Register(), []interval{{1, 2, 5, 5}, {3, 4, 6, 6}, {5, 6, 0, 7}}), `
not linearizable: no order explains this operation, whatever the other 2 did
    client  Read() = 7  ├──┤
    the nearest order: Read() = 7, where the model has 0`},
		{"the call of a pending write matters", linear.Judge(programs.Register(), []interval{{1, 2, 0, 5}, {3, 0, 5, 0}}), `
not linearizable: no order explains these 2 operations
    client  Read() = 5               ├──┤
    client  Write(5) never returned        ├──…
    the nearest order: Read() = 5, where the model has 0`},
		{"a pending write may be seen", linear.Judge(programs.Register(), []interval{{1, 0, 5, 0}, {2, 3, 0, 0}, {4, 5, 0, 5}}), ``},
		{"a pending write is not undone", linear.Judge(programs.Register(), []interval{{1, 0, 5, 0}, {2, 3, 0, 5}, {4, 5, 0, 0}}), `
not linearizable: no order explains these 2 operations, whatever the other one did
    client  Read() = 5  ├──┤
    client  Read() = 0        ├──┤
    the nearest order: Write(5), Read() = 5, then Read() = 0, where the model has 5`},
		{"out of order", linear.Judge(programs.Queue(), []pushed{{1, 2, 1, 1}, {3, 4, 2, 2}, {5, 6, 3, 3}, {7, 8, 0, 2}, {9, 10, 0, 1}}), `
not linearizable: no order explains these 4 operations, whatever the other one did
    client  Push(1) = 1  ├──┤
    client  Push(2) = 2        ├──┤
    client  Pop() = 2                ├──┤
    client  Pop() = 1                      ├──┤
    the nearest order: Push(1) = 1, Push(2) = 2, then Pop() = 2, where the model has 1`},
	} {
		if got := strings.Join(c.got, "\n"); got != strings.TrimPrefix(c.want, "\n") {
			t.Errorf("%s: got\n%s\nwant%s", c.name, got, c.want)
		}
	}
}

// A long history is truncated in the report, and the number of rows is bounded.
func TestLongHistoryShown(t *testing.T) {
	var history []pushed
	for i := range 25 {
		v := i + 1
		history = append(history, pushed{Call: int64(2*i + 1), Return: int64(2*i + 2), In: programs.QueueCall(v), Out: v})
	}
	history = append(history, pushed{Call: 51, Return: 52, In: 0, Out: 25})
	got := linear.Judge(programs.Queue(), history)
	if len(got) != 2 || !strings.HasPrefix(got[0], "not linearizable: no order explains these 2") {
		t.Fatalf("got %q", got)
	}
	if rows := strings.Split(got[1], "\n"); len(rows) > 22 {
		t.Errorf("got %d rows, want at most 22:\n%s", len(rows), got[1])
	}
}

// The checker agrees with a brute-force search over all orders, on random histories.
func TestLinearizableByBruteForce(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	verdicts := make(map[bool]int)
	for range 2000 {
		history := randomHistory(rng)
		want := ordered(history, 0, 0)
		verdicts[want]++
		if got := linear.Judge(programs.Register(), history); (got == nil) != want {
			t.Fatalf("%v: got %q, want linearizable: %v", history, got, want)
		}
	}
	if verdicts[true] < 100 || verdicts[false] < 100 {
		t.Errorf("got %v, want many histories of both kinds", verdicts)
	}
}

// randomHistory returns up to six operations, some of which never return.
func randomHistory(rng *rand.Rand) []interval {
	history := make([]interval, 1+rng.IntN(6))
	times := rng.Perm(2 * len(history))
	for i := range history {
		from, to := int64(times[2*i])+1, int64(times[2*i+1])+1
		op := interval{Call: min(from, to), Return: max(from, to), In: programs.RegisterCall(rng.IntN(3))}
		if op.Out = int(op.In); op.In == 0 {
			op.Out = rng.IntN(3)
		}
		if rng.IntN(6) == 0 {
			op.Return = 0
		}
		history[i] = op
	}
	return history
}

// ordered tries every order of the operations that are not in done. Pending calls may
// be omitted.
func ordered(history []interval, done uint, value int) bool {
	left := false
	for i, op := range history {
		if done&(1<<i) != 0 {
			continue
		}
		left = left || op.Return != 0
		first := !slices.ContainsFunc(indices(history, done), func(j int) bool { return history[j].Return != 0 && history[j].Return < op.Call })
		next := value
		if op.In != 0 {
			next = int(op.In)
		}
		if first && (op.Return == 0 || next == op.Out) && ordered(history, done|1<<i, next) {
			return true
		}
	}
	return !left
}

func indices(history []interval, done uint) (left []int) {
	for i := range history {
		if done&(1<<i) == 0 {
			left = append(left, i)
		}
	}
	return left
}

// Misuse of the model makes the check inconclusive, and is not reported as a failure.
func TestModelMisused(t *testing.T) {
	type model = linear.Model[map[int]bool, int, bool]
	add := func(seen map[int]bool, v int) (map[int]bool, bool) {
		next := map[int]bool{v: true}
		for k := range seen {
			next[k] = true
		}
		return next, seen[v]
	}
	for _, c := range []struct {
		name, want string
		calls      [][]int
		model      model
	}{
		{"well", "", [][]int{{1, 2}, {3}}, model{Step: add}},
		{"nothing recorded", "no operation was recorded", nil, model{Step: add}},
		{"too few steps", "3 operations not decided within 2 steps", [][]int{{1, 2}, {3}}, model{Step: add, MaxSteps: 2}},
		{"too few steps for a part", `2 operations on "0" not decided within 1 step`, [][]int{{1, 2}, {4}},
			model{Step: add, MaxSteps: 1, Partition: func(v int) string { return fmt.Sprint(v % 2) }}},
		{"changed in place", "Model.Step changed the state", [][]int{{1, 2}, {3}},
			model{Init: func() map[int]bool { return map[int]bool{} }, Step: func(seen map[int]bool, v int) (map[int]bool, bool) {
				was := seen[v]
				seen[v] = true
				return seen, was
			}}},
	} {
		failures, unknown := linear.Uncontrolled(func(t *engine.T) {
			linear.Linearizable(t, c.model, func(int) bool { return false }, c.calls...)
		})
		if len(failures) > 0 || !strings.Contains(unknown, c.want) || c.want == "" && unknown != "" {
			t.Errorf("%s: got %q and %q, want %q", c.name, failures, unknown, c.want)
		}
	}
}

func TestModelPanics(t *testing.T) {
	for _, c := range []struct {
		want  string
		model linear.Model[int, int, int]
	}{
		{"Model.Step: got nil", linear.Model[int, int, int]{}},
		{"Model.MaxSteps: got -1", linear.Model[int, int, int]{MaxSteps: -1, Step: func(int, int) (int, int) { return 0, 0 }}},
		{"a function of the Model panicked: no such call", linear.Model[int, int, int]{Step: func(int, int) (int, int) { panic("no such call") }}},
		{"a function of the Model panicked: no beginning", linear.Model[int, int, int]{
			Init: func() int { panic("no beginning") }, Step: func(int, int) (int, int) { return 0, 0 },
		}},
		{"a function of the Model called runtime.Goexit", linear.Model[int, int, int]{Step: func(int, int) (int, int) { runtime.Goexit(); return 0, 0 }}},
		{"a function of the Model called runtime.Goexit", linear.Model[int, int, int]{
			Init: func() int { runtime.Goexit(); return 0 }, Step: func(int, int) (int, int) { return 0, 0 },
		}},
	} {
		func() {
			defer func() {
				if got := fmt.Sprint(recover()); !strings.Contains(got, c.want) {
					t.Errorf("got the panic %q, want %q", got, c.want)
				}
			}()
			linear.Uncontrolled(func(t *engine.T) {
				linear.Linearizable(t, c.model, func(v int) int { return v }, []int{1})
			})
		}()
	}
}

// Without control the recording works with several goroutines in parallel.
func TestLinearizableUncontrolled(t *testing.T) {
	for _, b := range programs.Linear() {
		if b.Verdict != verdict.Holds {
			continue
		}
		for range 50 {
			if failures, unknown := linear.Uncontrolled(b.Run); len(failures) > 0 || unknown != "" {
				t.Fatalf("%s: got %q and %q", b.Name, failures, unknown)
			}
		}
	}
}
