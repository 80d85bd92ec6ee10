package asreported

import (
	"context"

	"github.com/jacquard-go/jacquard/lifecycle/reported"
)

// AsyncWorker is the worker of #7357: it looks for jobs that are queued, and says then that it runs one. One instance is for any number
// of goroutines; its table sees to each statement.
type AsyncWorker struct {
	table *reported.JobTable
}

// NewAsyncWorker returns a worker over table. It does not close the table.
func NewAsyncWorker(table *reported.JobTable) *AsyncWorker { return &AsyncWorker{table} }

// Poll does a job that is queued, if there is one, and says whether there was. The error is the table's; that of do is the job's.
func (w *AsyncWorker) Poll(ctx context.Context, do func() error) (found bool, err error) {
	id, ok, err := w.table.Queued(ctx)
	if err != nil || !ok {
		return false, err
	}
	if err := w.table.Update(ctx, id, "running"); err != nil {
		return false, err
	}
	if failed := do(); failed != nil {
		return true, w.table.Update(ctx, id, "failed")
	}
	return true, w.table.Update(ctx, id, "succeeded")
}
