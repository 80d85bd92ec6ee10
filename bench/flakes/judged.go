package flakes

import "strings"

// A judgement is what a person decided about a cause after reading it.
type judgement struct {
	has   string // text in the cause that was read
	right bool   // the cause is that of the reported bug
	other bool   // the failure found is not the reported bug
	own   string // text in the report after the repair, which is then a flake of the test
	said  string // why the cause is wrong, or another remark; for a miss, why it is one
}

// another reports whether the failure found before the repair is not the reported bug,
// by the cause that was read.
func (j judgement) another(cause string) bool {
	return j.other && j.has != "" && strings.Contains(cause, j.has)
}

// ofTest reports whether the failure found after the repair is a flake of the test, by
// the message that was read.
func (j judgement) ofTest(s search) bool {
	return s.found() && j.own != "" && strings.Contains(s.Message, j.own)
}

// whose returns whose bug a failure is, by the judgement: the code's, if it is not a flake
// of the test; "" if nothing was found.
func (j judgement) whose(s search) string {
	switch {
	case !s.found():
		return ""
	case j.another(s.Cause), j.ofTest(s):
		return "test"
	}
	return "code"
}

// blamed returns whose bug it is according to Jacquard, and whether that is wrong.
func (j judgement) blamed(s search) (said string, wrong bool) {
	whose := j.whose(s)
	return s.Blame, whose != "" && s.Blame != "" && s.Blame != "undecided" && s.Blame != whose
}

// of says in a word whether a cause is right.
func (j judgement) of(cause string) string {
	switch {
	case cause == "":
		return "none told"
	case j.has == "" || !strings.Contains(cause, j.has):
		return "not read"
	case j.right:
		return "yes"
	}
	return "**no**"
}

// judged returns the judgements of the causes, by the names of the flakes.
func judged() map[string]judgement {
	return map[string]judgement{
		"singleflight-forget": {
			has: "wrote secondStarted", other: true, own: "Third call should not be started",
			said: "This is not the reported bug but a flake of the test, which it has after the repair too: nothing keeps the second call running until the third begins. Within so few schedules it hides the bug.",
		},
		"singleflight-goexit": {said: "The test notices the hang by a timer of its own, so that the failure is the test's, and no sentence says who waits for whom."},
		"semaphore-starve":    {has: "waits for one case of a select: ready", right: true, said: "It says who was never woken; who should have, it does not."},
		"semaphore-cancelled": {said: "It fails in the default schedule, so that no order is to blame: the waiter was served after its context was done, and a select with two cases ready took the other."},
		"ants-capacity":       {has: "p.running", right: true},
		"puddle-construct":    {has: "nobody ever signals it", right: true},
		"puddle-close":        {has: "waits for it itself", right: true},
		"pond-purge": {
			has: "did send tasks", right: true, own: "Expected int(5) but was int(2)",
			said: "After the repair the test's own flake is reported: it wants five workers for five tasks of 10 ms, and a task that is over before the last one is submitted leaves its worker to it. Only the sleep of 10 ms is to prevent that.",
		},
		"pond-cancel":     {has: "to reach 0", right: true, said: "It says that the group waits for ever; who left its tasks in the queue, it does not."},
		"clockwork-reset": {said: "It fails in the default schedule, so that no order is to blame; which of two resets came first is in the report's table."},
		"zap-lazy":        {has: "wrote d.Core", right: true},
		"gocron-nextrun":  {said: "It fails in the default schedule, so that no order is to blame, and the message is the test's."},
		"theine-close":    {has: "wrote s.hashmap", right: true},
		"jsonrpc2-close":  {has: "closed call.done", right: true},
		"ristretto-clear": {has: "read c.setBuf", right: true},
		"workerpool-stop": {has: "did close p.taskQueue", right: true},
		"sentry-finish":   {has: "wrote s.EndTime", right: true, said: "Two goroutines of the test call Finish in endless loops, and it ends by a sleep of 50 ms beside them: a schedule takes long, because under control little time passes while somebody can run."},
		"logrus-hooks": {
			has: `"TestLoggingWithHooksRace" read it`, right: true, own: "nil pointer dereference",
			said: "After the repair the test's own flake is reported: it takes the last entry as soon as it has started the goroutines that log, and nothing orders the first entry before that. Before it the race is told that the repair is of: who logs goes on to write the entry that the hook was given, and keeps; since then the hook gets a copy. Our list tells it otherwise.",
		},
		"logrus-caller":      {has: "read it at entry.go:161", right: true, said: "What is read before the sync.Once that writes it is how many frames to pass by, and not the name of the package, as our list has it."},
		"pond-submit-stop":   {said: "The test starts ten thousand goroutines, each of which submits a task, so that a schedule takes seconds: in five minutes 48 are run, and the race is in none of them. go test -race does not find it either in that time."},
		"logrus-formatter":   {has: "logger.Formatter", right: true},
		"resiliency-batcher": {has: "b.done", right: true},
		"clock-afterfunc": {
			has: "wrote t.fn", right: true, own: "AfterFunc did not call the function",
			said: "The test has a flake of its own too, before the repair and after it: both advances of the clock can be over before AfterFunc is called, and only the sleep of 1 ms in each of them is to prevent that. It comes in the first schedule, as a failure of timing; the search goes on behind it, and so tells the race.",
		},
		"clock-after":        {said: "The test cannot show the bug in the version before: its own goroutine alone writes the time, and reads it without the lock. go test -race finds nothing either. What is reported after the repair is another bug of the code, and true: since the repair each call of After runs timers, two goroutines take the same one, and the second to send blocks with the lock of the clock held."},
		"clock-reentrant":    {has: "waits for it itself", right: true},
		"clockwork-ticker":   {has: `before "ft.tick", which had not begun`, right: true, said: "The one who had the lock first advanced the clock."},
		"mocktracer-context": {has: "s.SpanContext", right: true},
	}
}
