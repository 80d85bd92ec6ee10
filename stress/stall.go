package stress

import (
	"cmp"
	"fmt"
	"maps"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/jacquard-go/jacquard/internal/child"
)

// watch runs f, and gives up on it when progress has not moved for as long as stall. It returns empty if f has ended, and what its
// goroutines wait for if it has not. They are left as they are.
func watch(stall time.Duration, progress func() int64, f func()) (stuck string) {
	done := make(chan struct{})
	go func() {
		defer close(done)
		f()
	}()
	tick := time.NewTicker(stall)
	defer tick.Stop()
	for last := int64(-1); ; {
		select {
		case <-done:
			return ""
		case <-tick.C:
		}
		now := progress()
		if now == last {
			return fmt.Sprintf("a round did not end within %v: %s", stall, waiting(stacks()))
		}
		last = now
	}
}

// stacks is a dump of all goroutines, or as much of it as is useful.
func stacks() string {
	dump := make([]byte, 1<<20)
	return string(dump[:runtime.Stack(dump, true)])
}

// goroutine matches the heading of a goroutine in a dump: what it waits for, and for how long.
var goroutine = regexp.MustCompile(`(?m)^goroutine \d+ (?:gp=\S+ m=\S+ (?:mp=\S+ )?)?\[([^\],]+)`)

// waiting says what the goroutines of a dump wait for, and how many. Those that run, sleep or wait for a system are not stuck.
func waiting(dump string) string {
	counts := make(map[string]int)
	for _, m := range goroutine.FindAllStringSubmatch(dump, -1) {
		switch m[1] {
		case "running", "runnable", "sleep", "IO wait", "syscall":
		default:
			counts[m[1]]++
		}
	}
	var all []string
	for _, what := range slices.SortedFunc(maps.Keys(counts), cmp.Compare) {
		all = append(all, fmt.Sprintf("%d in %s", counts[what], what))
	}
	if len(all) == 0 {
		return "no goroutine waits"
	}
	return strings.Join(all, ", ")
}

// leak matches the heading of each goroutine in goleak's report.
var leak = regexp.MustCompile(`Goroutine \d+ in state (.+) on top of the stack`)

// firstLeak says which goroutine was left behind, of those in goleak's report the first.
func firstLeak(err error) string {
	if m := leak.FindStringSubmatch(err.Error()); m != nil {
		return "a goroutine was left behind: " + m[1] + " on top"
	}
	return "a goroutine was left behind: " + child.FirstLine(err.Error())
}
