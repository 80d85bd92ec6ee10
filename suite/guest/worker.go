package guest

import (
	"os"
	"os/exec"
	"path/filepath"

	"github.com/jacquard-go/jacquard/suite/protocol"
)

// worker returns a process that runs schedules of this item for this one: see explore.Config. It
// gets the same request, except that its events are discarded and that this process manages the
// folder for temporary files, which is the same because its path can influence a test. The folder
// is empty: an item that makes files has no workers.
func (it *item) worker() (*exec.Cmd, error) {
	it.place.restore() // files for the worker must not be in that folder
	if it.orders == "" {
		dir, err := os.MkdirTemp(filepath.Dir(it.request.Events), "orders-")
		if err != nil {
			return nil, err
		}
		it.orders = dir
	}
	q := *it.request
	q.Turns, q.Time, q.Bookmark, q.Events, q.Output = "", 0, nil, os.DevNull, ""
	q.Worker = true
	return it.asked(q, it.orders)
}

// fresh returns a process for one execution of this item, whatever else is running.
func (it *item) fresh() *exec.Cmd {
	cmd, err := it.worker()
	if err != nil {
		giveUp(err)
	}
	return cmd
}

// asked returns a new process of this program with a request for this item, in a file in dir.
func (it *item) asked(q protocol.Request, dir string) (*exec.Cmd, error) {
	request := filepath.Join(dir, "request")
	if err := q.Write(request); err != nil {
		return nil, err
	}
	cmd, err := it.process()
	if err != nil {
		return nil, err
	}
	cmd.Env = append(without(cmd.Env, protocol.InsideVar), protocol.RequestVar+"="+request)
	return cmd, nil
}
