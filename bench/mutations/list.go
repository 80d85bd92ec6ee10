package mutations

// mutations are the key lines of each guarantee, broken.
var mutations = []mutation{
	{"G1 a flight runs once", "flight.go", "if f.started.Swap(true) {", "if f.started.Swap(true) && false {", "G1a G2a"},
	{"G1 an unfinished value is not handed out", "lookup.go", "if phase(s) != phaseReady {\n\t\treturn absent", "if phase(s) > phaseReady {\n\t\treturn absent", "G1b M1"},
	{"G1 the item is read after the creation is over", "lookup.go", "it = e.item() // it may", "// it may", "G1a G9a"},
	{"G1 so is it by who meets a decided entry", "obtain.go", "return e.item(), nil // not it", "return it, nil // not it", "G1a G8c"},
	{"G1 who waits is woken", "flight.go", "\tf.entry.flight.Store(nil)\n\tf.end()", "\tf.entry.flight.Store(nil)", "G1a"},
	{"G1 an end that is made late is seen", "scope.go", "\tif f.over() {\n\t\tf.end()\n\t}\n\treturn s", "\treturn s", "G1a G2c"},

	{"G2 the error is told", "flight.go", "\tf.err = err\n", "", "G2a G2c"},
	{"G2 the entry is gone before", "flight.go", "\tc.table.unlink(e)\n\te.settle(phaseFailed)\n\tf.land()", "\te.settle(phaseFailed)\n\tf.land()\n\tc.table.unlink(e)", "G2b G2c"},
	{"G2 the entry is gone at all", "flight.go", "\tc.table.unlink(e)\n\te.settle(phaseFailed)", "\te.settle(phaseFailed)", "G2b G2c"},
	{"G2 the pending phase ends", "flight.go", "\te.settle(phaseFailed)\n", "", "G2a"},

	{"G3 a panic is recovered", "flight.go", "c.fail(e, f, caught(recover()))", "c.fail(e, f, caught(nil))", "G3a"},
	{"G3 a function that does not return is noticed", "flight.go", "\treturned := false\n\tdefer func() {\n\t\tif !returned { // a panic or a Goexit\n", "\treturned := true\n\tdefer func() {\n\t\tif !returned { // a panic or a Goexit\n", "G3a G3b"},
	{"G3 a Goexit is told from a panic", "guard.go", "Goexit: r == nil", "Goexit: false", "G3b"},

	{"G4 the creator has the caller's values", "scope.go", "return f.values.Value(key)", "return nil", "G4b"},
	{"G4 the creator does not have the caller's end", "flight.go", "r.create(f)", "r.create(r.ctx)", "G4a G4b"},
	{"G4 who waits can leave", "obtain.go", "\tcase <-r.done:\n\t\tc.leave(e, f)\n\t\treturn false, stopped(r.ctx, e.key)\n", "", "G4a G5a"},

	{"G5 the last one to leave ends the creation", "entry.go", "if phase(s) == phasePending && n&refMask == 0 {", "if false {", "G5a"},
	{"G5 and nobody before", "entry.go", "if phase(s) == phasePending && n&refMask == 0 {", "if phase(s) == phasePending {", "G4a G4c"},
	{"G5 the creator is told", "obtain.go", "\t\tc.table.unlink(e)\n\t\tf.end()", "\t\tc.table.unlink(e)", "G5a"},
	{"G5 who comes is counted", "entry.go", "if e.state.CompareAndSwap(s, s+oneRef) {\n\t\t\treturn true\n\t\t}\n\t}\n}\n\n// leave", "if e.state.CompareAndSwap(s, s) {\n\t\t\treturn true\n\t\t}\n\t}\n}\n\n// leave", "G4a G1a"},
	{"G9 nobody joins what has been decided", "entry.go", "join() bool {\n\tfor {\n\t\ts := e.state.Load()\n\t\tif phase(s) != phasePending {", "join() bool {\n\tfor {\n\t\ts := e.state.Load()\n\t\tif false {", "G9f"},
	{"G5 an abandoned object is not published", "flight.go", "if !e.settle(phaseReady | flags) {", "if e.settle(phaseReady | flags); false {", "G5d"},

	{"G6 a cycle is looked for", "cycle.go", "way := path(f, asker, map[node]bool{})", "var way []node", "G6a G6b"},
	{"G6 after the edge was added", "cycle.go", "\tasker.add(f)\n\tway := path(f, asker, map[node]bool{})\n", "\tway := path(f, asker, map[node]bool{})\n\tasker.add(f)\n", "G6b G6c"},
	{"G6 an edge lasts as long as the waiting", "obtain.go", "\t\tdefer r.asker.forget(f)\n", "", "G6d G6e"},
	{"G6 a creation goes through its callers", "scope.go", "\tif key == (flightKey{}) {\n\t\treturn node(f)\n\t}\n", "", "G6a"},

	{"G7 a creator does not run under a lock", "obtain.go", "e, f = c.pending(key, r)\n", "e, f = c.pending(key, r)\n\t\t\tif f != nil {\n\t\t\t\tf.values = r.ctx\n\t\t\t\t_, _ = r.create(f)\n\t\t\t}\n", "G7b"},
	{"G7 an iteration leaves creations out", "iterate.go", "if it, ok := c.look(key, 0); ok {", "if it, ok := m.Load(key); ok {", "G7c"},

	{"G8 all keys are invalidated", "cache.go", "\t\t\tc.Invalidate(key)\n\t\t\treturn true\n", "\t\t\tc.Invalidate(key)\n\t\t\treturn false\n", "G8k"},
	{"G8 in all shards", "cache.go", "range c.table.shards() {\n\t\tm.Range(func(key K, _ item[K, V]) bool {\n\t\t\tc.Invalidate", "range c.table.shards()[:1] {\n\t\tm.Range(func(key K, _ item[K, V]) bool {\n\t\t\tc.Invalidate", "G8k"},
	{"G8 a creation does not overwrite", "flight.go", "if cur.entry != e {", "if false {", "G8a G8c"},
	{"G8 a change supersedes", "store.go", "if e.settle(phaseSuperseded) {", "if false {", "G8f G8g"},
	{"G8 the creator is told", "store.go", "if e.settle(phaseSuperseded) {\n\t\t\tf.end()", "if e.settle(phaseSuperseded) {\n\t\t\t_ = f", "G8g"},
	{"G8 a Delete takes away what is under way", "store.go", "\t\treturn cur, remove", "\t\treturn cur, keep", "G8c G8d"},
	{"G8 a superseded object is closed", "flight.go", "\t\tc.discard(e.key, v)\n", "", "G8a G5b"},
	{"G8 the hook is told before it is closed", "removal.go", "\t\tnext()\n\t})", "\t\t_ = next\n\t})", "G8i"},
	{"G8 creations in vain are counted", "obtain.go", "if superseded++; superseded == maxSuperseded {", "if false {", "G8l"},

	{"G9 who takes a closer pins it", "lookup.go", "if s&closer != 0 && !c.take(e, 0, how) {", "if false {", "G9b G8c"},
	{"G9 nothing is leased that has left", "entry.go", "lease() bool {\n\tfor {\n\t\ts := e.state.Load()\n\t\tif s&removed != 0 {", "lease() bool {\n\tfor {\n\t\ts := e.state.Load()\n\t\tif false {", "G9a G9c"},
	{"G9 nothing is pinned that has left", "entry.go", "if drop == 0 && s&removed != 0 {", "if false {", "G9b G8c"},
	{"G9 the last release closes", "lease.go", "ownerless(after)", "false && ownerless(after)", "G9a"},
	{"G9 no release but the last closes", "removal.go", "return ownerless(after) && !ownerless(before)", "return ownerless(after) || after != before", "G9a"},
	{"G9 what was given out is kept for Close", "removal.go", "\t\tc.retire(r.entry)\n", "", "G9b"},
	{"G9 also if it was pinned while it left", "lookup.go", "\tif retire {\n\t\tc.retire(e)\n\t}\n", "\t_ = retire\n", "G9b G8c G8a"},
	{"G9 an object under two keys counts twice", "dispose.go", "if d.held[x] > 1 {", "if false {", "G9e"},

	{"G10 nothing is created after Close", "flight.go", "if !c.table.isOpen() {", "if false {", "G10a G10c"},
	{"G10 nothing is changed after Close", "table.go", "if !t.isOpen() {", "if false {", "G10a"},
	{"G10 creations are cancelled", "close.go", "if e.settle(phaseClosed) {", "if false {", "G10b"},
	{"G10 creators are told", "close.go", "if e.settle(phaseClosed) {\n\t\t\t\tf.end()", "if e.settle(phaseClosed) {\n\t\t\t\t_ = f", "G10b"},
	{"G10 creators are waited for", "close.go", "\t\tc.creations.Wait()\n\t\treturn nil", "\t\treturn nil", "G10a G10c"},
	{"G10 the second Close is refused", "close.go", "if shards == nil {\n\t\treturn ErrClosed", "if shards == nil {\n\t\treturn nil", "G10c"},
	{"G10 the youngest first", "close.go", "ready[i].version > ready[j].version", "ready[i].version < ready[j].version", "G10d"},
	{"G10 a creator does not wait for itself", "close.go", "own := f.within(c); own != nil", "own := f.within(c); own != nil && false", "G10e"},
	{"G10 Shutdown has a bound", "close.go", "\tcase <-ctx.Done():\n\t\treturn fmt.Errorf(\"cache: waiting for creators to return: %w\", ctx.Err())\n", "", "G10f"},
	{"G10 what is retired late is let go of", "dispose.go", "\td.drained = true\n", "", "G10a G9d G10c"},

	{"G11 a stamp is compared", "stamp.go", " && stamp == Stamp{i, c.table.generations[i].Load() + 1}", " && i == stamp.stripe", "G11a"},
	{"G11 an invalidation counts, also of nothing", "store.go", "\t\tc.table.generations[stripe].Add(1)\n\t\tif !ok {", "\t\t_ = stripe\n\t\tif !ok {", "G11a"},
	{"G11 so does one of all", "cache.go", "\t\tc.table.generations[i].Add(1)\n", "\t\t_ = i\n", "G11b"},
	{"G11 for all keys", "cache.go", "range c.table.generations {", "range c.table.generations[:1] {", "G11f"},
	{"G11 a fill replaces no value", "stamp.go", " && is != valued", "", "G11d"},
	{"G11 a fill replaces no creation", "stamp.go", "is != underWay && ", "", "G11e"},
	{"G11 a message raises the stamps first", "member.go", "\traise(&m.invalidated[m.cache.table.stripe(key)], msg.Generation)\n\tm.cache.Invalidate(key)", "\tm.cache.Invalidate(key)\n\traise(&m.invalidated[m.cache.table.stripe(key)], msg.Generation)", "G11c"},

	{"V a swap compares versions", "store.go", "return cur.version == version", "return true", "V1"},
}
