package explored

import (
	"github.com/jacquard-go/jacquard/cache/explored"
	"github.com/jacquard-go/jacquard/explore"
)

// scripts are the calls of the goroutines of a row of the model, a letter for each. See explored.Linearizable.
var scripts = []struct {
	id, what string
	threads  []string
}{
	{"M1", "creations, a Set, a Delete", []string{"cg", "sg", "dh"}},
	{"M2", "creations that fail, an Invalidate", []string{"fh", "ig", "fg"}},
	{"M3", "swaps and deletions of versions", []string{"gsw", "gwu", "hgu"}},
	{"M4", "callers that leave", []string{"lg", "hd", "lc"}},
	{"M5", "Close amidst", []string{"cg", "sh", "xcg"}},
	{"M6", "batches", []string{"bg", "sb", "db"}},
}

// models returns rows in which the calls on one key must be linearizable with respect to package cachemodel.
func models() []Row {
	var rows []Row
	for _, s := range scripts {
		rows = append(rows, Row{ID: s.id, What: "linearizable: " + s.what, Body: func(t *explore.T) {
			explored.Linearizable(t, s.threads)
		}})
	}
	return rows
}
