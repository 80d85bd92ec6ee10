package search

import (
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/jacquard-go/jacquard/internal/engine"
	"github.com/jacquard-go/jacquard/internal/schedule"
	"github.com/jacquard-go/jacquard/internal/strategy"
	"github.com/jacquard-go/jacquard/internal/verdict"
	"github.com/jacquard-go/jacquard/internal/workers"
)

// Config has the fields of explore.Config, which documents them.
type Config struct {
	Seed        uint64
	Plan        []schedule.Stage
	Schedules   int
	MaxSteps    int
	Patient     bool
	Races       engine.RacePolicy
	Leaks       engine.LeakPolicy
	IgnoreLeaks []engine.LeakFilter
	Trust       []string
	Watchdog    time.Duration
	Stall       time.Duration
	Minimise    int
	Name        string
	Replayed    string
	Cards       string
	Enough      func(sofar verdict.Result) bool
	Found       func(first verdict.Failure)
	Pass        func(f verdict.Failure) bool
	Hurry       func() bool
	Bookmark    []byte
	Residents   bool
	Runner      string
	Streams     []*os.File
	Prepare     func()
	Progress    func(schedules int)
	Workers     int
	Worker      func() *exec.Cmd
	Fresh       func() *exec.Cmd
	Exclusive   bool
	Logger      *slog.Logger
}

// ErrConfig is wrapped by errors about an invalid Config, or a nil context or body.
var ErrConfig = errors.New("explore: bad configuration")

func (c Config) withDefaults() (Config, error) {
	if c.Seed == 0 {
		c.Seed = 1
	}
	if c.MaxSteps == 0 {
		c.MaxSteps = 100_000
	}
	if c.Minimise == 0 {
		c.Minimise = 600
	}
	if c.Stall == 0 {
		c.Stall = 10 * time.Millisecond
	}
	if c.Watchdog == 0 {
		c.Watchdog = 20 * time.Second
	}
	if c.Plan == nil {
		c.Plan = strategy.DefaultPlan()
	}
	if c.Schedules < 0 {
		return c, fmt.Errorf("%w: Schedules: got %d, want at least 0", ErrConfig, c.Schedules)
	}
	if c.MaxSteps < 2 {
		return c, fmt.Errorf("%w: MaxSteps: got %d, want at least 2", ErrConfig, c.MaxSteps)
	}
	if c.Logger == nil {
		c.Logger = slog.Default()
	}
	var err error
	if c.Workers, err = c.workers(); err != nil {
		return c, err
	}
	if c.Watchdog < 0 {
		return c, fmt.Errorf("%w: Watchdog: got %v, want a positive duration", ErrConfig, c.Watchdog)
	}
	if i := slices.IndexFunc(c.IgnoreLeaks, engine.LeakFilter.Empty); i >= 0 {
		return c, fmt.Errorf("%w: IgnoreLeaks[%d]: got an empty filter, want one that names a function; to ignore all leaks set Leaks", ErrConfig, i)
	}
	if i := slices.Index(c.Streams, nil); i >= 0 {
		return c, fmt.Errorf("%w: Streams[%d]: got nil, want an open file", ErrConfig, i)
	}
	for i, p := range c.Trust {
		if pkg := strings.TrimSuffix(p, "/..."); !fs.ValidPath(pkg) || pkg == "." || strings.Contains(pkg, "...") || strings.ContainsAny(pkg, "* ") {
			return c, fmt.Errorf("%w: Trust[%d]: got %q, want an import path, which /... may follow", ErrConfig, i, p)
		}
	}
	if c.Races < engine.RacesFail || c.Races > engine.RacesGoOn {
		return c, fmt.Errorf("%w: Races: got %d, want one of the policies", ErrConfig, c.Races)
	}
	if c.Leaks < engine.LeaksFail || c.Leaks > engine.LeaksStuck {
		return c, fmt.Errorf("%w: Leaks: got %d, want one of the policies", ErrConfig, c.Leaks)
	}
	if len(c.Plan) == 0 {
		return c, fmt.Errorf("%w: Plan: got no stages, want at least one, or nil for the default", ErrConfig)
	}
	for i, s := range c.Plan {
		if s.Strategy == nil {
			return c, fmt.Errorf("%w: Plan[%d]: got no strategy, want one", ErrConfig, i)
		}
		if s.Schedules < 1 {
			return c, fmt.Errorf("%w: Plan[%d], %s: got %d schedules, want at least 1", ErrConfig, i, s.Strategy.Name(), s.Schedules)
		}
		if _, ok := s.Strategy.(schedule.Foreseer); s.Near && !ok {
			return c, fmt.Errorf("%w: Plan[%d], %s: Near: got a strategy that cannot say how near its end is, want one that can, such as DPOR", ErrConfig, i, s.Strategy.Name())
		}
	}
	return c, nil
}

// settings returns the engine's settings.
func (c *Config) settings() engine.Settings {
	var targets []string
	for _, s := range c.Plan {
		if a, ok := s.Strategy.(schedule.Aimer); ok {
			targets = append(targets, a.Targets()...)
		}
	}
	return engine.Settings{
		Targets: targets, Name: c.Name, MaxSteps: c.MaxSteps, Watchdog: c.Watchdog, Stall: max(c.Stall, 0), Patient: c.Patient, Residents: c.Residents,
		Races: c.Races, Leaks: c.Leaks, IgnoreLeaks: c.IgnoreLeaks, Trust: c.Trust, Runner: c.Runner, Streams: c.Streams, Prepare: c.Prepare,
	}
}

// workers returns how many processes may run executions, this one included.
func (c *Config) workers() (int, error) {
	n := c.Workers
	if text := os.Getenv(workers.WorkersEnv); n == 0 && text != "" {
		var err error
		if n, err = strconv.Atoi(text); err != nil || n < 1 {
			return 0, fmt.Errorf("%w: %s: got %q, want a number of at least 1", ErrConfig, workers.WorkersEnv, text)
		}
	}
	if n < 0 {
		return 0, fmt.Errorf("%w: Workers: got %d, want at least 1, or 0 for the default", ErrConfig, n)
	}
	if n == 0 {
		n = runtime.NumCPU()
	}
	return n, nil
}

// hiring returns the options for workers.
func (c *Config) hiring() workers.Options {
	return workers.Options{Name: c.Name, Most: c.Workers, Command: c.Worker, Fresh: c.Fresh, Logger: c.Logger}
}
