package stress

import (
	"errors"
	"fmt"
	"os"
	"regexp"
	"time"
)

// ErrConfig is wrapped by the errors about a Config that cannot be used.
var ErrConfig = errors.New("stress: bad configuration")

// Config says how to run the campaigns. The zero value is a good default for a program whose "stress campaign" command calls [Work].
type Config struct {
	// Time is how long all campaigns run together: ours get two thirds of it and the specimens one, each campaign an equal share
	// of that. Starting the children comes on top, and a campaign that has met its race ends early. Every campaign has one round
	// at least. 0 means 30 s.
	Time time.Duration
	// Seed decides how the rounds are laid out. 0 means 1.
	Seed uint64
	// Stall is how long a round may take before it counts as a deadlock. 0 means 20 s.
	Stall time.Duration
	// StartUp is how long a child may take to start and to end, on top of its campaign, before it is killed. 0 means 30 s.
	StartUp time.Duration
	// Shard says which part of the campaigns to run, from 1 to Shards; 0 means 1. The time is this shard's.
	Shard int
	// Shards is in how many parts the campaigns are dealt out; 0 means 1. See [Merge].
	Shards int
	// Run chooses campaigns by their names, such as "R4/ours body"; nil means all. The shards have those that it has chosen.
	Run *regexp.Regexp
	// State is a file in which Run notes each campaign that has ended. If there is one already, of a run that was killed or interrupted,
	// Run goes on from there; it removes the file when all campaigns have ended. Empty means none.
	State string
	// Rows is what to run. Nil means [Rows]. The children must be given the same.
	Rows []Row
	// Command is the program, and its arguments, that calls [Work]. Nil means this executable with the arguments "stress" and
	// "campaign".
	Command []string
	// Env is added to the environment of the children.
	Env []string
	// Progress, if not nil, is called before each campaign with how many are done and how many there are. It runs on the
	// goroutine that called Run.
	Progress func(done, of int, next string)
}

func (c Config) withDefaults() (Config, error) {
	if c.Time == 0 {
		c.Time = 30 * time.Second
	}
	if c.Stall == 0 {
		c.Stall = 20 * time.Second
	}
	if c.StartUp == 0 {
		c.StartUp = 30 * time.Second
	}
	if c.Seed == 0 {
		c.Seed = 1
	}
	if c.Shards == 0 && c.Shard == 0 {
		c.Shard, c.Shards = 1, 1
	}
	if c.Shard < 1 || c.Shard > c.Shards {
		return c, fmt.Errorf("%w: got shard %d of %d, want one from 1 to their number", ErrConfig, c.Shard, c.Shards)
	}
	if c.Rows == nil {
		c.Rows = Rows()
	}
	if c.Progress == nil {
		c.Progress = func(int, int, string) {}
	}
	for name, d := range map[string]time.Duration{"Time": c.Time, "Stall": c.Stall, "StartUp": c.StartUp} {
		if d < 0 {
			return c, fmt.Errorf("%w: %s: got %v, want a positive duration", ErrConfig, name, d)
		}
	}
	if c.Command == nil {
		self, err := os.Executable()
		if err != nil {
			return c, fmt.Errorf("stress: %w", err)
		}
		c.Command = []string{self, "stress", "campaign"}
	}
	return c, nil
}
