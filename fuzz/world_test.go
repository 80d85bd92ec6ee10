package fuzz_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"path/filepath"
	"reflect"
	"testing"
	"time"

	"github.com/jacquard-go/jacquard/fuzz"
	"github.com/jacquard-go/jacquard/lifecycle"
	"github.com/jacquard-go/jacquard/lifecycle/model"
)

// world plays one input to services and to the model.
type world struct {
	*testing.T
	tape     *fuzz.Tape
	services []*lifecycle.Service // all of one store
	model    *model.Model
	now      time.Time // the time on the clock of all services

	plans      []string        // in the order of their creation
	changesets []string        // of all plans
	ids        map[string]bool // all identifiers so far
	last       map[int]string  // by service, its last identifier
}

// An operation reads its arguments from the tape and is applied to a service and to the model.
type operation func(*world)

// start returns the initial time.
func start() time.Time { return time.Date(2026, 7, 1, 12, 0, 0, 123456789, time.UTC) }

func newWorld(t *testing.T, input []byte) *world {
	return &world{
		T: t, tape: fuzz.NewTape(input), model: model.New(), now: start(), ids: make(map[string]bool), last: make(map[int]string),
	}
}

// inMemory adds a service without a database.
func (w *world) inMemory() *world {
	w.open(lifecycle.Config{})
	return w
}

// onFile adds two services on one new file, with separate engines and caches.
func (w *world) onFile() *world {
	url := "sqlite:///" + filepath.Join(w.TempDir(), "plans.db")
	for range 2 {
		engines, err := lifecycle.NewEngines(lifecycle.EnginesConfig{RelaxedDurability: true})
		w.must(err)
		w.Cleanup(func() { w.must(engines.Close()) })
		w.open(lifecycle.Config{URL: url, Engines: engines})
	}
	return w
}

func (w *world) open(cfg lifecycle.Config) {
	cfg.Clock = func() time.Time { return w.now }
	cfg.Entropy = rand.NewChaCha8([32]byte{byte(len(w.services))})
	s, err := lifecycle.Open(context.Background(), cfg)
	w.must(err)
	w.services = append(w.services, s)
}

func (w *world) must(err error) {
	w.Helper()
	if err != nil {
		w.Fatal(err)
	}
}

// play applies at most so many operations, one after the other, and compares all that can be read.
func (w *world) play(most int, operations ...operation) {
	for n := 0; n < most && w.tape.More(); n++ {
		w.now = w.now.Add(fuzz.Pick(w.tape, time.Second, 0, time.Nanosecond, time.Millisecond, 30*time.Hour, -time.Hour))
		fuzz.Pick(w.tape, operations...)(w)
		w.compareLists()
	}
	w.compareItems()
	w.close()
}

// do applies an operation to one service and to the model. Both return the same value, or an error of the same kind. In one of
// sixteen cases the context has ended, and then nothing may happen.
func do[R any](w *world, what string, call func(context.Context, *lifecycle.Service) (R, error), expected func(R, int) (R, error)) error {
	w.Helper()
	var zero R
	i := w.tape.Below(len(w.services))
	if w.tape.Seldom() {
		ended, cancel := context.WithCancel(context.Background())
		cancel()
		got, err := call(ended, w.services[i])
		if !errors.Is(err, context.Canceled) || !reflect.DeepEqual(got, zero) {
			w.Fatalf("%s with an ended context: got %+v, %v, want context.Canceled", what, got, err)
		}
		return err
	}
	got, err := call(context.Background(), w.services[i])
	want, wantErr := expected(got, i)
	w.sameError(what, err, wantErr)
	if wantErr != nil {
		want = zero
	}
	if !reflect.DeepEqual(got, want) {
		w.Fatalf("%s:\n got %+v\nwant %+v", what, got, want)
	}
	scribble(reflect.ValueOf(&got).Elem())
	return err
}

