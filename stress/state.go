package stress

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"

	"github.com/jacquard-go/jacquard/internal/toolchain"
)

// ErrState is wrapped by the errors about the state file of a run that is to be continued.
var ErrState = errors.New("stress: cannot go on with that run")

// state is the content of the state file: how far a run has come.
type state struct {
	Order  string   `json:"order"` // the configuration that must not change
	Done   []string `json:"done"`  // the names of the campaigns that have ended
	Report *Report  `json:"report"`
}

// resume reads the state of the run, or returns an empty one if there is no file.
func resume(cfg Config, all []plannedJob) (*state, error) {
	s := &state{Order: order(cfg, len(all)), Report: newReport(cfg, all)}
	if cfg.State == "" {
		return s, nil
	}
	text, err := os.ReadFile(cfg.State)
	if errors.Is(err, fs.ErrNotExist) {
		return s, nil
	} else if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrState, err)
	}
	var known state
	if err := json.Unmarshal(text, &known); err != nil {
		return nil, fmt.Errorf("%w: %s is not what a run has left: %w", ErrState, cfg.State, err)
	}
	if known.Order != s.Order || known.Report == nil {
		return nil, fmt.Errorf("%w: got %s, and %s is of %s; remove it, or ask for the same", ErrState, s.Order, cfg.State, known.Order)
	}
	known.Report.Interrupted = false
	return &known, nil
}

// order describes what must be the same for a run to be continued.
func order(cfg Config, campaigns int) string {
	detector := "without"
	if RaceDetector {
		detector = "with"
	}
	text := fmt.Sprintf("seed %d, %v, shard %d/%d of %d campaigns, %s the race detector", cfg.Seed, cfg.Time, cfg.Shard, cfg.Shards, campaigns, detector)
	if cfg.Run != nil {
		text += fmt.Sprintf(", chosen by %q", cfg.Run)
	}
	return text
}

func (s *state) has(j plannedJob) bool { return slices.Contains(s.Done, j.name()) }

// note records that a campaign has ended, and replaces the file atomically.
func (s *state) note(path string, j plannedJob) error {
	s.Done = append(s.Done, j.name())
	if path == "" {
		return nil
	}
	text, err := json.Marshal(s)
	if err == nil {
		err = toolchain.Replace(path, text)
	}
	if err != nil {
		return fmt.Errorf("stress: keep how far the run has come: %w", err)
	}
	return nil
}

// forget removes the state file of a run that has ended.
func (s *state) forget(path string) error {
	if path == "" || len(s.Done) == 0 {
		return nil
	}
	if err := os.Remove(path); err != nil {
		return fmt.Errorf("stress: %w", err)
	}
	return nil
}
