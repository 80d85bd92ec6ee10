package stress

import "github.com/jacquard-go/jacquard/races"

// Result is the result of one campaign.
type Result struct {
	Subject  string `json:"subject"`  // a cell of the catalogue, such as "R4/ours"
	Campaign string `json:"campaign"` // "body", or the name of a workload
	Rounds   int64  `json:"rounds"`   // that were begun
	Counts
	Sums []Sum `json:"sums,omitempty"` // in the order in which they were first counted

	// Findings has the first finding of each kind, in the order in which they were met; the
	// campaign continues after a finding. Empty if nothing went wrong.
	Findings []Finding `json:"findings,omitempty"`

	// Outcomes counts how the rounds ended, as far as the processes reported it: for a body, that it held, or its
	// failure; for litmus tests, what was observed. Empty for a workload.
	Outcomes []Outcome `json:"outcomes,omitempty"`

	// Pace samples the number of rounds over time, as the parent saw it.
	Pace []Pace `json:"pace,omitempty"`

	// Trouble says why the campaign could not be run, or not to its end. Empty if it was.
	Trouble string `json:"trouble,omitempty"`

	crashed bool // the process died of its finding
}

// BodyCampaign is the name of a campaign that runs a race's body.
const BodyCampaign = "body"

// Counts says how the operations of a campaign ended: each is a success or a conflict. The operations of a body cannot be
// seen, so its goroutines are counted.
type Counts struct {
	Operations int64 `json:"operations"` // that were begun
	Successes  int64 `json:"successes"`  // that returned no error
	Conflicts  int64 `json:"conflicts"`  // refused, as the contract allows, because another goroutine was first
}

// Sum is a count that must come out exactly.
type Sum struct {
	What string `json:"what"`
	Got  int64  `json:"got"`
	Want int64  `json:"want"`
}

// Finding is one way in which a campaign met a race.
type Finding struct {
	Kind    races.Kind `json:"kind"`
	Round   int64      `json:"round"` // the number of rounds begun by then
	Message string     `json:"message"`
}

// Clean reports whether the campaign ran, nothing was found, and every count adds up.
func (r Result) Clean() bool {
	if r.Rounds == 0 || r.Trouble != "" || len(r.Findings) > 0 || r.Symptoms() > 0 || !r.Counts.addUp() {
		return false
	}
	for _, s := range r.Sums {
		if s.Got != s.Want {
			return false
		}
	}
	return true
}

// Met returns the finding that says most about the race, and whether there is one. Unsynchronised code has data races
// wherever one looks, so their consequences come first.
func (r Result) Met() (Finding, bool) {
	if len(r.Findings) == 0 {
		return Finding{}, false
	}
	for _, f := range r.Findings {
		if f.Kind != races.KindRace {
			return f, true
		}
	}
	return r.Findings[0], true
}

// addUp reports whether every operation is a success or a conflict.
func (c Counts) addUp() bool { return c.Operations == c.Successes+c.Conflicts }

func (c *Counts) add(other Counts) {
	c.Operations += other.Operations
	c.Successes += other.Successes
	c.Conflicts += other.Conflicts
}