// sameError requires that got matches exactly one kind of error, one that want matches too.
func (w *world) sameError(what string, got, want error) {
	w.Helper()
	if !model.Agree(got, want) {
		w.Fatalf("%s: got error %v, which is %v; want %v", what, got, model.Kinds(got), want)
	}
}

// scribble overwrites everything inside a returned value. The store must not change with it.
func scribble(v reflect.Value) {
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				scribble(v.Field(i))
			}
		}
	case reflect.Slice:
		for i := range v.Len() {
			scribble(v.Index(i))
		}
	case reflect.Map:
		for _, key := range v.MapKeys() {
			v.SetMapIndex(key, reflect.ValueOf("scribbled"))
		}
	case reflect.Pointer:
		if !v.IsNil() {
			scribble(v.Elem())
		}
	case reflect.String:
		v.SetString("scribbled")
	case reflect.Float64:
		v.SetFloat(-1)
	}
}

// compareLists compares the listings of all services with the model's.
func (w *world) compareLists() {
	w.Helper()
	for i, s := range w.services {
		actions, err := s.ListActions(context.Background())
		w.must(err)
		compare(w, i, "actions", actions, w.model.ListActions())
		plans, err := s.ListPlans(context.Background())
		w.must(err)
		compare(w, i, "plans", plans, w.model.ListPlans())
	}
}

// compareItems compares every single item of every service with the model's.
func (w *world) compareItems() {
	w.Helper()
	ctx := context.Background()
	for i, s := range w.services {
		for _, want := range w.model.ListActions() {
			got, err := s.GetAction(ctx, want.Name.String())
			w.must(err)
			compare(w, i, "action", []lifecycle.Action{got}, []lifecycle.Action{want})
		}
		for _, id := range w.plans {
			got, err := s.GetPlan(ctx, id)
			want, wantErr := w.model.GetPlan(id)
			w.sameError("get plan "+id, err, wantErr)
			compare(w, i, "plan", []lifecycle.Plan{got}, []lifecycle.Plan{want})
			w.compareChangesets(i, id)
		}
	}
}

func (w *world) compareChangesets(service int, planID string) {
	w.Helper()
	got, err := w.services[service].ExecutionContext(planID).Changesets(context.Background())
	want, wantErr := w.model.Changesets(planID)
	w.sameError("changesets of "+planID, err, wantErr)
	compare(w, service, "changesets", got, want)
}

func compare[V any](w *world, service int, what string, got, want []V) {
	w.Helper()
	if len(got) != len(want) {
		w.Fatalf("service %d: got %d %s, want %d", service, len(got), what, len(want))
	}
	for i := range got {
		if !reflect.DeepEqual(got[i], want[i]) {
			w.Fatalf("service %d, %s %d:\n got %+v\nwant %+v", service, what, i, got[i], want[i])
		}
		scribble(reflect.ValueOf(&got[i]).Elem())
	}
}

// close closes the services. Further calls fail.
func (w *world) close() {
	w.Helper()
	for _, s := range w.services {
		w.must(s.Close())
		_, err := s.ListPlans(context.Background())
		w.sameError("list the plans of a closed service", err, lifecycle.ErrClosed)
		w.sameError("close it once more", s.Close(), lifecycle.ErrClosed)
	}
}

// adopt records an identifier of a service. It must be new, and sort after the service's earlier ones.
func (w *world) adopt(service int, id string) {
	w.Helper()
	if len(id) != 26 || w.ids[id] || id <= w.last[service] {
		w.Fatalf("service %d: got identifier %q after %q, want a new, later one of 26 letters", service, id, w.last[service])
	}
	w.ids[id], w.last[service] = true, id
}

// one returns an element of all, or seldom another text, also if all is empty.
func (w *world) one(all []string) string {
	if len(all) == 0 || w.tape.Seldom() {
		return w.tape.Text("", "01ARZ3NDEKTSV4RRFFQ69G5FAV")
	}
	return all[w.tape.Below(len(all))]
}
