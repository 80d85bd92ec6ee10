package soak

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"
)

// ErrConfig is wrapped by the errors about a Config that cannot be used.
var ErrConfig = errors.New("soak: bad configuration")

// ErrUnsupported means that this system has no clock that its processes share.
var ErrUnsupported = errors.New("soak: no clock that processes share on this system")

// Config says how to soak one database. The zero value is a good default for a program whose "soak process" command calls [Work].
type Config struct {
	// URL is the URL of an empty database, see [lifecycle.Config]. An empty URL means a new SQLite file.
	URL string
	// Time is how long operations are started. Ending the processes and the checks come on top. 0 means 30 s.
	Time time.Duration
	// Seed decides the operations and the times of kills, but not the interleaving. 0 means 1.
	Seed uint64
	// Processes is the number of processes at a time, and Goroutines the number of goroutines of each. 0 means 4, and 6.
	Processes, Goroutines int
	// KillEvery is the average time between two kills. 0 means 1 s.
	KillEvery time.Duration
	// MaxAge is the age bound of the reads at the opt-in level. 0 means 100 ms.
	MaxAge time.Duration
	// Relaxed lets a commit return before it is on the disk, see [lifecycle.EnginesConfig]. A process that is killed
	// loses nothing by it, and there are many more commits.
	Relaxed bool
	// Stall is how long an operation may take, and how long a process may write nothing. 0 means 20 s.
	Stall time.Duration
	// CheckTime bounds the linearizability check. 0 means 5 min.
	CheckTime time.Duration
	// Restart, if not nil, kills the database's server and starts it again, with all that was committed. It is called at
	// least once, and then every ten to twenty seconds, by the goroutine that called Run.
	Restart func(context.Context) error
	// Keep is a folder for the histories of all processes, which Run makes. If it is empty they are kept only if
	// something is wrong, in a temporary folder.
	Keep string
	// Command is the program, and its arguments, that calls [Work]. Nil means this executable with the arguments "soak" and
	// "process".
	Command []string
	// Env is added to the environment of the processes.
	Env []string
	// Progress, if not nil, is called now and then to say what is going on, by the goroutine that called Run.
	Progress func(what string)
}

func (c Config) withDefaults() (Config, error) {
	for _, d := range []struct {
		name  string
		value *time.Duration
		zero  time.Duration
	}{
		{"Time", &c.Time, 30 * time.Second}, {"KillEvery", &c.KillEvery, time.Second}, {"MaxAge", &c.MaxAge, 100 * time.Millisecond},
		{"Stall", &c.Stall, 20 * time.Second}, {"CheckTime", &c.CheckTime, 5 * time.Minute},
	} {
		switch {
		case *d.value < 0:
			return c, fmt.Errorf("%w: %s: got %v, want a positive duration", ErrConfig, d.name, *d.value)
		case *d.value == 0:
			*d.value = d.zero
		}
	}
	for _, n := range []struct {
		name  string
		value *int
		zero  int
	}{{"Processes", &c.Processes, 4}, {"Goroutines", &c.Goroutines, 6}} {
		switch {
		case *n.value < 0:
			return c, fmt.Errorf("%w: %s: got %d, want a positive number", ErrConfig, n.name, *n.value)
		case *n.value == 0:
			*n.value = n.zero
		}
	}
	if c.Seed == 0 {
		c.Seed = 1
	}
	if c.Progress == nil {
		c.Progress = func(string) {}
	}
	if c.Command == nil {
		self, err := os.Executable()
		if err != nil {
			return c, fmt.Errorf("soak: %w", err)
		}
		c.Command = []string{self, "soak", "process"}
	}
	return c, nil
}

// folder makes the folder of a run, and returns the URL of the database, which is in it if none was given.
func (c Config) folder() (dir, url string, err error) {
	if c.Keep == "" {
		dir, err = os.MkdirTemp("", "jacquard-soak-")
	} else {
		dir, err = filepath.Abs(c.Keep)
		if err == nil {
			err = os.Mkdir(dir, 0o700)
		}
	}
	if err != nil {
		return "", "", fmt.Errorf("soak: %w", err)
	}
	if c.URL != "" {
		return dir, c.URL, nil
	}
	return dir, "sqlite:///" + filepath.Join(dir, "plans.db"), nil
}
