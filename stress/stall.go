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

// watch runs f, and gives up when progress has not moved for the duration stall. It returns "" if f has ended, and what
// its goroutines wait for if not; these are left behind.
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

// stacks returns a dump of all goroutines, of at most 1 MiB.
func stacks() string {
	dump := make([]byte, 1<<20)
	return string(dump[:runtime.Stack(dump, true)])
}

// goroutine matches the heading of a goroutine in a dump, and captures what the goroutine waits for.
var goroutine = regexp.MustCompile(`(?m)^goroutine \d+ (?:gp=\S+ m=\S+ (?:mp=\S+ )?)?\[([^\],]+)`)

// waiting counts what the goroutines of a dump wait for. Those that run, sleep or wait for the system are not stuck.
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

// firstLeak describes the first goroutine in goleak's report.
func firstLeak(err error) string {
	if m := leak.FindStringSubmatch(err.Error()); m != nil {
		return "a goroutine was left behind: " + m[1] + " on top"
	}
	return "a goroutine was left behind: " + child.FirstLine(err.Error())
}
