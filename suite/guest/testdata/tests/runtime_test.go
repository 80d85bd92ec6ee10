package tests

import (
	"net/http/httptest"
	httppprof "net/http/pprof"
	"regexp"
	"runtime"
	"runtime/pprof"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"
	"weak"
)

// TestGoroutineProfiles lists the goroutines in every way that Go has. It expects
// those of the test and no others.
func TestGoroutineProfiles(t *testing.T) {
	release := make(chan bool)
	defer close(release)
	for range 3 {
		go func() { <-release }()
	}
	runtime.Gosched()
	want := runtime.NumGoroutine()
	if got, _ := runtime.GoroutineProfile(nil); got != want {
		t.Errorf("GoroutineProfile: got %d, want %d", got, want)
	}
	if got, ok := runtime.GoroutineProfile(make([]runtime.StackRecord, want)); got != want || !ok {
		t.Errorf("GoroutineProfile of them: got %d, %t, want %d", got, ok, want)
	}
	if got := pprof.Lookup("goroutine").Count(); got != want {
		t.Errorf("Count: got %d, want %d", got, want)
	}
	var counted, listed strings.Builder
	if err := pprof.Lookup("goroutine").WriteTo(&counted, 1); err != nil {
		t.Error(err)
	}
	if err := pprof.Lookup("goroutine").WriteTo(&listed, 2); err != nil {
		t.Error(err)
	}
	served := httptest.NewRecorder()
	httppprof.Handler("goroutine").ServeHTTP(served, httptest.NewRequest("GET", "/debug/pprof/goroutine?debug=1", nil))
	for what, text := range map[string]string{"debug=1": counted.String(), "debug=2": listed.String(), "served": served.Body.String()} {
		got := strings.Count("\n"+text, "\ngoroutine ")
		if m := regexp.MustCompile(`goroutine profile: total (\d+)`).FindStringSubmatch(text); m != nil {
			got, _ = strconv.Atoi(m[1])
		}
		if got != want || !strings.Contains(text, "TestGoroutineProfiles.func") {
			t.Errorf("%s: got %d, want %d:\n%s", what, got, want, text)
		}
	}
}

// TestCollected waits for goroutines that the garbage collector starts.
func TestCollected(t *testing.T) {
	type thing struct{ name string }
	finalized, cleaned := make(chan string, 1), make(chan string, 1)
	w := func() weak.Pointer[thing] {
		x, y := &thing{"x"}, &thing{"y"}
		runtime.SetFinalizer(x, func(x *thing) { finalized <- x.name })
		runtime.AddCleanup(y, func(name string) { cleaned <- name }, "y")
		return weak.Make(y)
	}()
	runtime.GC()
	for _, c := range []chan string{finalized, cleaned} {
		select {
		case <-c:
		case <-time.After(10 * time.Second):
			t.Error("it is still there")
		}
	}
	if w.Value() != nil {
		t.Error("it is still there, weakly")
	}
}

func TestThreads(t *testing.T) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	var turn atomic.Int32
	go func() {
		runtime.LockOSThread() // the thread ends with the goroutine
		turn.Store(1)
	}()
	for turn.Load() == 0 {
		runtime.Gosched()
	}
}

func TestPanicsInCleanup(t *testing.T) {
	var n atomic.Int32
	t.Cleanup(func() { panic("too late") })
	pair(func(int) { n.Add(1) })
}

func TestFailsInCleanup(t *testing.T) {
	var n atomic.Int32
	t.Cleanup(func() { t.Errorf("n = %d, want 3", n.Load()) })
	pair(func(int) { n.Add(1) })
}

func TestGoexitInSubtest(t *testing.T) {
	t.Run("sub", func(t *testing.T) {
		pair(func(int) {})
		runtime.Goexit()
	})
}

func TestGoexitInGoroutine(t *testing.T) {
	var n atomic.Int32
	pair(func(int) { n.Add(1); runtime.Goexit() })
	if n.Load() != 2 {
		t.Errorf("n = %d", n.Load())
	}
}
