package suite

import (
	"context"
	"time"
)

// WithBinary is cfg with a test binary that is there already.
func WithBinary(cfg Config, binary string) Config {
	return WithBuild(cfg, func() (string, error) { return binary, nil })
}

// WithBuild is cfg with another way to come by a test binary.
func WithBuild(cfg Config, build func() (binary string, err error)) Config {
	cfg.build = func(context.Context, listed) (string, error) { return build() }
	return cfg
}

// WithKnownTime is cfg with another bound of one known failure.
func WithKnownTime(cfg Config, d time.Duration) Config {
	cfg.knownTime = d
	return cfg
}

// WithSilence is cfg with another bound of what a process of a quick test may keep
// to itself.
func WithSilence(cfg Config, d time.Duration) Config {
	cfg.silence = d
	return cfg
}

// WithLeaving is cfg with another bound of what a process may take that has told all.
func WithLeaving(cfg Config, d time.Duration) Config {
	cfg.leaving = d
	return cfg
}

// Temp makes a folder for the temporary files of a test.
func Temp(binary, test string) (dir string, remove func(), err error) {
	t, err := newTemp(binary, test)
	if err != nil {
		return "", nil, err
	}
	return t.dir, t.remove, nil
}

// Count adds one to a number in a ledger, and returns what the ledger says.
func Count(dir string) (n int, err error) {
	l := ledger[int]{dir, "count"}
	err = l.update(func(numbers map[string]int) { numbers["n"]++ })
	if err != nil {
		return 0, err
	}
	numbers, err := l.read()
	return numbers["n"], err
}

// Share is how many processes each test may have that is not done.
func Share(workers, tests, done int) int {
	d := &division{run: &run{cfg: Config{Workers: workers}}, all: make([]*exploration, tests), done: done}
	return d.share()
}
