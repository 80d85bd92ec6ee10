package report

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/jacquard-go/jacquard/internal/control"
	"github.com/jacquard-go/jacquard/internal/engine"
	"github.com/jacquard-go/jacquard/internal/source"
)

// raceStory names the two accesses that nothing orders, and says why the locks held do not order
// them.
func (p *picture) raceStory() story {
	if len(p.ex.Out.Races) == 0 {
		return story{}
	}
	r := p.ex.Out.Races[0]
	rows := p.accesses(r)
	first, second := rows[1], rows[0] // the later access comes first in a report
	kind := "read-write"
	if r.Accesses[0].Write && r.Accesses[1].Write {
		kind = "write-write"
	}
	what := p.raced(r)
	text := fmt.Sprintf("%s conflict: %s and %s, and nothing orders the two", kind,
		p.accessed(r.Accesses[1], first, what, what), p.accessed(r.Accesses[0], second, what, "it"))
	if first != nil && second != nil {
		text += p.lockNote(first, second)
	}
	return tale(text, first, second)
}

// accessed says which goroutine did what to a variable. word may replace the variable's name,
// except where an operation is shown as in the source.
func (p *picture) accessed(a engine.RaceAccess, e *event, name, word string) string {
	if e.misuses(a) || e != nil && (e.Site.Kind == source.SiteChannel || locks(e.Site)) {
		text := e.verb
		if name != someMemory {
			text += " " + name
		}
		return fmt.Sprintf("%q did %s at step %d", a.Goroutine, strings.TrimPrefix(text, selectVerb+": "), e.index)
	}
	verb := "read"
	if a.Write {
		verb = "wrote"
	}
	text := fmt.Sprintf("%q %s %s", a.Goroutine, verb, word)
	if a.Atomic {
		text += " atomically"
	}
	if e != nil {
		return text + fmt.Sprintf(" at step %d", e.index)
	}
	return text + " at " + a.Where
}

// lockNote says which locks were held at two accesses, if any.
func (p *picture) lockNote(first, second *event) string {
	switch a, b := first.held, second.held; {
	case len(a) == 0 && len(b) == 0:
		return ""
	case len(a) == 0:
		return fmt.Sprintf(": %s holds %s, %s does not", p.who(second), p.locks(b), p.who(first))
	case len(b) == 0:
		return fmt.Sprintf(": %s holds %s, %s does not", p.who(first), p.locks(a), p.who(second))
	case a[0].object == b[0].object && a[0].read && b[0].read:
		return fmt.Sprintf(": both hold %s, but only for reading", p.lockName(a[0]))
	default:
		return fmt.Sprintf(": %s holds %s and %s holds %s", p.who(first), p.locks(a), p.who(second), p.locks(b))
	}
}

// lockName returns the name of a lock, which may be a part of something else, as in a Once.
func (p *picture) lockName(h hold) string {
	name := p.object(h.since)
	switch {
	case name == "":
		return "a lock"
	case h.since.Site.Part():
		return "that of " + name
	}
	return name
}

func (p *picture) locks(held []hold) string { return strings.Join(p.lockNames(held), ", ") }

func (p *picture) lockNames(held []hold) (names []string) {
	for _, h := range held {
		name := p.lockName(h)
		if h.read {
			name += " (for reading)"
		}
		names = append(names, name)
	}
	return names
}

// accesses returns the rows of a race's accesses, nil for those that were not scheduling points. The later
// one is no later than the step that the detector reported, and the other before it. The Add and Wait of a
// wait group count only as a pair, because a line with one of them may have other accesses.
func (p *picture) accesses(r engine.RaceReport) (rows [2]*event) {
	seen := p.rec.events
	if n := slices.IndexFunc(seen, func(e *event) bool { return 0 < r.Step && r.Step < e.step }); n >= 0 {
		seen = seen[:n]
	}
	addr, _ := strconv.ParseUint(r.Address, 0, 64)
	for i, a := range r.Accesses {
		if rows[i] = p.access(seen, a, uintptr(addr)); rows[i] != nil {
			seen = seen[:rows[i].index-1]
		}
	}
	both := rows[0].misuses(r.Accesses[0]) && rows[1].misuses(r.Accesses[1]) && rows[0].object == rows[1].object
	for i, a := range r.Accesses {
		if !both && rows[i].misuses(a) {
			rows[i] = nil
		}
	}
	return rows
}

// access returns the last row that can be an access of a race, with its address if there is one, nil if it
// was not a scheduling point.
func (p *picture) access(seen []*event, a engine.RaceAccess, addr uintptr) (row *event) {
	for _, e := range slices.Backward(seen) {
		if (isAccess(a, e.Site) || e.misuses(a)) && p.ex.Name(e.task) == a.Goroutine && source.Where(e.Site.User) == a.Where && (row == nil || e.object == addr) {
			if row = e; e.object == addr {
				break
			}
		}
	}
	if row == nil {
		return p.selected(seen, a)
	}
	return cmp.Or(row.inside, row) // the channel operation
}

// selected returns the row of the select that made an access, nil if none did: the detector reports
// the line of the case, which is below the select. Of several selects the nearest is meant.
func (p *picture) selected(seen []*event, a engine.RaceAccess) (row *event) {
	at := accessFrame(a)
	for _, e := range seen {
		user := e.Site.User
		if e.Op != control.OpSelect || !isAccess(a, e.Site) || p.ex.Name(e.task) != a.Goroutine || user.Function != at.Function || user.Line() > at.Line() {
			continue
		}
		if row == nil || user.Line() >= row.Site.User.Line() {
			row = e
		}
	}
	return row
}

// misuses reports whether a row can be an access that a wait group reports to the detector: the
// first Add reads, and the first Wait that blocks writes.
func (e *event) misuses(a engine.RaceAccess) bool {
	if e == nil || !strings.HasPrefix(e.Site.Op, "WaitGroup.") || strings.HasSuffix(e.Site.Op, ".Done") {
		return false
	}
	return e.blocked == a.Write && strings.HasSuffix(e.Site.Op, ".Wait") == a.Write
}

// isAccess reports whether an operation can be the access.
func isAccess(a engine.RaceAccess, s source.Site) bool {
	switch s.Kind {
	case source.SiteRead:
		return !a.Write
	case source.SiteWrite:
		return a.Write
	case source.SiteAtomicRead, source.SiteAtomicWrite:
		return a.Atomic
	case source.SiteChannel:
		return len(a.Stack) > 0 && strings.HasPrefix(a.Stack[0], "runtime.") && !strings.Contains(a.Stack[0], ".map")
	}
	return locks(s) && a.Atomic
}

// locks reports whether an operation is on a lock, whose writes the detector sees.
func locks(s source.Site) bool { return s.Kind == source.SiteLock || s.Kind == source.SiteUnlock }

// someMemory stands for a race's variable whose name is not known.
const someMemory = "the same memory"

// raced returns the name of a race's variable, if a row has it, or someMemory.
func (p *picture) raced(r engine.RaceReport) string {
	for _, e := range p.accesses(r) {
		if e != nil && p.objects.name(e.object) != "" {
			return p.objects.name(e.object)
		}
	}
	return someMemory
}
