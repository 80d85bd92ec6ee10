package fuzz_test

import (
	"context"
	"testing"

	"github.com/jacquard-go/jacquard/lifecycle"
)

// FuzzDeletions archives and deletes plans and actions while others are created and moved on.
func FuzzDeletions(f *testing.F) {
	addInputs(f, 24)
	f.Fuzz(func(t *testing.T, input []byte) {
		w := newWorld(t, input).inMemory()
		w.prepare()
		w.play(100, append(deletionOperations(), createAction, useAction, useAction, sensibleTransition, cancel, getPlan, getAction)...)
	})
}

func deletionOperations() []operation {
	return []operation{deletePlan, deleteAction, archivePlan}
}

func deletePlan(w *world) {
	id := w.one(w.plans)
	w.deleted("delete plan "+id, func(ctx context.Context, s *lifecycle.Service) error {
		return s.DeletePlan(ctx, id, 0)
	}, func() error { return w.model.DeletePlan(id) })
}

func deleteAction(w *world) {
	name := w.existing()
	w.deleted("delete action "+name, func(ctx context.Context, s *lifecycle.Service) error {
		return s.DeleteAction(ctx, name)
	}, func() error { return w.model.DeleteAction(name) })
}

// deleted does a deletion, which returns only an error.
func (w *world) deleted(what string, call func(context.Context, *lifecycle.Service) error, expected func() error) {
	w.Helper()
	_ = do(w, what, func(ctx context.Context, s *lifecycle.Service) (struct{}, error) {
		return struct{}{}, call(ctx, s)
	}, func(struct{}, int) (struct{}, error) { return struct{}{}, expected() })
}

func archivePlan(w *world) {
	id := w.one(w.plans)
	_ = do(w, "archive plan "+id, func(ctx context.Context, s *lifecycle.Service) (lifecycle.Plan, error) {
		return s.ArchivePlan(ctx, id)
	}, func(lifecycle.Plan, int) (lifecycle.Plan, error) { return w.model.ArchivePlan(id, w.now) })
}

// cancel cancels a plan, so that it can be archived.
func cancel(w *world) {
	w.move(lifecycle.Request{PlanID: w.one(w.plans), Command: lifecycle.CommandCancel})
}
