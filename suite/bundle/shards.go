package bundle

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/jacquard-go/jacquard/suite"
)

// checkShards refuses duplicate shards, and shards of different runs.
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

// of returns how many shards there are, from the name of one.
func of(name string) string {
	_, count, _ := strings.Cut(name, "/")
	return count
}

// Lacks returns why the run is incomplete: it did not finish, or shards are missing from a merged
// run. "" means that it is complete.
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

// Word returns the run's result in one or two words.
func (r *Run) Word() string {
	switch {
	case !r.Counts().OK():
		return "failed"
	case r.Lacks() != "":
		return "not whole"
	}
	return "nothing failed"
}
