package timeline_test

import (
	"fmt"
	"os"
	"strings"

	"github.com/jacquard-go/jacquard/internal/timeline"
)

// lostUpdate is an execution in which two increments count as one.
func lostUpdate() *timeline.Timeline {
	step := func(index, thread int, op, value, where string, m timeline.Mark) timeline.Step {
		return timeline.Step{Index: index, Thread: thread, Op: op, Object: "n", Value: value, Where: where, Mark: m, Matters: true}
	}
	return &timeline.Timeline{
		Title:   "canary/lost-update",
		Verdict: "violated: check",
		Details: []string{"got 1, want 2"},
		Threads: []timeline.Thread{
			{Name: "body"},
			{Name: "first", CreatedBy: "body", Where: "n_test.go:14"},
			{Name: "second", CreatedBy: "body", Where: "n_test.go:15"},
		},
		Steps: []timeline.Step{
			step(3, 1, "read", "→ 0", "n.go:20", timeline.Conflict|timeline.Stopped),
			step(6, 2, "read", "→ 0", "n.go:20", timeline.None),
			step(7, 2, "write", "0 → 1", "n.go:21", timeline.Conflict),
			step(9, 1, "write", "0 → 1", "n.go:21", timeline.Conflict|timeline.Preempted),
		},
		Cause:  "first wrote what it had computed before second's write.",
		Footer: []string{"preemptions 1, schedule 2, pct"},
		Replay: "jacquard replay canary/lost-update",
	}
}

func ExampleText() {
	if err := timeline.Text(os.Stdout, lostUpdate(), timeline.Options{Width: 90}); err != nil {
		fmt.Println(err)
	}
	// Output:
	// canary/lost-update
	// violated: check
	//   got 1, want 2
	//
	//  # │ first                              │ second                   │ where
	//    │ by body, n_test.go:14              │ by body, n_test.go:15    │
	// ───┼────────────────────────────────────┼──────────────────────────┼────────
	//  3 │ read n → 0 ◀ conflict              │                          │ n.go:20
	// ── first stopped here, second runs ─────────────────────────────────────────
	//  6 │                                    │ read n → 0               │ n.go:20
	//  7 │                                    │ write n 0 → 1 ◀ conflict │ n.go:21
	//  9 │ write n 0 → 1 (resumed) ◀ conflict │                          │ n.go:21
	// no step that matters: body
	//
	// cause: first wrote what it had computed before second's write.
	//
	// preemptions 1, schedule 2, pct
	// replay: jacquard replay canary/lost-update
}

func ExampleHTML() {
	var page strings.Builder // or a file, to open in a browser
	if err := timeline.HTML(&page, lostUpdate()); err != nil {
		fmt.Println(err)
	}
	for _, line := range strings.Split(page.String(), "\n") {
		if strings.HasPrefix(line, "<title>") {
			fmt.Println(line)
		}
	}
	// Output: <title>canary/lost-update · violated: check</title>
}

func ExampleJSON() {
	err := timeline.JSON(os.Stdout, &timeline.Timeline{
		Threads: []timeline.Thread{{Name: "body"}},
		Steps:   []timeline.Step{{Index: 1, Op: "panic", Where: "n.go:20", Mark: timeline.Failed, Matters: true}},
	})
	if err != nil {
		fmt.Println(err)
	}
	// Output:
	// {
	//   "title": "",
	//   "verdict": "",
	//   "details": [],
	//   "threads": [
	//     {
	//       "name": "body",
	//       "createdBy": "",
	//       "where": ""
	//     }
	//   ],
	//   "steps": [
	//     {
	//       "index": 1,
	//       "thread": 0,
	//       "op": "panic",
	//       "object": "",
	//       "where": "n.go:20",
	//       "func": "",
	//       "value": "",
	//       "outcome": "",
	//       "stack": [],
	//       "holds": [],
	//       "marks": [
	//         "failed"
	//       ],
	//       "matters": true
	//     }
	//   ],
	//   "cause": "",
	//   "blame": "",
	//   "cycle": [],
	//   "blocked": [],
	//   "races": [],
	//   "footer": [],
	//   "replay": ""
	// }
}

func ExampleMark_String() {
	fmt.Println(timeline.Conflict | timeline.Preempted)
	// Output: conflict+preempted
}
