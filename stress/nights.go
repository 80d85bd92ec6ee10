package stress

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"

	"github.com/jacquard-go/jacquard/internal/toolchain"
	"github.com/jacquard-go/jacquard/races"
)

// Nights is the ledger of earlier runs, the oldest first. It gives a number to a race that is met once in a week.
type Nights []Night

// A Night is the summary of one run.
type Night struct {
	Name         string      `json:"name"` // chosen by the caller, such as the number of the run and the commit
	Seed         uint64      `json:"seed"`
	Go           string      `json:"go"`
	Platform     string      `json:"platform"`
	Processors   int         `json:"processors"`
	RaceDetector bool        `json:"race_detector"`
	Time         string      `json:"time"`
	Clean        bool        `json:"clean"`
	Races        []NightRace `json:"races"`
}

// A NightRace is one race in one night.
type NightRace struct {
	ID       string `json:"id"`
	Ours     int64  `json:"ours"`               // rounds of ours
	Wrong    string `json:"wrong,omitempty"`    // the campaign of ours that was not clean
	Reported int64  `json:"reported,omitempty"` // rounds of the code as reported
	Symptoms int64  `json:"symptoms,omitempty"` // rounds of those that showed the reported symptom
}

// mostNights is how many nights a ledger keeps.
const mostNights = 400

// ErrNights is wrapped by the errors about the ledger's file.
var ErrNights = errors.New("stress: the ledger of nights cannot be used")

// ReadNights reads a ledger. A file that does not exist is an empty ledger.
func ReadNights(path string) (Nights, error) {
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	} else if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrNights, err)
	}
	var all Nights
	if err := json.Unmarshal(text, &all); err != nil {
		return nil, fmt.Errorf("%w: %s: %w", ErrNights, path, err)
	}
	return all, nil
}

// Write replaces a ledger atomically. It drops the oldest nights if there are too many.
func (n Nights) Write(path string) error {
	text, err := json.MarshalIndent(n[max(0, len(n)-mostNights):], "", " ")
	if err == nil {
		err = toolchain.Replace(path, append(text, '\n'))
	}
	if err != nil {
		return fmt.Errorf("%w: %w", ErrNights, err)
	}
	return nil
}

// Needed returns the mean number of rounds per symptom of the code as reported, over all nights; 0 if it showed none.
func (n Nights) Needed(id string) int64 {
	var rounds, symptoms int64
	for _, night := range n {
		for _, race := range night.Races {
			if race.ID == id {
				rounds, symptoms = rounds+race.Reported, symptoms+race.Symptoms
			}
		}
	}
	return mean(rounds, symptoms)
}

// mean returns how many rounds a symptom takes, rounded up; 0 if there are no symptoms.
func mean(rounds, symptoms int64) int64 {
	if symptoms == 0 {
		return 0
	}
	return (rounds + symptoms - 1) / symptoms
}

// Night returns the summary of the report for the ledger.
func (r *Report) Night(name string) Night {
	night := Night{
		Name: name, Seed: r.Seed, Go: r.Go, Platform: r.Platform, Processors: r.Processors, RaceDetector: r.RaceDetector,
		Time: r.Time, Clean: r.Clean,
	}
	for _, row := range r.Races {
		one := NightRace{ID: row.ID}
		one.Ours, _ = row.Total()
		for _, c := range row.Ours {
			if !c.Clean() && one.Wrong == "" {
				one.Wrong = c.Campaign
			}
		}
		one.Reported, one.Symptoms = row.reported()
		night.Races = append(night.Races, one)
	}
	return night
}

// reported returns the rounds of the code as reported, and in how many of them it showed the reported symptom.
func (r RaceReport) reported() (rounds, symptoms int64) {
	for _, s := range r.Specimens {
		if strings.HasSuffix(s.Subject, "/"+string(races.Reported)) {
			rounds, symptoms = rounds+s.Rounds, symptoms+s.Symptoms()
		}
	}
	return rounds, symptoms
}
