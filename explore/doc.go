// Package explore runs a piece of concurrent Go under schedules of its own
// choosing and says what happened.
//
// The code under test is ordinary Go: goroutines, channels, select, package
// sync, sync/atomic, timers. It needs no hook, no yield and no build tag,
// because the control comes from the toolchain (see internal/overlay). A body
// is run again and again, each time under another schedule; a [Strategy]
// chooses them. The result is typed:
//
//   - [Holds]: no schedule of those explored failed, and the result says
//     whether they were all there are up to a number of preemptions, or a sample;
//   - [Violated]: a schedule failed, and the [Failure] says how: a failed
//     check, a panic, a fatal error of the runtime, a data race, a deadlock, a
//     leaked goroutine or a livelock;
//   - [Unknown]: nothing can be concluded, and [Result].Reason says why. An
//     exploration that had nothing to choose is never Holds.
//
// A failure has a card: a short string that replays its schedule exactly, in
// this process or another one of the same program. Before it is reported the
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
// Plain go test works: a test that finds itself not under control builds its
// package once with the overlay, runs itself there and reports that run's
// result as its own. Where that is impossible (no C compiler, an unsupported
// Go version) it says so in one line and runs the body a number of times
// without control, which is a sample and is called one.
//
// With the variable JACQUARD_RACE set to 0, go test builds without the race
// detector. Exploring then takes about a third of the time and no C compiler, but
// data races are not looked for, plain memory accesses are no scheduling
// points, and the result says so ([Result].RacesUnchecked). It is for code whose
// races another run looks for. A card of one build is to the other as one from
// before a change of the program.
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
// inside packages that [Config].Trust names are left out, and the result says
// so.
//
// # Bubbles
//
// A body may use bubbles of testing/synctest. Each is what it is without control: its
// clock begins at midnight on 1 January 2000 UTC and moves only when all in it are
// blocked, which those that wait for a lock or the network are not; synctest.Wait
// returns when all others are, and is a scheduling point. When the runtime says that
// a bubble can never go on, the verdict is a deadlock. What is outside the bubble
// goes on beside it, by the execution's clock.
//
// # What it cannot do
//
// The interleavings are sequentially consistent ones: weak memory is not
// modelled. Time is virtual and passes when no goroutine can run, when all that
// can do nothing but ask again and again, and by a millisecond for every thousand
// steps. In half of the executions that are sampled, by their seed, timers due
// within 250 µs may fire while goroutines can run, as if these were held up; a
// systematic search leaves that out. A goroutine in a system call
// or in C stays the running one until it returns. One that waits for a connection
// or a pipe gives way: what another task sends is part of the execution, though
// to read and to write are no scheduling points; what only somebody outside can
// send is waited for in real time, and the result is never Holds. A program that is
// run must not write more than a pipe holds, or it is waited for in vain. A
// goroutine that spins is taken to wait after ten turns, and [Result].Cut says so.
// A body must leave nothing behind: what it does must depend only on its schedule
// and on random choices seeded by it. One exploration runs at a time in a process.
//
// Goroutines that an execution leaves behind are ended after it, without running
// what they have deferred. Those that wait for a condition variable or the
// network, or are tied to a thread, cannot be: they stay parked, with what they
// hold, until the process ends.
package explore
