package mutations

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"time"

	"github.com/jacquard-go/jacquard/internal/executable"
)

// planted are errors of the explorer: a dependent operation treated as independent, a
// missing point, an unobserved order. The files are below internal.
var planted = []mutation{
	{name: "two selects commute", file: "source/object.go", old: `"chan"), Mode: schedule.Changes}`, new: `"chan"), Mode: schedule.Reads}`},
	{name: "who counts a group down last is nobody's concern", file: "engine/observers.go", old: "s.Kind == source.SiteDone && ex.watches(misusesGroups):", new: "false:"},
	{name: "a group is added to before it is waited for", file: "schedule/groups.go", old: "if !g.after(steps, step, i) {", new: "if step > i {"},
	{name: "each Done has its Add", file: "schedule/groups.go", old: "return n == 0", new: "return true"},
	{name: "Cond.Wait does not work on the condition", file: "engine/announce.go", old: "ex.conds[m.ID] = o.Object\n\t\treturn\n", new: "ex.conds[m.ID] = o.Object\n\t\t*o = schedule.Operation{}\n\t\treturn\n"},
	{name: "a variable is its first half", file: "engine/announce.go", old: "if s.Size == source.WideAtomic {", new: "if false {"},
	{name: "a select that waits has nothing in common with others", file: "schedule/selects.go", old: "on.Conflicts(*o) {", new: "false {\n\t\t\t_ = w"},
	{name: "that a lock is tried is not noticed", file: "engine/observers.go", old: "if s.Tries {", new: "if false {"},
	{name: "that a wait group is misused is not noticed", file: "engine/observers.go", old: "if ok && (int64(state) < 0 || inUse) {", new: "if ok && inUse && false {"},
	{name: "that halves are mixed is not noticed", file: "engine/observers.go", old: "if ex.Objects.Sized(addr, size) {", new: "if false {"},
	{name: "a select has one case", file: "engine/step.go", old: "d.Ready, d.Chosen.Case = int(m.Ready), selected%m.Ready", new: "d.Chosen.Case = selected % m.Ready"},
	{name: "TryLock is no point", file: "source/sync.go", old: `if inner == "(*Mutex).TryLock" && leaf != "" {`, new: `if inner == "(*Mutex).TryLock" {`},
	{name: "RUnlock is no point", file: "source/sync.go", old: "return plainName(inner), SiteRUnlock, readerCount", new: "return plainName(inner), SiteInner, readerCount"},
	{name: "Unlock is no point", file: "source/sync.go", old: "return plainName(inner), SiteUnlock, 0", new: "return plainName(inner), SiteInner, 0"},
	{name: "to store an atomic.Value is to read it", file: "source/sync.go", old: `"Load") && !storesValue(atomics) {`, new: `"Load") {`},
	{name: "atomic writes commute", file: "source/object.go", old: "case SiteRead, SiteAtomicRead, SiteRLock, siteLen:", new: "case SiteRead, SiteAtomicRead, SiteRLock, siteLen, SiteAtomicWrite:"},
	{name: "operations on channels commute", file: "source/object.go", old: "case SiteRUnlock, SiteDone:", new: "case SiteRUnlock, SiteDone, SiteChannel:"},
	{name: "what two do alike commutes", file: "schedule/operation.go", old: "case Changes:\n\t\treturn false\n", new: ""},
	{name: "an operation is on one object", file: "schedule/operation.go", old: "for j := range other.Accesses() {", new: "for j := range min(1, other.Accesses()) {"},
	{name: "a sleeper is never woken", file: "strategy/dpor.go", old: "s.strict && step.Goroutine == schedule.Clock || z.op.Conflicts(step.Operation)", new: "false"},
	{name: "a select takes its first case", file: "strategy/dpor.go", old: "if int(n.selected)+1 < n.cases {", new: "if false {"},
	{name: "to give back is to do nothing", file: "strategy/dpor_races.go", old: "if schedule.Commute(a.Mode, m) ||", new: "if schedule.Commute(a.Mode, m) || m == schedule.Releases ||"},
	{name: "two who take a mutex commute", file: "schedule/operation.go", old: "case Takes:\n\t\treturn b == Returns", new: "case Takes:\n\t\treturn b == Takes || b == Returns"},
	{name: "who takes a mutex is behind all who had it", file: "strategy/dpor_races.go", old: "a.Mode != schedule.Awaits && a.Mode.Behind(m) {", new: "a.Mode == schedule.Takes {"},
	{name: "who reads commutes with who wrote", file: "schedule/operation.go", old: "case Shares:\n\t\treturn b >= Frees", new: "case Shares:\n\t\treturn b >= Takes"},
	{name: "who writes commutes with who read", file: "schedule/operation.go", old: "case Takes:\n\t\treturn b == Returns", new: "case Takes:\n\t\treturn b == Shares || b == Returns"},
	{name: "two sends commute", file: "schedule/operation.go", old: "return b.Queues() && a != b", new: "return b.Queues()"},
	{name: "who receives is behind all who have sent", file: "strategy/dpor_races.go", old: "c = slices.Clone(c).join(r.bare[other[n]])", new: "for _, k := range other {\n\t\t\tc = slices.Clone(c).join(r.clocks[k])\n\t\t}"},
	{name: "a send is behind the receive that made room, and no race", file: "strategy/dpor_races.go", old: "\tif s.Operation.Mode == schedule.Awaits {", new: "\tc = r.passed(c, s)\n\tif s.Operation.Mode == schedule.Awaits {"},
	{name: "the result of an addition is taken by nobody", file: "source/sync.go", old: "all > 0 && all == alone", new: "all > 0 && alone >= 0"},
	{name: "an addition commutes with what looks", file: "schedule/operation.go", old: "\treturn a == b\n}", new: "\treturn a == b || a == Counts && b == Reads || a == Reads && b == Counts\n}"},
	{name: "goroutines are alike whatever they have captured", file: "overlay/runtime/jacquard_alike.go.txt", old: "if x != y && !(jqClosure(x) != 0", new: "if x != y && x == nil && !(jqClosure(x) != 0"},
	{name: "who is alike is so after its first step, too", file: "engine/twins.go", old: "w.made[twin.ID] <= 1 &&", new: "w.made[twin.ID] <= 2 &&"},
	{name: "to sleep does not depend on the time", file: "overlay/runtime/jacquard_clock.go.txt", old: "func jqTimely() { jq.timely++ }", new: "func jqTimely() {}"},
	{name: "a timer's channel is any channel", file: "source/object.go", old: "if slices.ContainsFunc(channels, control.OfTimer) {", new: "if slices.ContainsFunc(channels, control.OfTimer) && false {"},
	{name: "a timer that was stopped could not have fired", file: "strategy/dpor.go", old: "\ts.fire(run.Steps)\n", new: ""},
	{name: "goroutines are held up for half as long", file: "strategy/dpor_stalls.go", old: "s.must > s.most", new: "s.must > s.most/2"},
	{name: "time that passes by itself holds somebody up", file: "strategy/dpor_stalls.go", old: "possible.last(schedule.Clock)", new: "0*possible.last(schedule.Clock)"},
	{name: "depth first search leaves out the last case", file: "strategy/depthfirst.go", old: "for c := 1; c < d.Ready; c++ {", new: "for c := 1; c < d.Ready-1; c++ {"},
}

// litmus tries generated programs with the mutation of the given number, for at most most,
// and returns the first disagreement.
func litmus(ctx context.Context, dir string, number int, most time.Duration) (string, error) {
	cmd := exec.CommandContext(ctx, "go", "test", "-count=1", "-run=Kept|Searches", "-failfast", "./internal/litmus")
	cmd.Dir = dir
	cmd.Env = append(executable.Env(os.Environ(), dir), fmt.Sprint(mutantEnv, "=", number), "JACQUARD_LITMUS="+most.String())
	text, err := cmd.CombinedOutput()
	if ctx.Err() != nil {
		return "", ctx.Err()
	}
	var failed *exec.ExitError
	if err == nil {
		return "", errUnnoticed
	} else if !errors.As(err, &failed) {
		return "", err
	}
	return firstWrong(string(text))
}

// firstWrong returns the first disagreement in the output of a test.
func firstWrong(text string) (string, error) {
	for line := range strings.Lines(text) {
		for _, word := range []string{"missing ", "impossible ", "unknown: ", "panic: "} {
			if i := strings.Index(line, word); i >= 0 {
				return strings.TrimSpace(line[i:]), nil
			}
		}
	}
	return "", fmt.Errorf("the test failed, and says of no disagreement:\n%s", text)
}
