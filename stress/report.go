package stress

import (
	"runtime"
	"time"

	"github.com/jacquard-go/jacquard/races"
)

// Report is what came of all campaigns.
type Report struct {
	Go           string       `json:"go"`
	Platform     string       `json:"platform"` // such as linux/amd64
	Processors   int          `json:"processors"`
	RaceDetector bool         `json:"race_detector"` // and it was seen to report a planted race
	Seed         uint64       `json:"seed"`
	Time         string       `json:"time"` // that was set
	Clean        bool         `json:"clean"`
	Races        []RaceReport `json:"races"`
}

// RaceReport is what came of one race.
type RaceReport struct {
	ID        string   `json:"id"`
	Issue     int      `json:"issue"`
	Title     string   `json:"title"`
	Clean     bool     `json:"clean"` // of ours: every campaign is
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

func newReport(cfg Config) *Report {
	r := &Report{
		Go: runtime.Version(), Platform: runtime.GOOS + "/" + runtime.GOARCH, Processors: runtime.GOMAXPROCS(0),
		RaceDetector: RaceDetector, Seed: cfg.Seed, Time: cfg.Time.Round(time.Millisecond).String(), Clean: true,
	}
	for _, row := range cfg.Rows {
		r.Races = append(r.Races, RaceReport{ID: row.Race.ID, Issue: row.Race.Issue, Title: row.Race.Title, Clean: true})
	}
	return r
}

// file puts a result where it belongs.
func (r *Report) file(race int, column races.Column, result Result) {
	row := &r.Races[race]
	if column != races.Ours {
		row.Specimens = append(row.Specimens, result)
		return
	}
	row.Ours = append(row.Ours, result)
	row.Clean = row.Clean && result.Clean()
	r.Clean = r.Clean && row.Clean
}
