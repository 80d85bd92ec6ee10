package workers_test

import (
	"context"
	"io"
	"reflect"
	"strings"
	"testing"
	"time"
	"unsafe"

	"github.com/jacquard-go/jacquard/internal/schedule"
	"github.com/jacquard-go/jacquard/internal/workers"
)

const patient = time.Minute

// asItIs is a correct mate.
func asItIs(m workers.Mate) {
	m.Serve(workers.CourseOf, func(_, i int, c workers.Course) (int, workers.Course, bool) { return i, c, true })
}

// slow runs a schedule slowly enough for mates to get some.
func slow(seed uint64) workers.Course {
	time.Sleep(50 * time.Microsecond)
	return workers.CourseOf(seed)
}

// The courses come in the order of their schedules and are the same whichever process
// runs them, and whichever workers fail.
func TestRunBatches(t *testing.T) {
	const batches, size = 3, 100
	want, _, lost := workers.RunBatches(t.Context(), batches, size, patient, workers.CourseOf)
	if len(want) != batches*size || len(lost) > 0 {
		t.Fatalf("got %d courses and %v, want %d", len(want), lost, batches*size)
	}
	for _, c := range []struct {
		name  string
		mates []func(workers.Mate)
		lost  []string // each once, in any order
		helps bool
	}{
		{"one", []func(workers.Mate){asItIs}, nil, true},
		{"three", []func(workers.Mate){asItIs, asItIs, asItIs}, nil, true},
		{"ends at once", []func(workers.Mate){func(workers.Mate) {}}, []string{"EOF"}, false},
		{"says nonsense", []func(workers.Mate){func(m workers.Mate) { _, _ = io.WriteString(m.Out, "PASS\nok\n") }}, []string{""}, false},
		{"is elsewhere", []func(workers.Mate){func(m workers.Mate) { _ = m.Greet(2) }, asItIs}, []string{"another exploration"}, true},
		{"dies in the middle", []func(workers.Mate){after(5, func(int, workers.Course) (int, workers.Course, bool) { panic(io.EOF) }), asItIs}, []string{"EOF"}, true},
		{"reports out of order", []func(workers.Mate){after(5, func(i int, c workers.Course) (int, workers.Course, bool) { return i + 1, c, true })}, []string{"it reported schedule"}, true},
		{"takes other courses", []func(workers.Mate){after(0, func(i int, c workers.Course) (int, workers.Course, bool) { return i, workers.Changed(c), true })}, []string{"ran differently"}, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, helped, lost := workers.RunBatches(t.Context(), batches, size, patient, slow, c.mates...)
			if !reflect.DeepEqual(got, want) {
				t.Error("got other courses, or another order")
			}
			if c.helps != (helped > 0) {
				t.Errorf("got %d schedules run by mates, want some: %v", helped, c.helps)
			}
			if len(lost) != len(c.lost) {
				t.Fatalf("got %v, want %q", lost, c.lost)
			}
			for i, err := range lost {
				if !strings.Contains(err.Error(), c.lost[i]) {
					t.Errorf("got %v, want %q", err, c.lost[i])
				}
			}
		})
	}
}

// after returns a mate that reports correctly n times, and then as change says. It ends
// when change panics.
func after(n int, change func(i int, c workers.Course) (int, workers.Course, bool)) func(workers.Mate) {
	return func(m workers.Mate) {
		defer func() { _ = recover() }()
		m.Serve(workers.CourseOf, func(_, i int, c workers.Course) (int, workers.Course, bool) {
			if n--; n >= 0 {
				return i, c, true
			}
			return change(i, c)
		})
	}
}

// A mate that does not report is given up after its silence limit, and its schedules
// run elsewhere.
func TestRunBatchesSilent(t *testing.T) {
	mute := after(1, func(i int, c workers.Course) (int, workers.Course, bool) { return i, c, false })
	got, _, lost := workers.RunBatches(t.Context(), 5, 100, time.Millisecond, slow, mute)
	if len(got) != 5*100 {
		t.Errorf("got %d courses, want %d", len(got), 5*100)
	}
	if len(lost) != 1 || !strings.Contains(lost[0].Error(), "it said nothing for") {
		t.Errorf("got %v, want a mate that said nothing", lost)
	}
}

// Run returns the context's error once the context has ended.
func TestRunBatchesCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	n := 0
	got, _, lost := workers.RunBatches(ctx, 1, 100, patient, func(seed uint64) workers.Course {
		if n++; n == 10 {
			cancel()
		}
		return workers.CourseOf(seed)
	})
	if len(got) > 10 || len(lost) != 1 || lost[0] != context.Canceled {
		t.Errorf("got %d courses and %v, want at most 10 and %v", len(got), lost, context.Canceled)
	}
}

// All fields of a course survive encoding: this finds a new field that is not
// encoded.
func TestCourseTravels(t *testing.T) {
	var want workers.Course
	n := 0
	fill(reflect.ValueOf(&want).Elem(), &n)
	got, err := workers.Travelled(want)
	if err != nil {
		t.Fatal(err)
	}
	ex := reflect.ValueOf(&want).Elem().FieldByName("Ex") // never encoded
	reflect.NewAt(ex.Type(), unsafe.Pointer(ex.UnsafeAddr())).Elem().SetZero()
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got\n%+v, want\n%+v", got, want)
	}
}

// fill sets every part of v to a distinct value.
func fill(v reflect.Value, n *int) {
	*n++
	v = reflect.NewAt(v.Type(), unsafe.Pointer(v.UnsafeAddr())).Elem()
	switch v.Kind() {
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Int, reflect.Int64, reflect.Int32:
		v.SetInt(int64(*n))
	case reflect.Uint, reflect.Uint64, reflect.Uint32, reflect.Uint16, reflect.Uint8, reflect.Uintptr:
		v.SetUint(uint64(*n))
	case reflect.String:
		v.SetString(strings.Repeat("x", *n))
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 2, 2))
		for i := range v.Len() {
			fill(v.Index(i), n)
		}
	case reflect.Array:
		for i := range v.Len() {
			fill(v.Index(i), n)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			fill(v.Field(i), n)
		}
	}
}

// DecodeRun rejects bytes that are no run, and never allocates more than they could
// hold.
func TestRunRefused(t *testing.T) {
	good := workers.EncodeRun([]schedule.Decision{{Runnable: 2, Goroutine: 300}, {Runnable: 3}})
	if _, err := workers.DecodeRun(good); err != nil {
		t.Fatal(err)
	}
	for i := range good {
		if _, err := workers.DecodeRun(good[:i]); err == nil {
			t.Errorf("got no error for the first %d of %d bytes", i, len(good))
		}
	}
	for _, b := range [][]byte{append(good, 0), {0xff, 0xff, 0xff, 0xff, 0x0f}, {0x80}} {
		if _, err := workers.DecodeRun(b); err == nil {
			t.Errorf("%x: got no error", b)
		}
	}
}
