package finals

import (
	"context"
	"fmt"
	"os"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/jacquard-go/jacquard/explore"
)

// UserTests returns programs like those of All, each a test that package
// testing runs: tests with subtests, and tests with helpers.
func UserTests() []Final {
	return append(testsOfSubtests(), testsOfHelpers()...)
}

// userTest returns a program that runs the test f.
func userTest(name string, f func(t *testing.T, say func(func() string))) Final {
	return Final{name, func(_ *explore.T, say func(func() string)) {
		all := func(string, string) (bool, error) { return true, nil }
		testing.RunTests(all, []testing.InternalTest{{Name: "TestIt", F: func(t *testing.T) { f(t, say) }}})
	}}
}

func testsOfSubtests() []Final {
	return []Final{
		userTest("withdrawals", func(t *testing.T, say func(func() string)) {
			var mu sync.Mutex
			balance := 10
			say(func() string { return fmt.Sprint(balance) })
			var wg sync.WaitGroup
			for _, amount := range []int{7, 5} {
				wg.Go(func() {
					mu.Lock()
					defer mu.Unlock()
					if balance >= amount {
						balance -= amount
					}
				})
			}
			wg.Wait()
			if balance < 0 {
				t.Errorf("balance %d", balance)
			}
		}),
		userTest("subtests, one after the other", func(t *testing.T, say func(func() string)) {
			var n atomic.Int32
			say(func() string { return fmt.Sprint(n.Load()) })
			for i := range 2 {
				t.Run("sub", func(t *testing.T) {
					done := make(chan bool)
					go func() { n.CompareAndSwap(0, int32(1+i)); close(done) }()
					n.CompareAndSwap(0, int32(5+i))
					<-done
				})
			}
		}),
		userTest("two parallel subtests", func(t *testing.T, say func(func() string)) {
			var l trail
			say(l.String)
			for _, name := range []string{"a", "b"} {
				t.Run(name, func(t *testing.T) {
					t.Parallel()
					l.add(name)
				})
			}
		}),
		userTest("parallel subtests that race", func(t *testing.T, say func(func() string)) {
			n := 0
			say(func() string { return fmt.Sprint(n) })
			for _, name := range []string{"a", "b"} {
				t.Run(name, func(t *testing.T) {
					t.Parallel()
					n++
				})
			}
		}),
		userTest("a parallel subtest and a goroutine of its parent", func(t *testing.T, say func(func() string)) {
			var l trail
			say(l.String)
			go l.add("stray")
			t.Run("sub", func(t *testing.T) {
				t.Parallel()
				l.add("sub")
			})
			l.add("parent")
		}),
		userTest("a goroutine that outlives its test", func(t *testing.T, say func(func() string)) {
			var l trail
			say(l.String)
			t.Run("first", func(t *testing.T) { go l.add("stray") })
			t.Run("second", func(t *testing.T) { l.add("second") })
		}),
	}
}

func testsOfHelpers() []Final {
	return []Final{
		userTest("logs", func(t *testing.T, say func(func() string)) {
			var n atomic.Int32
			say(func() string { return fmt.Sprint(n.Load()) })
			done := make(chan bool)
			go func() {
				t.Log("they")
				n.CompareAndSwap(0, 1)
				close(done)
			}()
			t.Helper()
			t.Log("we")
			n.CompareAndSwap(0, 2)
			<-done
		}),
		userTest("a log behind the end", func(t *testing.T, say func(func() string)) {
			late := make(chan bool)
			say(func() string { return "" })
			go func() {
				<-late
				t.Log("it is over, or not")
			}()
			late <- true
		}),
		userTest("clean-ups", func(t *testing.T, say func(func() string)) {
			l, added := trail{}, make(chan bool)
			say(l.String)
			go func() {
				t.Cleanup(func() { l.add("theirs") })
				close(added)
			}()
			t.Cleanup(func() { l.add("ours") })
			<-added
		}),
		userTest("a goroutine of a clean-up", func(t *testing.T, say func(func() string)) {
			var n atomic.Int32
			say(func() string { return fmt.Sprint(n.Load()) })
			t.Cleanup(func() { n.CompareAndSwap(0, 1) })
			t.Cleanup(func() {
				go n.CompareAndSwap(0, 2)
			})
		}),
		userTest("a context that ends with the test", func(t *testing.T, say func(func() string)) {
			var n atomic.Int32
			say(func() string { return fmt.Sprint(n.Load()) })
			ctx := t.Context()
			go func() {
				<-ctx.Done()
				n.CompareAndSwap(0, 1)
			}()
			t.Cleanup(func() { n.CompareAndSwap(0, 2) })
			if ctx.Err() != nil {
				n.Store(3)
			}
		}),
	}
}

// Handed returns tests that pass methods of package sync, and functions that cancel, to T.Cleanup:
// what these do is the test's, and not one step of package testing.
func Handed() []Final {
	// test makes a test whose clean-ups are two functions, and in which another goroutine looks
	// after the first one whether the second one has run.
	test := func(first, second, await func(), look func() bool) Final {
		return userTest("", func(t *testing.T, say func(func() string)) {
			saw, done := false, make(chan bool)
			say(func() string { return fmt.Sprint(saw) })
			t.Cleanup(func() { <-done })
			t.Cleanup(second)
			t.Cleanup(first)
			go func() {
				await()
				saw = look()
				close(done)
			}()
		})
	}
	return []Final{
		{"a clean-up that counts down, and one that unlocks", func(t *explore.T, say func(func() string)) {
			var mu sync.Mutex
			var wg sync.WaitGroup
			mu.Lock()
			wg.Add(1)
			test(wg.Done, mu.Unlock, wg.Wait, mu.TryLock).Run(t, say)
		}},
		{"two clean-ups that cancel", func(t *explore.T, say func(func() string)) {
			one, cancel := context.WithCancel(context.Background())
			other, stop := context.WithCancel(context.Background())
			test(cancel, stop, func() { <-one.Done() }, func() bool { return other.Err() != nil }).Run(t, say)
		}},
	}
}

// UserTestOfPipes is a test whose goroutines use a pipe, which the explorer does not observe.
func UserTestOfPipes() Final {
	return userTest("pipes", func(t *testing.T, say func(func() string)) {
		r, w, err := os.Pipe()
		if err != nil {
			t.Fatal(err)
		}
		say(func() string { return "" })
		var wg sync.WaitGroup
		for range 2 {
			wg.Go(func() { _, _ = w.WriteString("text") }) // it fails or not
		}
		wg.Wait()
		_, _ = r.Close(), w.Close() // no goroutine reads
	})
}
