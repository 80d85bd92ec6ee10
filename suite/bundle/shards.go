package bundle

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/jacquard-go/jacquard/suite"
)

// checkShards refuses shards of which one is there twice, or that are of different runs.
func checkShards(names []string) error {
	for i, name := range names {
		if slices.Contains(names[:i], name) {
			return fmt.Errorf("got shard %s twice, want each once", name)
		}
		if of(name) != of(names[0]) {
			return fmt.Errorf("got shards %s and %s, want those of one run", names[0], name)
		}
	}
	return nil
}

// of is how many shards there are, as the name of one says.
func of(name string) string {
	_, count, _ := strings.Cut(name, "/")
	return count
}

// Lacks says why the run is not whole: it was not run to its end, or of shards that were put
// together some are missing. "" is that it is whole.
func (r *Run) Lacks() string {
	if !r.Merged || len(r.Shards) == 0 {
		return r.Ended
	}
	var count int
	if _, err := fmt.Sscan(of(r.Shards[0]), &count); err != nil {
		return cmp.Or(r.Ended, err.Error())
	}
	var missing []string
	for i := range count {
		if name := (suite.Shard{Index: i + 1, Count: count}).String(); !slices.Contains(r.Shards, name) {
			missing = append(missing, name)
		}
	}
	if len(missing) == 0 {
		return r.Ended
	}
	return cmp.Or(r.Ended, "there is nothing of shard "+strings.Join(missing, ", "))
}

// Word says in short what came of the run.
func (r *Run) Word() string {
	switch {
	case !r.Counts().OK():
		return "failed"
	case r.Lacks() != "":
		return "not whole"
	}
	return "nothing failed"
}
