package explore_test

import (
	"context"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"unsafe"

	"github.com/jacquard-go/jacquard/explore"
)

// A goroutine that the standard library starts for the program is named after the function
// that the program passes, or after the call that gets it.
func TestNamesOfGoroutinesStartedForTheProgram(t *testing.T) {
	if !explore.Control(t) {
		return
	}
	r, err := explore.Run(t.Context(), explore.Config{}, func(t *explore.T) {
		var n atomic.Int32
		var wg sync.WaitGroup
		step := func() { n.Add(1) }
		wg.Go(step)
		wg.Go(func() { n.Add(1) })
		wg.Go(func() { n.Add(1) })
		go step()
		wg.Wait()
		t.Fatal("to be shown")
	})
	if err != nil || r.Failure == nil {
		t.Fatalf("got %+v, %v, want a failure", r, err)
	}
	var got []string
	for _, th := range r.Failure.Timeline.Threads {
		got = append(got, th.Name)
	}
	want := []string{"body", "step", "wg.Go", "wg.Go #2"}
	if len(got) != 5 || !slices.Equal(got[:4], want) {
		t.Errorf("got %q, want %q and the function of the go statement", got, want)
	}
}

type runs struct{ last int }

func (r *runs) run(n int) { r.last = n }

// For a go statement that calls a function literal with arguments, the compiler makes a
// wrapper function. The goroutine is still named after the literal, even before it begins.
// A method of an unnamed value gives the method's name.
func TestNamesOfLiteralsWithArguments(t *testing.T) {
	if !explore.Control(t) {
		return
	}
	const function = "explore_test.TestNamesOfLiteralsWithArguments."
	for _, c := range []struct {
		literal string
		body    func(*explore.T)
	}{
		{function + "func1.1", func(t *explore.T) {
			done := make(chan int)
			for i := range 2 {
				go func(n int) { done <- n }(i)
			}
			<-done
			t.Fatal("to be shown")
		}},
		{function + "func2.2", func(t *explore.T) {
			start := func() {
				use := func() {}
				use()
			}
			start()
			for i := range 2 {
				go func(n int) { _ = n }(i)
			}
			t.Fatal("to be shown")
		}},
		{"(…).run", func(t *explore.T) {
			for i := range 2 {
				go (&runs{}).run(i)
			}
			t.Fatal("to be shown")
		}},
	} {
		r, err := explore.Run(t.Context(), explore.Config{}, c.body)
		if err != nil || r.Failure == nil {
			t.Fatalf("got %+v, %v, want a failure", r, err)
		}
		var got []string
		for _, th := range r.Failure.Timeline.Threads {
			got = append(got, th.Name)
		}
		if want := []string{"body", c.literal, c.literal + " #2"}; !slices.Equal(got, want) {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

// The parts of a context are named after the variable that the program assigns it to, if
// there is one, and after nothing else on that line.
func TestNamesOfContexts(t *testing.T) {
	if !explore.Control(t) {
		return
	}
	r, err := explore.Run(t.Context(), explore.Config{}, func(t *explore.T) {
		asked, cancel := context.WithCancel(context.Background())
		unasked, stop := context.WithCancel(context.Background())
		var ran atomic.Bool
		context.AfterFunc(unasked, func() { ran.Store(true) })
		t.Go("asks", func() { _ = asked.Err() })
		t.Go("cancels", func() { cancel() })
		t.Go("stops", func() { stop() })
		t.Wait()
		t.Fatal("to be shown")
	})
	if err != nil || r.Failure == nil {
		t.Fatalf("got %+v, %v, want a failure", r, err)
	}
	of := map[string]map[string]bool{}
	for _, s := range r.Failure.Timeline.Steps {
		who := r.Failure.Timeline.Threads[s.Thread].Name
		if of[who] == nil {
			of[who] = map[string]bool{}
		}
		of[who][s.Op+" "+s.Object] = true
	}
	if got := of["cancels"]; !got["Lock asked"] || !got["Value.Load asked"] || !got["Value.Store asked"] {
		t.Errorf("cancels: got %v, want Lock, Value.Load and Value.Store of asked", got)
	}
	if got := of["stops"]; !got["Lock context#1"] {
		t.Errorf("stops: got %v, want Lock of context#1", got)
	}
	for who, texts := range of {
		for text := range texts {
			if strings.Contains(text, "Value") && strings.Contains(text, "ran") {
				t.Errorf("%s: got %s, want no Value with the name ran", who, text)
			}
		}
	}
}

// Under control, runtime.Caller still returns the real path of a file, and [runtime.GOROOT]
// Go's directory, because tests look for their files there.
func TestSourcePaths(t *testing.T) {
	if !explore.Control(t) {
		return
	}
	_, here, _, _ := runtime.Caller(0)
	root := runtime.GOROOT() //lint:ignore SA1019 programs under test ask it
	for _, path := range []string{here, filepath.Join(root, "src", "runtime", "extern.go")} {
		if _, err := os.Stat(path); err != nil {
			t.Error(err)
		}
	}
}

type turned int32

func (f *turned) flip() { atomic.AddInt32((*int32)(f), 1) }

// An object has its name also where only its length is read, and where its address is converted.
func TestNamesOfWhatIsConverted(t *testing.T) {
	if !explore.Control(t) {
		return
	}
	for want, use := range map[string]func(){
		"held": func() func() {
			held := make(chan int, 1)
			return func() { _ = len(held) }
		}(),
		"f": new(turned).flip,
		"bits": func() func() {
			var bits float64
			return func() { atomic.LoadUint64((*uint64)(unsafe.Pointer(&bits))) }
		}(),
	} {
		r, err := explore.Run(t.Context(), explore.Config{}, func(t *explore.T) {
			t.Go("one", use)
			t.Go("two", use)
			t.Wait()
			t.Fatal("to be shown")
		})
		if err != nil || r.Failure == nil {
			t.Fatalf("got %+v, %v, want a failure", r, err)
		}
		var got []string
		for _, s := range r.Failure.Timeline.Steps {
			got = append(got, s.Object)
		}
		if !slices.Contains(got, want) {
			t.Errorf("got the objects %q, want %q among them", got, want)
		}
	}
}

// What a goroutine holds has a name also where it is none of the source, as in sync.OnceValue.
func TestHeldOnceValue(t *testing.T) {
	if !explore.Control(t) {
		return
	}
	r := run(t, small(t.Name()), func(t *explore.T) {
		var again atomic.Bool
		var get func() int
		get = sync.OnceValue(func() int {
			if again.Load() {
				return get()
			}
			return 1
		})
		t.Go("sets", func() { again.Store(true) })
		t.Go("gets", func() { get() })
		t.Wait()
	})
	if r.Failure == nil {
		t.Fatalf("got %s, want a failure", r.Summary())
	}
	if cause := r.Failure.Timeline.Cause; !strings.Contains(cause, `"gets" holds OnceValue since step `) {
		t.Errorf("got the cause %q, want a name of what is held", cause)
	}
}
