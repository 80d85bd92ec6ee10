package soak

import (
	"cmp"
	"runtime"
	"slices"
	"time"

	"github.com/jacquard-go/jacquard/lifecycle"
)

// Report is the result of a soak of one database.
type Report struct {
	Go         string        `json:"go"`
	Platform   string        `json:"platform"` // such as linux/amd64
	Processors int           `json:"processors"`
	Seed       uint64        `json:"seed"`
	Time       time.Duration `json:"time"` // the configured time
	Processes  int           `json:"processes"`
	Goroutines int           `json:"goroutines"` // of each process
	Clean      bool          `json:"clean"`

	Kills    int `json:"kills"`
	Restarts int `json:"restarts"`
	Freezes  int `json:"freezes"` // of processes, for longer than a claim or a job lasts

	Jumps          int64 `json:"jumps"`           // of clocks of processes, by hours
	ServerRestarts int   `json:"server_restarts"` // see [Config].Restart

	Operations int             `json:"operations"` // total, without the parent's
	Took       time.Duration   `json:"took"`       // from the first call to the last return
	Kinds      []KindCount     `json:"kinds"`
	Longest    Longest         `json:"longest"`
	Stats      lifecycle.Stats `json:"stats"` // of all services, as last recorded

	// Of the uses of actions and of the changes whose process was killed or whose outcome was unknown: how many there were, and how
	// many of them are there at the end.
	Doubtful, Happened int

	Actions, Plans, Changesets, Changes int // at the end

	Owned    Owned    `json:"owned"`
	Subplans Subplans `json:"subplans"`

	Checks     []Check   `json:"checks"`
	Linearity  Linearity `json:"linearity"`
	Processing []Problem `json:"processing,omitempty"` // what went wrong with processes
	Kept       string    `json:"kept,omitempty"`       // the folder of the histories, if they were kept
}

// KindCount is the number of calls of a kind, by outcome.
type KindCount struct {
	Kind     Kind            `json:"kind"`
	Recent   bool            `json:"recent,omitempty"`
	Count    int             `json:"count"`
	Outcomes map[Outcome]int `json:"outcomes"`
}

// Longest is the call that took longest of those that returned.
type Longest struct {
	Label string        `json:"label"`
	Kind  Kind          `json:"kind"`
	Took  time.Duration `json:"took"`
}

// Check is one thing that must hold.
type Check struct {
	Name     string    `json:"name"`
	Unit     string    `json:"unit"`  // what is counted
	Count    int       `json:"count"` // how many were checked
	Wrong    int       `json:"wrong"` // how many of them did not hold
	Problems []Problem `json:"problems,omitempty"`
}

// Problem is something wrong, with the operations that show it.
type Problem struct {
	What    string   `json:"what"`
	Excerpt []string `json:"excerpt,omitempty"`

	life life // of the process that it is about, if any
}

// toldProblems is how many problems of one check are reported.
const toldProblems = 5

func (c *Check) fail(h *history, what string, shown ...*operation) {
	c.Wrong++
	if len(c.Problems) == toldProblems {
		return
	}
	p := Problem{What: what}
	for _, o := range shown {
		p.Excerpt = append(p.Excerpt, h.tell(o))
	}
	c.Problems = append(c.Problems, p)
}

func newReport(cfg Config) *Report {
	return &Report{
		Go: runtime.Version(), Platform: runtime.GOOS + "/" + runtime.GOARCH, Processors: runtime.GOMAXPROCS(0),
		Seed: cfg.Seed, Time: cfg.Time, Processes: cfg.Processes, Goroutines: cfg.Goroutines,
	}
}

// count fills in the counts.
func (r *Report) count(h *history) {
	type key struct {
		kind   Kind
		recent bool
	}
	kinds := make(map[key]*KindCount)
	first, last := never, always
	for _, o := range h.operations {
		if o.Process == parent {
			continue
		}
		k := key{o.Kind, o.Recent}
		if kinds[k] == nil {
			kinds[k] = &KindCount{Kind: o.Kind, Recent: o.Recent, Outcomes: make(map[Outcome]int)}
		}
		kinds[k].Count++
		kinds[k].Outcomes[o.answer.Outcome]++
		r.Operations++
		first, last = min(first, o.call.At), max(last, o.call.At)
		if took := time.Duration(o.answer.At - o.call.At); o.answer.At < h.settled && took > r.Longest.Took {
			r.Longest = Longest{o.label(), o.Kind, took}
		}
	}
	r.Took = time.Duration(max(0, last-first))
	for _, c := range kinds {
		r.Kinds = append(r.Kinds, *c)
	}
	slices.SortFunc(r.Kinds, func(a, b KindCount) int {
		return cmp.Or(cmp.Compare(b.Count, a.Count), cmp.Compare(a.Kind, b.Kind))
	})
	r.Doubtful = len(h.doubtful)
	r.Stats, r.Jumps, r.Actions, r.Plans = h.stats.Stats, h.stats.Jumps, len(h.actions), len(h.plans)
	for _, p := range h.plans {
		r.happened(h, p.Label)
		r.Changesets += len(p.changesets)
		for _, c := range p.changesets {
			r.Changes += len(c.Entries)
			for _, label := range c.Entries {
				r.happened(h, label)
			}
		}
	}
}

// happened counts what is there though its maker was not told.
func (r *Report) happened(h *history, label string) {
	if h.doubtful[label] {
		r.Happened++
	}
}

// clean reports whether nothing is wrong, and something was tried.
func (r *Report) clean() bool {
	if r.Operations == 0 || len(r.Processing) > 0 || len(r.Linearity.Problems) > 0 {
		return false
	}
	return !slices.ContainsFunc(r.Checks, func(c Check) bool { return c.Wrong > 0 })
}
