package stress

import (
	"cmp"
	"regexp"
	"slices"
)

// Grade judges an outcome.
type Grade string

// The grades of jcstress.
const (
	Acceptable  Grade = "acceptable"  // allowed
	Interesting Grade = "interesting" // allowed, and shows that callers met
	Forbidden   Grade = "forbidden"   // not allowed
)

// An Outcome is one way in which rounds ended.
type Outcome struct {
	Test  string `json:"test,omitempty"` // the test's name, if a campaign has several
	What  string `json:"what"`           // what was observed
	Grade Grade  `json:"grade"`
	Means string `json:"means,omitempty"` // in a line
	Count int64  `json:"count"`           // of rounds
}

// same reports whether two outcomes are equal except for their counts.
func (o Outcome) same(other Outcome) bool { return o.Test == other.Test && o.What == other.What }

// outcomes is a table of outcomes.
type outcomes []Outcome

// add counts an outcome.
func (all *outcomes) add(o Outcome) {
	if i := slices.IndexFunc(*all, o.same); i >= 0 {
		(*all)[i].Count += o.Count
		return
	}
	*all = append(*all, o)
}

// sorted returns the table ordered by test, the most frequent outcome first.
func (all outcomes) sorted() []Outcome {
	list := slices.Clone(all)
	slices.SortStableFunc(list, func(a, b Outcome) int {
		return cmp.Or(cmp.Compare(a.Test, b.Test), cmp.Compare(b.Count, a.Count), cmp.Compare(a.What, b.What))
	})
	return list
}

// names matches the parts of a message that differ from round to round: identifiers, engine numbers, and addresses.
var names = regexp.MustCompile(`\b[0-9A-HJKMNP-TV-Z]{26}\b|#\d+|0x[0-9a-f]+`)

// classOf returns a message without the parts that differ from round to round.
func classOf(message string) string { return shortened(names.ReplaceAllString(message, "…")) }

// Symptoms returns the number of rounds with a forbidden outcome. Data races alone do not count.
func (r Result) Symptoms() (n int64) {
	for _, o := range r.Outcomes {
		if o.Grade == Forbidden {
			n += o.Count
		}
	}
	return n
}

// merge adds the result of another process of the same campaign.
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
