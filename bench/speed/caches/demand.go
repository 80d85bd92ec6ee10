package caches

import (
	"fmt"
	"slices"
	"strings"

	"github.com/jacquard-go/jacquard/bench/measure"
	"github.com/jacquard-go/jacquard/bench/peers"
)

// A Demand is a requirement on the cache: its figures in some rows, compared with those of peers.
type Demand struct {
	Text string
	met  func(rows []Measured) (said string, ok bool)
}

// Demands returns all of them.
func Demands() []Demand {
	return []Demand{
		{"a hit of 1K keys takes at most 1.1 times xsync's Load", atMost("hit 1K", 1.1, peers.XsyncName)},
		{"a hit of 1K keys is faster than any other peer's", atMost("hit 1K", 1, others(peers.XsyncName, peers.FlightName)...)},
		{"a hit of 1M keys takes at most 1.3 times xsync's Load", atMost("hit 1M int", 1.3, peers.XsyncName)},
		{"the same for strings", atMost("hit 1M string", 1.3, peers.XsyncName)},
		{"a hit of 1M keys is faster than otter's", atMost("hit 1M", 1, peers.OtterName)},
		{"a hit allocates nothing", unnoted("hit")},
		{"a miss takes at most what otter's takes", atMost("miss", 1, peers.OtterName)},
		{"one by callers that can leave takes at most 2.2 times otter's, whose callers stay until their creator returns",
			leavers("miss", 2.2, peers.OtterName)},
		{"and allocates at most 6 times", allocating("miss"+leaving, 6)},
		{"cold keys take at most 1.1 times the best", atMost("cold", 1.1, peers.All()[1:]...)},
		{"a slow creation slows others' calls by at most 1.5, at the 99th percentile", below("p99", 1.5)},
	}
}

// Met reports whether the rows meet the demand, and by how much. Rows that were not measured meet every demand.
func (d Demand) Met(rows []Measured) (said string, ok bool) { return d.met(rows) }

// others returns all peers except ours and those named.
func others(but ...peers.Name) (names []peers.Name) {
	for _, name := range peers.All()[1:] {
		if !slices.Contains(but, name) {
			names = append(names, name)
		}
	}
	return names
}

// atMost demands, for each row with named in its name, that ours is at most bound times each of the peers.
func atMost(named string, bound float64, than ...peers.Name) func([]Measured) (string, bool) {
	return each(named, func(m Measured, ours Result) (figures []float64) {
		for _, name := range than {
			if theirs, ok := m.Of(name); ok {
				figures = append(figures, measure.Ratio(ours.Samples, theirs.Samples))
			}
		}
		return figures
	}, bound)
}

// leavers is atMost of the rows of callers that can leave, which all other demands leave out.
func leavers(named string, bound float64, than ...peers.Name) func([]Measured) (string, bool) {
	met := atMost(named, bound, than...)
	return func(rows []Measured) (string, bool) {
		var theirs []Measured
		for _, m := range rows {
			if name, ok := strings.CutSuffix(m.Row.Name, leaving); ok {
				m.Row.Name = name
				theirs = append(theirs, m)
			}
		}
		return met(theirs)
	}
}

// allocating demands that ours notes at most most allocations in a row.
func allocating(named string, most float64) func([]Measured) (string, bool) {
	return func(rows []Measured) (string, bool) {
		for _, m := range rows {
			ours, measured := m.Of(peers.Ours)
			if !measured || m.Row.Name != named {
				continue
			}
			var n float64
			_, _ = fmt.Sscanf(ours.Note, "%f allocs", &n) // no note, no allocations
			return fmt.Sprintf("%.1f", n), n <= most
		}
		return "", true
	}
}

func below(named string, bound float64) func([]Measured) (string, bool) {
	return each(named, func(_ Measured, ours Result) []float64 { return []float64{ours.Value()} }, bound)
}

// each collects the greatest figure of each row with named in its name; none may be above bound.
func each(named string, figures func(Measured, Result) []float64, bound float64) func([]Measured) (string, bool) {
	return func(rows []Measured) (string, bool) {
		var said []string
		ok := true
		for _, m := range rows {
			ours, measured := m.Of(peers.Ours)
			if !measured || !hasWords(m.Row.Name, named) || strings.HasSuffix(m.Row.Name, leaving) {
				continue
			}
			worst := 0.0
			for _, f := range figures(m, ours) {
				worst = max(worst, f)
			}
			said = append(said, fmt.Sprintf("%.2f", worst))
			ok = ok && worst <= bound
		}
		return strings.Join(said, ", "), ok
	}
}

func hasWords(name, words string) bool {
	for _, w := range strings.Fields(words) {
		if !strings.Contains(name, w) {
			return false
		}
	}
	return true
}

// unnoted demands that ours has no note.
func unnoted(named string) func([]Measured) (string, bool) {
	return func(rows []Measured) (string, bool) {
		for _, m := range rows {
			if r, ok := m.Of(peers.Ours); ok && strings.HasPrefix(m.Row.Name, named) && r.Note != "" {
				return m.Row.Name + ": " + r.Note, false
			}
		}
		return "0", true
	}
}
