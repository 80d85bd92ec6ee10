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
	// Time is how long all campaigns run together: ours get two thirds of it and the specimens one third, in equal
	// shares. Starting the children takes additional time, and a campaign that has met its race ends early. Every
	// campaign has at least one round. 0 means 30 s.
	Time time.Duration
	// Seed decides the layout of the rounds. 0 means 1.
	Seed uint64
	// Stall is how long a round may take before it counts as a deadlock. 0 means 20 s.
	Stall time.Duration
	// StartUp is how long a child may take to start and to end, on top of its campaign, before it is killed. 0 means 30 s.
	StartUp time.Duration
	// Shard is the part of the campaigns to run, from 1 to Shards; 0 means 1. Time is for this shard alone.
	Shard int
	// Shards is the number of parts that the campaigns are divided into; 0 means 1. See [Merge].
	Shards int
	// Run selects campaigns by name, such as "R4/ours body"; nil means all. The shards divide the selected ones.
	Run *regexp.Regexp
	// State is a file in which Run records each campaign that has ended. If it exists already, left by a run that was
	// killed or interrupted, Run continues from there; it removes the file when all campaigns have ended. Empty means none.
	State string
	// Rows is what to run. Nil means [Rows]. The children must get the same rows.
	Rows []Row
	// Command is the program, and its arguments, that calls [Work]. Nil means this executable with the arguments "stress" and
	// "campaign".
	Command []string
	// Env is added to the environment of the children.
	Env []string
	// Progress, if not nil, is called before each campaign, with the number done and the total. It is called on the
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
