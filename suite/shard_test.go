package suite_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/jacquard-go/jacquard/suite"
)

// Each test is in one shard, whichever package it is of, and they are about as large.
func TestShards(t *testing.T) {
	for count := 1; count <= 8; count++ {
		sizes := make([]int, count)
		for test := range 400 {
			in := 0
			for i := range count {
				if (suite.Shard{Index: i + 1, Count: count}).Has(fmt.Sprint("example.com/p", test/4), test%4) {
					in++
					sizes[i]++
				}
			}
			if in != 1 {
				t.Fatalf("%d shards: test %d is in %d of them, want 1", count, test, in)
			}
		}
		for i, n := range sizes {
			if want := 400 / count; n < want*3/4 || n > want*4/3 {
				t.Errorf("%d shards: got %d tests in the one numbered %d, want about %d", count, n, i+1, want)
			}
		}
	}
}

func TestNoShard(t *testing.T) {
	for _, s := range []suite.Shard{{Index: 0, Count: 2}, {Index: 3, Count: 2}, {Index: 1, Count: 0}, {Index: -1, Count: -1}} {
		if _, err := suite.Run(t.Context(), suite.Config{Shard: s}); !errors.Is(err, suite.ErrConfig) {
			t.Errorf("%v: got %v, want %v", s, err, suite.ErrConfig)
		}
	}
}
