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

// Nights is the ledger of what earlier runs came to, the oldest first. A race that is met once in a week has a number from it.
type Nights []Night

// A Night is what one run came to.
type Night struct {
	Name         string      `json:"name"` // whoever ran it chose it, such as the number of the run and the commit
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
	Symptoms int64  `json:"symptoms,omitempty"` // of those that showed what is reported
}

// mostNights is how many are remembered.
const mostNights = 400

// ErrNights is wrapped by the errors about the ledger's file.
var ErrNights = errors.New("stress: the ledger of nights cannot be used")

// ReadNights reads a ledger. None is an empty one.
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

// Write replaces a ledger in one step. The oldest nights go.
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

// Needed is how many rounds the code as reported took to show what is reported, in the mean of all nights; 0 if it never did.
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

// mean is how many rounds a symptom takes, rounded up; 0 if there is none.
func mean(rounds, symptoms int64) int64 {
	if symptoms == 0 {
		return 0
	}
	return (rounds + symptoms - 1) / symptoms
}

// Night is the report as the ledger has it.
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

// reported is how often the code as reported was tried, and in how many of these rounds it showed what is reported.
func (r RaceReport) reported() (rounds, symptoms int64) {
	for _, s := range r.Specimens {
		if strings.HasSuffix(s.Subject, "/"+string(races.Reported)) {
			rounds, symptoms = rounds+s.Rounds, symptoms+s.Symptoms()
		}
	}
	return rounds, symptoms
}
