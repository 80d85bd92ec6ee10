package jobs

import (
	"context"
	"fmt"
	"hash/fnv"
	"log/slog"
	"math/rand/v2"
	"time"

	"github.com/jacquard-go/jacquard/lifecycle/internal/check"
)

// Handler runs a job. Its context ends when the job is cancelled, the lease is lost or the worker
// stops ([context.Cause] says which); the handler must return then. Several handlers run at a time.
// The result is stored with the job.
type Handler func(ctx context.Context, j Job) (result []byte, err error)

// WorkerConfig configures a [Worker]. Name and Handler are required.
type WorkerConfig struct {
	Name    string // for others to read; 1 to [MaxName] bytes
	Handler Handler

	Size  int           // how many jobs at a time; zero means [DefaultSize]
	Lease time.Duration // of a job; zero means [DefaultLease]
	Beat  time.Duration // how often a lease is renewed; at most a third of Lease, and zero means that
	Poll  time.Duration // how often to look for jobs; zero means [DefaultPoll]

	FirstPause   time.Duration // before the second attempt of a job; zero means [DefaultFirstPause]
	LongestPause time.Duration // of later pauses, each twice the one before; zero means [DefaultLongestPause]
	Seed         uint64        // for the jitter: each pause lasts from half to all of its length

	// Logger logs attempts that fail and errors of the database. Nil means no logging.
	Logger *slog.Logger
}

// The defaults and limits.
const (
	DefaultSize         = 4
	DefaultPoll         = time.Second
	DefaultFirstPause   = time.Second
	DefaultLongestPause = 5 * time.Minute
	MostSize            = 1000
)

// complete fills in the defaults and refuses invalid values.
func (c *WorkerConfig) complete() (err error) {
	if err := checkName("worker", c.Name); err != nil {
		return err
	}
	if c.Lease, err = checkLease(c.Lease); err != nil {
		return err
	}
	orElse(&c.Size, DefaultSize)
	orElse(&c.Beat, c.Lease/3)
	orElse(&c.Poll, DefaultPoll)
	orElse(&c.FirstPause, DefaultFirstPause)
	orElse(&c.LongestPause, max(c.FirstPause, DefaultLongestPause))
	if c.Logger == nil {
		c.Logger = slog.New(slog.DiscardHandler)
	}
	switch {
	case c.Handler == nil:
		return check.Invalid("handler", "", "is nil")
	case c.Size < 0 || c.Size > MostSize:
		return check.Invalid("size", fmt.Sprint(c.Size), fmt.Sprintf("is not from 1 to %d", MostSize))
	case c.Beat < 0 || c.Beat > c.Lease/3:
		return check.Invalid("beat", c.Beat.String(), fmt.Sprintf("is not from 1ns to %v", c.Lease/3))
	case c.Poll < 0:
		return check.Invalid("poll", c.Poll.String(), "is negative")
	case c.FirstPause < 0 || c.LongestPause < c.FirstPause || c.LongestPause > LongestDelay:
		return check.Invalid("pauses", fmt.Sprint(c.FirstPause, " and ", c.LongestPause), fmt.Sprintf("are not in order from 0 to %v", LongestDelay))
	}
	return nil
}

func orElse[V comparable](v *V, otherwise V) {
	var zero V
	if *v == zero {
		*v = otherwise
	}
}

// pause returns how long a job waits after an attempt: the same for the same seed, job and attempt.
func (c *WorkerConfig) pause(j Job) time.Duration {
	most := c.FirstPause
	for n := 1; n < j.Attempt && most < c.LongestPause; n++ {
		most = min(2*most, c.LongestPause)
	}
	hash := fnv.New64a()
	_, _ = hash.Write([]byte(j.ID)) // never fails
	random := rand.New(rand.NewPCG(c.Seed^hash.Sum64(), uint64(j.Attempt)))
	return most/2 + time.Duration(random.Int64N(int64(most-most/2)+1))
}
