// Package explore runs a piece of concurrent Go under schedules that it chooses, and
// reports what happened.
//
// The code under test is ordinary Go: goroutines, channels, select, package
// sync, sync/atomic, timers. It needs no hook, no yield and no build tag,
// because the toolchain provides the control (see internal/overlay). The body runs
// again and again, each time under another schedule, which a [Strategy] chooses. The
// result is typed:
//
//   - [Holds]: no explored schedule failed; the result says whether the schedules were all
//     those up to a number of preemptions, or a sample;
//   - [Violated]: a schedule failed, and the [Failure] says how: a failed
//     check, a panic, a fatal error of the runtime, an exit of the process, a data
//     race, a deadlock, a leaked goroutine or a livelock; or one of these that needs a
//     goroutine to be held up while a timer fires;
//   - [Unknown]: nothing can be concluded, and [Result].Reason says why. An
//     exploration without any choice to make is never Holds.
//
// A failure has a card: a short string that replays its schedule exactly, in this
// process or in another one of the same program. Before a failure is reported, its
// schedule is reduced to the fewest preemptions found.
//
// # Use
//
// In a test, [Test] is all that is needed:
//
//	func TestTransfer(t *testing.T) {
//		explore.Test(t, explore.Config{}, func(t *explore.T) {
//			b := newBank()
//			t.Go("deposit", func() { b.Deposit(10) })
//			t.Go("withdraw", func() { b.Withdraw(10) })
//			t.Wait()
//			if b.Balance() != 0 {
//				t.Errorf("balance %d, want 0", b.Balance())
//			}
//		})
//	}
//
// Plain go test works: a test that is not running under control builds its package once
// with the overlay, runs itself there and reports that run's result as its own. Where
// that is impossible (no C compiler, an unsupported Go version) the test logs the
// reason in one line and runs the body a number of times without control, reported as a
// sample.
//
// With the variable JACQUARD_RACE set to 0, go test builds without the race detector.
// Exploring then takes about a third of the time and needs no C compiler, but data
// races are not detected, plain memory accesses are no scheduling points, and the
// result says so ([Result].RacesUnchecked). Use it for code whose races another run
// checks. To a build with the detector, a card made without it looks like a card of a
// changed program, and vice versa.
//
// [Linearizable] checks a concurrent object against a sequential model, in each
// schedule.
//
// # What is a scheduling point
//
// Go statements, channel operations and select, the operations of sync and
// sync/atomic, stopping and resetting timers, runtime.Gosched, and those plain
// memory accesses that the race detector has seen race. Code without data
// races needs no others (Musuvathi and Qadeer, PLDI 2007, section 3). Points
// inside packages that [Config].Trust names are left out, and the result
// reports this.
//
// # Bubbles
//
// A body may use bubbles of testing/synctest. Each behaves as without control: its
// clock begins at midnight on 1 January 2000 UTC and moves only when all goroutines in
// it are blocked, which excludes those that wait for a lock or the network;
// synctest.Wait returns when all others are blocked, and is a scheduling point. When
// the runtime reports that a bubble can never continue, the verdict is a deadlock.
// Goroutines outside the bubble run beside it, by the execution's clock.
//
// # What it cannot do
//
// Interleavings are sequentially consistent: weak memory is not modelled. Time is
// virtual. It passes when no goroutine can run, when all that can run only poll, and
// by a millisecond for every thousand steps. Timers due within Config.Stall may also
// fire while goroutines can run, as if these were held up: in half of the sampled
// executions, selected by their seed, and in systematic searches. A goroutine in a
// system call or in C keeps running until it returns. One that waits for a
// connection or a pipe gives way: what another task sends is part of the execution,
// though reads and writes are no scheduling points; data that only another process
// can send is awaited in real time, and the result is then never Holds. A program
// that the body runs must not write more than a pipe holds, or the body waits for it
// in vain. A goroutine that spins is taken to wait after ten turns, and [Result].Cut
// says so. A body must leave no state behind: its behaviour must depend only on its
// schedule and on random choices seeded by it. A process runs one exploration at a
// time.
//
// Goroutines that an execution leaves behind are ended after it, without running their
// deferred calls. Those that wait for a condition variable or the network, or are
// locked to a thread, cannot be ended: they stay parked, with everything they hold,
// until the process ends.
package explore
