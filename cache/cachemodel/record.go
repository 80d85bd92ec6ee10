package cachemodel

import (
	"sync"
	"time"

	"github.com/anishathalye/porcupine"
)

// History records the calls on one key. Its zero value is ready for use by any number of goroutines; it holds a lock for a
// few instructions at the beginning and at the end of each call, but not during it.
type History struct {
	mu    sync.Mutex
	clock int64
	ops   []porcupine.Operation
}

// Do performs a call for a client and records it. A creator that will return a value calls it for [Begin].
func (h *History) Do(client int, call Call, do func() Return) Return {
	begin := h.tick()
	ret := do()
	h.mu.Lock()
	defer h.mu.Unlock()
	h.clock++
	h.ops = append(h.ops, porcupine.Operation{ClientId: client, Input: call, Output: ret, Call: begin, Return: h.clock})
	return ret
}

func (h *History) tick() int64 {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.clock++
	return h.clock
}

// Check says whether the calls recorded so far are linearizable, or that it could not be decided within the limit (0
// means none). No call may be under way.
func (h *History) Check(limit time.Duration) porcupine.CheckResult {
	h.mu.Lock()
	defer h.mu.Unlock()
	return porcupine.CheckOperationsTimeout(New(), h.ops, limit)
}

// String lists the calls in the order of their ends, one a line.
func (h *History) String() string {
	h.mu.Lock()
	defer h.mu.Unlock()
	return list(h.ops)
}
