package guarantees

import (
	"context"
	"fmt"
	"runtime"
	"strconv"
	"sync"
	"sync/atomic"
)

var creationRows = []Row{
	{"G1", "eight goroutines race for each key: extra creations + second objects", races},
}

func races(l *lab) Outcome {
	const callers = 8
	var extra, second int
	for range l.effort.Rounds {
		if err := l.fresh(); err != nil {
			return broken(err.Error())
		}
		n := l.effort.Races
		keys := make([]string, n)
		for i := range keys {
			keys[i] = strconv.Itoa(i)
		}
		var got [callers][]*Object
		made := make([]atomic.Int32, n)
		var start, all sync.WaitGroup
		start.Add(1)
		for g := range callers {
			got[g] = make([]*Object, n)
			all.Go(func() {
				start.Wait()
				for i, key := range keys {
					got[g][i], _ = l.c.GetOrCreate(context.Background(), key, func(context.Context) (*Object, error) {
						made[i].Add(1)
						runtime.Gosched()
						return &Object{}, nil
					})
				}
			})
		}
		start.Done()
		all.Wait()
		for i := range keys {
			extra += int(made[i].Load()) - 1
			seen := map[*Object]bool{}
			for g := range callers {
				seen[got[g][i]] = true
			}
			second += len(seen) - 1
		}
	}
	o := kept(fmt.Sprintf("%d + %d", extra, second))
	if extra > 0 {
		o.Grade = Partly
	}
	if second > 0 {
		o.Grade = Broken
	}
	return o
}
