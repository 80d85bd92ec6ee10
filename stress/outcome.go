package stress

import (
	"cmp"
	"regexp"
	"slices"
)

// Grade says what an outcome is worth.
type Grade string

// The grades, as jcstress has them.
const (
	Acceptable  Grade = "acceptable"  // it may be
	Interesting Grade = "interesting" // it may be, and shows that callers met
	Forbidden   Grade = "forbidden"   // it must not be
)

// An Outcome is one way in which rounds ended.
type Outcome struct {
	Test  string `json:"test,omitempty"` // of a campaign of several
	What  string `json:"what"`           // what was observed
	Grade Grade  `json:"grade"`
	Means string `json:"means,omitempty"` // in a line
	Count int64  `json:"count"`           // of rounds
}

// same reports whether two outcomes are one, whatever their counts.
func (o Outcome) same(other Outcome) bool { return o.Test == other.Test && o.What == other.What }

// outcomes is a table of them.
type outcomes []Outcome

// add counts.
func (all *outcomes) add(o Outcome) {
	if i := slices.IndexFunc(*all, o.same); i >= 0 {
		(*all)[i].Count += o.Count
		return
	}
	*all = append(*all, o)
}

// sorted is a table by test, the most frequent outcome first.
func (all outcomes) sorted() []Outcome {
	list := slices.Clone(all)
	slices.SortStableFunc(list, func(a, b Outcome) int {
		return cmp.Or(cmp.Compare(a.Test, b.Test), cmp.Compare(b.Count, a.Count), cmp.Compare(a.What, b.What))
	})
	return list
}

// names matches what is another one in each round: identifiers and numbers of engines, and the errors' addresses.
var names = regexp.MustCompile(`\b[0-9A-HJKMNP-TV-Z]{26}\b|#\d+|0x[0-9a-f]+`)

// classOf is a message without what is another one in each round.
func classOf(message string) string { return shortened(names.ReplaceAllString(message, "…")) }

// Symptoms is in how many rounds something forbidden was observed. Data races are not: they say nothing of what comes of them.
func (r Result) Symptoms() (n int64) {
	for _, o := range r.Outcomes {
		if o.Grade == Forbidden {
			n += o.Count
		}
	}
	return n
}

// merge adds what another process has done for the same campaign.
func (r *Result) merge(other Result) {
	for _, f := range other.Findings {
		if !slices.ContainsFunc(r.Findings, func(known Finding) bool { return known.Kind == f.Kind }) {
			f.Round += r.Rounds
			r.Findings = append(r.Findings, f)
		}
	}
	r.Rounds += other.Rounds
	r.Pace = after(r.Pace, other.Pace)
	r.Counts.add(other.Counts)
	all := outcomes(r.Outcomes)
	for _, o := range other.Outcomes {
		all.add(o)
	}
	r.Outcomes = all.sorted()
	sums := ledger(r.Sums)
	for _, s := range other.Sums {
		sums.add(s.What, s.Got, s.Want)
	}
	r.Sums, r.Trouble = sums, cmp.Or(r.Trouble, other.Trouble)
}
