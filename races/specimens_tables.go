package races

import (
	"context"
	"errors"
	"path/filepath"
	"time"

	"github.com/jacquard-go/jacquard/lifecycle/reported"
	"github.com/jacquard-go/jacquard/lifecycle/reported/asreported"
)

// This file adapts the specimens of N4, N5 and N10 to their interfaces.

// closers close what a specimen has opened.
type closers []func() error

func (c closers) Close() error {
	var errs []error
	for _, f := range c {
		errs = append(errs, f())
	}
	return errors.Join(errs...)
}

// specimenLockers is two lock services over two tables on one file.
type specimenLockers struct {
	closers
	services []specimenLocker
}

// lockTime is how long the locks of N4 last: longer than any race.
const lockTime = time.Hour

func reportedLockers(t T) (Lockers, error) {
	ctx := context.WithoutCancel(t.Context())
	path := filepath.Join(t.TempDir(), "locks.db")
	s := &specimenLockers{}
	for i := range 2 {
		table, err := reported.OpenLockTable(ctx, path)
		if err == nil {
			s.closers = append(s.closers, table.Close)
			s.services = append(s.services, specimenLocker{asreported.NewLockService(table)})
			if i == 0 {
				err = table.Insert(ctx, ExpiredResource, "an owner who has gone", time.UnixMicro(1))
			}
		}
		if err != nil {
			return nil, errors.Join(err, s.Close())
		}
	}
	return s, nil
}

func (s *specimenLockers) A() Locker { return s.services[0] }
func (s *specimenLockers) B() Locker { return s.services[1] }

type specimenLocker struct{ service *asreported.LockService }

func (l specimenLocker) Acquire(ctx context.Context, owner, resource string) error {
	return l.service.Acquire(context.WithoutCancel(ctx), owner, resource, lockTime)
}

func (l specimenLocker) Release(ctx context.Context, owner string) error {
	return l.service.ReleaseAll(context.WithoutCancel(ctx), owner)
}

// specimenPollers is two workers over two tables on one file.
type specimenPollers struct {
	closers
	workers []specimenPoller
}

func reportedPollers(t T) (Pollers, error) {
	ctx := context.WithoutCancel(t.Context())
	path := filepath.Join(t.TempDir(), "jobs.db")
	s := &specimenPollers{}
	for i := range 2 {
		table, err := reported.OpenJobTable(ctx, path)
		if err == nil {
			s.closers = append(s.closers, table.Close)
			s.workers = append(s.workers, specimenPoller{asreported.NewAsyncWorker(table)})
			if i == 0 {
				err = table.Insert(ctx, newID())
			}
		}
		if err != nil {
			return nil, errors.Join(err, s.Close())
		}
	}
	return s, nil
}

func (s *specimenPollers) A() Poller { return s.workers[0] }
func (s *specimenPollers) B() Poller { return s.workers[1] }

type specimenPoller struct{ worker *asreported.AsyncWorker }

func (p specimenPoller) Poll(ctx context.Context, do func() error) (bool, error) {
	return p.worker.Poll(context.WithoutCancel(ctx), do)
}

// specimenLeases are two services over two tables on one file, the first of which has started the plan.
type specimenLeases struct{ *specimenShared }

func newSpecimenLeases(t T, service newService) (Leases, error) {
	s, err := openSpecimenShared(t, queued(), service)
	if err != nil {
		return nil, err
	}
	if err := s.a.Start(t.Context()); err != nil {
		return nil, errors.Join(err, s.Close())
	}
	return specimenLeases{s}, nil
}

func (s specimenLeases) A() Holder { return s.a }
func (s specimenLeases) B() Holder { return s.b }

// TakeOver starts the plan, which is all that the specimen offers. It has no notion of a time that is over.
func (i specimenInstance) TakeOver(ctx context.Context) error { return i.Start(ctx) }

func (i specimenInstance) Finish(ctx context.Context) error {
	_, err := i.service.CompleteStrategize(context.WithoutCancel(ctx), i.planID)
	return err
}
