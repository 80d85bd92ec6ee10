package explored

import (
	"sync/atomic"

	"github.com/jacquard-go/jacquard/explore"
)

// values are the values of a cache, which the model knows by numbers. The zero value of V has the number 0.
type values[V any] struct {
	of     func(number int) V
	number func(V) int
	// inUse fails the test if a value that is leased has been closed, and kept says that the cache has not taken a value.
	inUse func(t *explore.T, v V)
	kept  func(v V)
}

// numbers are values that need not be closed.
func numbers() values[int] {
	same := func(n int) int { return n }
	return values[int]{of: same, number: same, inUse: func(*explore.T, int) {}, kept: func(int) {}}
}

// object is a value that must be closed once, if the cache has taken it.
type object struct {
	number int
	kept   bool
	closed atomic.Int32
}

func (o *object) Close() error {
	o.closed.Add(1)
	return nil
}

// objects are all that were made in an execution.
type objects struct {
	made atomic.Int32
	all  [256]*object // more than a program can make
}

func (all *objects) values() values[*object] {
	return values[*object]{
		of: func(number int) *object {
			o := &object{number: number}
			all.all[all.made.Add(1)-1] = o
			return o
		},
		number: func(o *object) int {
			if o == nil {
				return 0
			}
			return o.number
		},
		inUse: func(t *explore.T, o *object) {
			if o.closed.Load() > 0 {
				t.Errorf("%d was closed while it was leased", o.number)
			}
		},
		kept: func(o *object) { o.kept = true },
	}
}

// closed checks, after Close, that each object that the cache has taken was closed once, and no other.
func (all *objects) closed(t *explore.T) {
	for _, o := range all.all[:all.made.Load()] {
		want := int32(1)
		if o.kept {
			want = 0
		}
		if got := o.closed.Load(); got != want {
			t.Errorf("%d was closed %d times, want %d", o.number, got, want)
		}
	}
}
