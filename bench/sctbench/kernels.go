package sctbench

import (
	"sync"
	"sync/atomic"

	"github.com/jacquard-go/jacquard/explore"
)

// kernels returns ConVul's programs: vulnerabilities in Linux and Firefox, reduced to which
// goroutine frees what, and when.
func kernels() []Program {
	return []Program{
		check("CVE-2009-3547", pipeOpen, Published{"1", "1", "1", "4", "2", "1"}),
		check("CVE-2011-2183", listScan, Published{"2", "2", "2", "4", "3", "1"}),
		check("CVE-2013-1792", keyrings, Published{"10", "10", "28", "76", "13", "338"}),
		check("CVE-2015-7550", keyRead, Published{"5", "5", "4", "6", "3", "1"}),
		check("CVE-2016-1972", onceOnly, Published{"32", "59", "68", "–", "3 (7)", "66 (6)"}),
		check("CVE-2016-1973", singleton, Published{"2", "4", "4", "6", "6", "4102"}),
		check("CVE-2016-7911", ioPriority, Published{"12", "12", "10", "13", "3", "1"}),
		check("CVE-2016-9806", dump, Published{"8", "8", "10", "2", "6", "308"}),
		check("CVE-2017-15265", createPort, Published{"19", "36", "–", "–", "11", "–"}),
		check("CVE-2017-6346", fanout, Published{"3", "4", "10", "14", "5", "1"}),
	}
}

// A thing is memory that can be freed.
type thing struct{ freed atomic.Bool }

func (o *thing) use(t *explore.T) {
	if o == nil || o.freed.Load() {
		t.Error("used after it was freed")
	}
}

func (o *thing) free(t *explore.T) {
	if o.freed.Swap(true) {
		t.Error("freed twice")
	}
}

// pipeOpen opens a pipe while its last user releases it.
func pipeOpen(t *explore.T) {
	var pipe atomic.Pointer[thing]
	pipe.Store(new(thing))
	all(
		func() { pipe.Store(nil) },
		func() { pipe.Load().use(t) },
	)
}

// listScan checks that a list is not empty, and loads the first item only later.
func listScan(t *explore.T) {
	var list atomic.Pointer[thing]
	list.Store(new(thing))
	all(
		func() {
			if list.Load() != nil {
				list.Load().use(t)
			}
		},
		func() { list.Store(nil) },
	)
}

// keyrings creates two keyrings under a lock, but skips the lock once the first one exists.
func keyrings(t *explore.T) {
	var mu sync.Mutex
	var user, session atomic.Pointer[thing]
	install := func() {
		if user.Load() != nil {
			return
		}
		under(&mu, func() {
			if user.Load() == nil {
				user.Store(new(thing))
				session.Store(new(thing))
			}
		})
	}
	all(
		install,
		func() {
			install()
			session.Load().use(t)
		},
	)
}

// keyRead checks that a key is valid before it waits for its lock. Meanwhile another
// goroutine may revoke the key under the lock.
func keyRead(t *explore.T) {
	var mu sync.Mutex
	var revoked atomic.Bool
	payload := new(thing)
	all(
		func() {
			if !revoked.Load() {
				under(&mu, func() { payload.use(t) })
			}
		},
		func() {
			under(&mu, func() {
				revoked.Store(true)
				payload.free(t)
			})
		},
	)
}

// onceOnly has all callers share a lock until the work is done. The last one frees the
// lock, although another caller may just have loaded it.
func onceOnly(t *explore.T) {
	type lock struct {
		sync.Mutex
		thing
	}
	var done atomic.Bool
	var waiters atomic.Int32
	var shared atomic.Pointer[lock]
	once := func() {
		if done.Load() {
			return
		}
		waiters.Add(1)
		shared.CompareAndSwap(nil, new(lock))
		mine := shared.Load()
		if mine == nil {
			t.Error("there is no lock any more")
			return
		}
		mine.use(t)
		under(&mine.Mutex, func() { done.Store(true) })
		if waiters.Add(-1) == 0 {
			mine.free(t)
			shared.Store(nil)
		}
	}
	all(once, once)
}

// singleton counts its users. The last one frees the instance, but only after it has
// released the lock.
func singleton(t *explore.T) {
	var mu sync.Mutex
	users, instance := 0, (*thing)(nil)
	user := func() {
		var mine, old *thing
		under(&mu, func() {
			if users++; users == 1 && instance == nil {
				instance = new(thing)
			}
			mine = instance
		})
		mine.use(t)
		under(&mu, func() {
			if users--; users == 0 {
				old = instance
			}
		})
		if old != nil {
			old.free(t)
			under(&mu, func() { instance = nil })
		}
	}
	all(user, user)
}

// ioPriority reads an object of a task while the task ends and frees it.
func ioPriority(t *explore.T) {
	var task sync.Mutex
	var given atomic.Pointer[thing]
	given.Store(new(thing))
	all(
		func() {
			if now := given.Load(); now != nil {
				now.use(t)
			}
		},
		func() {
			var was *thing
			under(&task, func() { was = given.Swap(nil) })
			was.free(t)
		},
	)
}

// dump first marks itself as ended and then frees its buffer. Meanwhile the next dump may
// have begun and ended.
func dump(t *explore.T) {
	var mu sync.Mutex
	running, buffer := true, new(thing)
	end := func() {
		under(&mu, func() { running = false })
		var mine *thing
		under(&mu, func() { mine = buffer })
		mine.free(t)
	}
	all(
		end,
		func() {
			begun := false
			under(&mu, func() {
				if !running {
					running, begun, buffer = true, true, new(thing)
				}
			})
			if begun {
				end()
			}
		},
	)
}

// createPort puts a port on a list before it has finished with it. Another goroutine that
// deletes the port must come in between.
func createPort(t *explore.T) {
	var mu sync.Mutex
	ports := make(map[int]*thing)
	all(
		func() {
			port := new(thing)
			under(&mu, func() { ports[1] = port })
			port.use(t)
		},
		func() {
			var port *thing
			under(&mu, func() {
				port = ports[1]
				delete(ports, 1)
			})
			if port != nil {
				port.free(t)
			}
		},
	)
}

// fanout joins a group if the socket runs and is in no group. Both may have changed by the
// time it joins.
func fanout(t *explore.T) {
	var running atomic.Bool
	var group atomic.Pointer[thing]
	running.Store(true)
	join := func() {
		if running.Load() && group.Load() == nil {
			if old := group.Swap(new(thing)); old != nil {
				t.Error("it is in two groups")
			}
		}
	}
	all(join, join, func() { running.Store(false) })
}
