package stress

import (
	"errors"
	"fmt"
	"runtime"
	"slices"
	"time"

	"github.com/jacquard-go/jacquard/races"
)

// Report is the result of all campaigns.
type Report struct {
	Go           string       `json:"go"`
	Platform     string       `json:"platform"` // such as linux/amd64
	Processors   int          `json:"processors"`
	RaceDetector bool         `json:"race_detector"` // and it has reported a planted race
	Seed         uint64       `json:"seed"`
	Time         string       `json:"time"`                  // the configured time
	Shard        string       `json:"shard,omitempty"`       // such as 2/5; empty for a whole run
	Interrupted  bool         `json:"interrupted,omitempty"` // not all campaigns were run
	Clean        bool         `json:"clean"`                 // nothing is wrong with ours
	Races        []RaceReport `json:"races"`
}

// RaceReport is the result of one race.
type RaceReport struct {
	ID        string   `json:"id"`
	Issue     int      `json:"issue"`
	Title     string   `json:"title"`
	Clean     bool     `json:"clean"`              // every campaign of ours is clean
	Specimen  bool     `json:"specimen"`           // a specimen exists, whether or not it was run here
	Needed    int64    `json:"needed,omitempty"`   // mean number of rounds in which the specimen as reported shows its symptom once; 0 if it never did
	Recorded  bool     `json:"recorded,omitempty"` // Needed is from earlier nights, because this run has not met the race
	Enough    bool     `json:"enough"`             // ours was tried ten times as often as Needed, or there is no specimen
	Ours      []Result `json:"ours"`
	Specimens []Result `json:"specimens"` // as reported, as suggested
}

// Total adds up the rounds and the operations of ours.
func (r RaceReport) Total() (rounds int64, counts Counts) {
	for _, result := range r.Ours {
		rounds += result.Rounds
		counts.add(result.Counts)
	}
	return rounds, counts
}

// newReport returns a report without results. It has the rows of all chosen campaigns, in this shard or not.
func newReport(cfg Config, chosen []plannedJob) *Report {
	r := &Report{
		Go: runtime.Version(), Platform: runtime.GOOS + "/" + runtime.GOARCH, Processors: runtime.GOMAXPROCS(0),
		RaceDetector: RaceDetector, Seed: cfg.Seed, Time: cfg.Time.Round(time.Millisecond).String(),
	}
	if cfg.Shards > 1 {
		r.Shard = fmt.Sprintf("%d/%d", cfg.Shard, cfg.Shards)
	}
	for _, j := range chosen {
		r.row(cfg.Rows[j.race].Race)
	}
	return r
}

// row returns the index of a race, which is added if it is new.
func (r *Report) row(of races.Race) int {
	if i := slices.IndexFunc(r.Races, func(known RaceReport) bool { return known.ID == of.ID }); i >= 0 {
		return i
	}
	_, specimen := of.Cell(races.Reported)
	r.Races = append(r.Races, RaceReport{ID: of.ID, Issue: of.Issue, Title: of.Title, Specimen: specimen})
	return len(r.Races) - 1
}

// file adds a result to its race, merged with an earlier one of the same campaign.
func (r *Report) file(race int, column races.Column, result Result) {
	row := &r.Races[race]
	list := &row.Ours
	if column != races.Ours {
		list = &row.Specimens
	}
	i := slices.IndexFunc(*list, func(known Result) bool { return known.Subject == result.Subject && known.Campaign == result.Campaign })
	if i >= 0 {
		(*list)[i].merge(result)
	} else {
		*list = append(*list, result)
	}
}

// often is how many times the rounds that a specimen needs ours must be tried.
const often = 10

// Weigh sets for each race whether ours is clean, and whether it was tried often enough: compared with the rounds that
// the specimen needed in this run, or, if this run has not met the race, in earlier nights.
func (r *Report) Weigh(earlier Nights) {
	r.Clean = true
	for i := range r.Races {
		row := &r.Races[i]
		row.Clean, row.Needed, row.Recorded = true, mean(row.reported()), false
		if row.Needed == 0 {
			row.Needed = earlier.Needed(row.ID)
			row.Recorded = row.Needed > 0
		}
		for _, c := range row.Ours {
			row.Clean = row.Clean && c.Clean()
		}
		rounds, _ := row.Total()
		row.Enough = rounds > 0 && !row.Specimen || row.Needed > 0 && rounds >= often*row.Needed
		r.Clean = r.Clean && row.Clean
	}
}

// ErrMerge is wrapped by the errors of [Merge].
var ErrMerge = errors.New("stress: reports that do not go together")

// missing reports whether the reports are shards of a run, and some shard is missing.
func missing(reports []*Report) bool {
	there := make(map[string]bool)
	for _, r := range reports {
		there[r.Shard] = true
	}
	for shard := range there {
		i, n := 0, 0
		_, _ = fmt.Sscanf(shard, "%d/%d", &i, &n) // fails for a whole run
		for i := range n {
			if !there[fmt.Sprintf("%d/%d", i+1, n)] {
				return true
			}
		}
	}
	return false
}

// Merge combines the reports of shards, or of several runs. They must have the same rows. If a
// shard is missing the merged report counts as interrupted.
func Merge(reports ...*Report) (*Report, error) {
	if len(reports) == 0 {
		return nil, fmt.Errorf("%w: got none", ErrMerge)
	}
	all := *reports[0]
	all.Shard, all.Interrupted, all.Races = "", false, nil
	for _, row := range reports[0].Races {
		all.Races = append(all.Races, RaceReport{ID: row.ID, Issue: row.Issue, Title: row.Title, Specimen: row.Specimen})
	}
	all.Interrupted = missing(reports)
	for _, r := range reports {
		if len(r.Races) != len(all.Races) {
			return nil, fmt.Errorf("%w: got %d races and %d", ErrMerge, len(all.Races), len(r.Races))
		}
		all.RaceDetector, all.Interrupted = all.RaceDetector && r.RaceDetector, all.Interrupted || r.Interrupted
		for i, row := range r.Races {
			if row.ID != all.Races[i].ID {
				return nil, fmt.Errorf("%w: got race %s and race %s", ErrMerge, all.Races[i].ID, row.ID)
			}
			for _, result := range row.Ours {
				all.file(i, races.Ours, result)
			}
			for _, result := range row.Specimens {
				all.file(i, races.Reported, result)
			}
		}
	}
	all.Weigh(nil)
	return &all, nil
}
