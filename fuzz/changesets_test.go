package fuzz_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/jacquard-go/jacquard/fuzz"
	"github.com/jacquard-go/jacquard/lifecycle"
)

// FuzzChangesets records changes of several plans.
func FuzzChangesets(f *testing.F) {
	addInputs(f, 24)
	f.Fuzz(func(t *testing.T, input []byte) {
		w := newWorld(t, input).inMemory()
		w.prepare()
		w.play(100, append(changesetOperations(), sensibleTransition)...)
	})
}

func changesetOperations() []operation {
	return []operation{startChangeset, recordChange, recordChange, recordChange, finishChangeset, listChangesets}
}

func startChangeset(w *world) {
	id := w.one(w.plans)
	_ = do(w, "start a changeset of plan "+id, func(ctx context.Context, s *lifecycle.Service) (string, error) {
		return s.ExecutionContext(id).StartChangeset(ctx)
	}, func(got string, service int) (string, error) {
		if err := w.model.StartChangeset(id); err != nil {
			return "", err
		}
		w.adopt(service, got)
		w.changesets = append(w.changesets, got)
		w.model.AddChangeset(id, got, w.now)
		return got, nil
	})
}

func recordChange(w *world) {
	id := w.one(w.plans)
	e := lifecycle.Entry{
		Operation: fuzz.Pick[lifecycle.Operation](w.tape, "create", "modify", "delete", "move", "modify", "move", "copy"),
		Path:      w.tape.Text("loom/weft.go", "a", "日本", "\xff", ""),
	}
	if w.tape.Flag() {
		e.MovedFrom, e.BeforeHash, e.AfterHash = w.text(), w.tape.Text("", "1a", "2b"), w.tape.Text("", "1a", "2b")
		e.At = fuzz.Pick(w.tape, time.Time{}, w.now, start().Add(-time.Hour), time.Unix(0, 1), time.Unix(-1, 999), time.Unix(1<<33, 0).In(time.FixedZone("", 3600)))
	}
	_ = do(w, fmt.Sprintf("record %+v for plan %s", e, id), func(ctx context.Context, s *lifecycle.Service) (string, error) {
		return s.ExecutionContext(id).RecordChange(ctx, e)
	}, func(string, int) (string, error) { return w.model.RecordChange(id, e, w.now) })
}

func finishChangeset(w *world) {
	id, changeset := w.one(w.plans), w.one(w.changesets)
	if all, err := w.model.Changesets(id); err == nil && len(all) > 0 && w.tape.Flag() {
		changeset = all[len(all)-1].ID
	}
	_ = do(w, fmt.Sprintf("finish changeset %s of plan %s", changeset, id), func(ctx context.Context, s *lifecycle.Service) (struct{}, error) {
		return struct{}{}, s.ExecutionContext(id).FinishChangeset(ctx, changeset)
	}, func(struct{}, int) (struct{}, error) {
		return struct{}{}, w.model.FinishChangeset(id, changeset, w.now)
	})
}

func listChangesets(w *world) {
	id := w.one(w.plans)
	if _, err := w.model.GetPlan(id); err == nil {
		for i := range w.services {
			w.compareChangesets(i, id)
		}
		return
	}
	_, err := w.services[0].ExecutionContext(id).Changesets(context.Background())
	w.sameError("list the changesets of no plan", err, lifecycle.ErrNotFound)
}
