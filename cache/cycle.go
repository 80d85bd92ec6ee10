package cache

import (
	"context"
	"slices"
	"sync"
)

// The wait-for graph. Its nodes are creations, in any cache of the process. An edge a→b means that a's creator waits for
// b; it is known because creators pass on their context. A creator adds its edge before it waits, and then searches for
// a path from b back to itself. Each node has its own lock, and only one is held at a time. Of the creators that close a
// cycle together, the one that adds the last edge sees all the other edges, because each stays while its creator waits.
// More than one creator can see the cycle; then each of them gets the error.

// flightKey is the context key of the innermost creation.
type flightKey struct{}

// node is a creation, independent of the types of its key and value.
type node interface {
	// name returns the key, or the keys of a batch. key is false for a batch, which CycleError.Keys leaves out.
	name() (name any, key bool)
	// add and forget change the outgoing edges; edges returns a copy of them.
	add(node)
	forget(node)
	edges() []node
	// within returns the innermost creation of cache among this one and its chain of parents, or nil.
	within(cache any) node
}

// flightOf returns the creation whose creator was given ctx or a context derived from it, or nil.
func flightOf(ctx context.Context) node {
	n, _ := ctx.Value(flightKey{}).(node)
	return n
}

// waitFor adds the edge asker→f, or returns a *CycleError if that edge would close a cycle.
func waitFor(asker, f node) error {
	asker.add(f)
	way := path(f, asker, map[node]bool{})
	if way == nil {
		return nil
	}
	asker.forget(f)
	var keys []any
	for _, n := range way {
		if name, key := n.name(); key {
			keys = append(keys, name)
		}
	}
	return &CycleError{Keys: append(keys[len(keys)-1:len(keys):len(keys)], keys...)}
}

// path returns the nodes of a path from one node to the other, both included, or nil.
func path(from, to node, seen map[node]bool) []node {
	if from == to {
		return []node{to}
	}
	seen[from] = true
	for _, n := range from.edges() {
		if seen[n] {
			continue
		}
		if way := path(n, to, seen); way != nil {
			return append([]node{from}, way...)
		}
	}
	return nil
}

// asking holds the outgoing edges of a node: the creations that its creator waits for at present.
type asking struct {
	mu    sync.Mutex
	nodes []node
}

func (a *asking) add(n node) {
	a.mu.Lock()
	a.nodes = append(a.nodes, n)
	a.mu.Unlock()
}

func (a *asking) forget(n node) {
	a.mu.Lock()
	if i := slices.Index(a.nodes, n); i >= 0 {
		a.nodes = slices.Delete(a.nodes, i, i+1)
	}
	a.mu.Unlock()
}

func (a *asking) list() []node {
	a.mu.Lock()
	defer a.mu.Unlock()
	return slices.Clone(a.nodes)
}

func (f *flight[K, V]) name() (any, bool) { return f.entry.key, true }

func (f *flight[K, V]) within(cache any) node {
	if cache == any(f.cache) {
		return f
	}
	if f.parent == nil {
		return nil
	}
	return f.parent.within(cache)
}

func (f *flight[K, V]) add(n node) {
	a := f.asking.Load()
	if a == nil {
		f.asking.CompareAndSwap(nil, new(asking))
		a = f.asking.Load()
	}
	a.add(n)
}

func (f *flight[K, V]) forget(n node) {
	if a := f.asking.Load(); a != nil {
		a.forget(n)
	}
}

// edges of a batch's flight lead to the batch, because the flight has no creator of its own.
func (f *flight[K, V]) edges() []node {
	if f.batch != nil {
		return []node{f.batch}
	}
	if a := f.asking.Load(); a != nil {
		return a.list()
	}
	return nil
}
