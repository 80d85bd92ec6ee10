package explore

import (
	"fmt"
	"hash/fnv"
	"reflect"
	"slices"
	"sync"
	"testing"
)

// A station is where in a program an exploration is, so that another process of
// the same program can come to it too.
type station struct {
	test   string // "" if none has said that it runs
	number int    // of the exploration in it, from 1
	past   []past // what came of those before it
}

// route is where this process is now.
var route struct {
	sync.Mutex
	tb testing.TB
	station
}

// mostPast bounds the results that are kept for workers. A test that explores
// more often has none from then on: its explorations are short.
const mostPast = 200

// enter notes that a test runs.
func enter(tb testing.TB) {
	route.Lock()
	defer route.Unlock()
	if route.tb != tb {
		route.tb, route.station = tb, station{test: tb.Name()}
	}
}

// arrive notes that an exploration begins.
func arrive() station {
	route.Lock()
	defer route.Unlock()
	route.number++
	at := route.station
	at.past = slices.Clone(at.past)
	return at
}

// depart notes what came of it.
func (s station) depart(name string, r *Result, err error) {
	route.Lock()
	defer route.Unlock()
	if route.test != s.test || len(route.past) != s.number-1 || s.number > mostPast {
		return
	}
	p := past{Name: name, Result: r}
	if err != nil {
		p = past{Name: name, Err: err.Error()}
	}
	route.past = append(route.past, p)
}

// whole reports whether all that came before is known.
func (s station) whole() bool { return len(s.past) == s.number-1 }

// identity tells this exploration from others.
func (x *explorer) identity() (identity, error) {
	program, err := programID()
	if err != nil {
		return identity{}, err
	}
	return identity{
		Number: x.at.number, Name: x.cfg.Name, Program: program, Config: x.cfg.digest(),
		Body: relative(reflect.ValueOf(x.body).Pointer()), Course: x.course,
	}, nil
}

// digest identifies what of a Config decides executions.
func (c Config) digest() uint64 {
	h := fnv.New64a()
	for _, s := range c.Plan {
		fmt.Fprintf(h, "%s %d\n", s.Strategy.Name(), s.Schedules)
	}
	c.Plan, c.Progress, c.Prepare, c.Enough, c.Logger, c.Workers, c.Worker, c.Bookmark, c.Replayed, c.crew = nil, nil, nil, nil, nil, 0, nil, nil, "", crewOptions{}
	fmt.Fprintf(h, "%+v", c)
	return h.Sum64()
}
