package sctbench

import (
	"runtime"
	"sync/atomic"

	"github.com/jacquard-go/jacquard/explore"
)

// safeStack is Vyukov's: three goroutines each pop an item from a lock-free stack of three
// and push it back, twice. The bug needs seven preemptions. No tool in the paper's table
// found it.
func safeStack(t *explore.T) {
	s := newSafe()
	var owner [safeItems]atomic.Int32
	fs := make([]func(), safeItems)
	for i := range fs {
		fs[i] = func() {
			for range 2 {
				item := s.pop()
				for item < 0 {
					runtime.Gosched()
					item = s.pop()
				}
				me := int32(i + 1)
				owner[item].Store(me)
				if got := owner[item].Load(); got != me {
					t.Errorf("item %d: got owner %d, want %d", item, got, me)
				}
				s.push(item)
			}
		}
	}
	all(fs...)
}

const safeItems = 3

// A safe is a stack of numbers. The bottom one cannot be popped.
type safe struct {
	head, count atomic.Int32
	next        [safeItems]atomic.Int32
}

func newSafe() *safe {
	s := new(safe)
	s.count.Store(safeItems)
	for i := range s.next {
		s.next[i].Store(int32(i + 1))
	}
	s.next[safeItems-1].Store(-1)
	return s
}

func (s *safe) pop() int {
	for s.count.Load() > 1 {
		head := s.head.Load()
		next := s.next[head].Swap(-1)
		if next < 0 {
			continue
		}
		if s.head.CompareAndSwap(head, next) {
			s.count.Add(-1)
			return int(head)
		}
		s.next[head].Swap(next)
	}
	return -1
}

func (s *safe) push(item int) {
	for {
		head := s.head.Load()
		s.next[item].Store(head)
		if s.head.CompareAndSwap(head, int32(item)) {
			break
		}
	}
	s.count.Add(1)
}
