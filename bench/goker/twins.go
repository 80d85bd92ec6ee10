package goker

import "github.com/jacquard-go/jacquard/bench/goker/program"

// A twin is a corrected kernel, with its project's fix or a simpler one.
type twin struct {
	edits []program.Edit
	how   string
}

// twins returns the corrected kernels. Nothing may be reported for
// them.
func twins() map[string]twin {
	return map[string]twin{
		"Cockroach9935": {
			[]program.Edit{{Line: 36, From: "l.exit(err)", To: "l.mu.Unlock(); l.exit(err); l.mu.Lock()"}},
			"the lock is given back before `exit` takes it",
		},
		"Etcd5509": {
			[]program.Edit{{Line: 52, From: "return Err", To: "r.client.mu.RUnlock(); return Err"}},
			"the reader gives its lock back when it returns early too",
		},
		"Etcd6873": {
			[]program.Edit{{Line: 54, From: "defer wbs.mu.Unlock()"}, {Line: 55, From: "close(wbs.updatec)", To: "close(wbs.updatec); wbs.mu.Unlock()"}},
			"`stop` gives the lock back before it waits",
		},
		"Grpc1424": {
			[]program.Edit{{Line: 57, From: "for addr", To: "defer close(doneChan); for addr"}},
			"the watcher closes `doneChan` when it returns",
		},
		"Kubernetes25331": {
			[]program.Edit{{Line: 43, From: "wc.resultChan <- errResult", To: "select { case wc.resultChan <- errResult: case <-wc.ctx.Done(): }"}},
			"sending the result ends with the context",
		},
		"Kubernetes5316": {
			[]program.Edit{{Line: 29, From: "(chan bool)", To: "(chan bool, 1)"}, {Line: 30, From: "(chan error)", To: "(chan error, 1)"}},
			"both channels have room for the answer that nobody awaits any more",
		},
		"Kubernetes62464": {
			[]program.Edit{{Line: 40, From: "s.RLock()"}, {Line: 41, From: "defer s.RUnlock()"}},
			"`GetCPUSetOrDefault` leaves locking to what it calls",
		},
		"Kubernetes6632": {
			[]program.Edit{{Line: 61, From: "(chan bool)", To: "(chan bool, 1)"}},
			"`resetChan` has room, so the writer does not wait with the lock in its hand",
		},
		"Moby28462": {
			[]program.Edit{{Line: 105, From: "(chan struct{})", To: "(chan struct{}, 1)"}},
			"`stop` has room, so whoever stops the monitor does not wait with the lock in its hand",
		},
		"Moby33781": {
			[]program.Edit{{Line: 34, From: "(chan bool)", To: "(chan bool, 1)"}},
			"`results` has room for the answer that nobody awaits any more",
		},
	}
}
