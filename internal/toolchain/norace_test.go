package toolchain_test

import (
	"strings"
	"testing"

	"github.com/jacquard-go/jacquard/internal/executable"
	"github.com/jacquard-go/jacquard/internal/toolchain"
)

// atomics is a program that does every operation of sync/atomic and prints wrong ones.
const atomics = `package main

import (
	"fmt"
	"sync"
	"sync/atomic"
	"unsafe"
)

func main() {
	check := func(name string, ok bool) {
		if !ok {
			fmt.Println(name)
		}
	}
	integers(check)
	var p unsafe.Pointer
	x, y := new(int), new(int)
	atomic.StorePointer(&p, unsafe.Pointer(x))
	check("LoadPointer", atomic.LoadPointer(&p) == unsafe.Pointer(x))
	check("SwapPointer", atomic.SwapPointer(&p, unsafe.Pointer(y)) == unsafe.Pointer(x) && p == unsafe.Pointer(y))
	check("CompareAndSwapPointer", atomic.CompareAndSwapPointer(&p, unsafe.Pointer(y), nil) && p == nil)
	var v atomic.Value
	v.Store("value")
	check("Value", v.Load() == "value")
	pool := sync.Pool{New: func() any { return 1 }}
	check("Pool", pool.Get() == 1)
	fmt.Println("done")
}

func integers(check func(string, bool)) {
	i32, i64, u32, u64, up := int32(5), int64(5), uint32(5), uint64(5), uintptr(5)
	check("AddInt32", atomic.AddInt32(&i32, -7) == -2 && i32 == -2)
	check("AddInt64", atomic.AddInt64(&i64, -7) == -2 && i64 == -2)
	check("AddUint32", atomic.AddUint32(&u32, 7) == 12 && u32 == 12)
	check("AddUint64", atomic.AddUint64(&u64, 7) == 12 && u64 == 12)
	check("AddUintptr", atomic.AddUintptr(&up, 7) == 12 && up == 12)
	check("LoadInt32", atomic.LoadInt32(&i32) == -2)
	check("LoadInt64", atomic.LoadInt64(&i64) == -2)
	check("LoadUint32", atomic.LoadUint32(&u32) == 12)
	check("LoadUint64", atomic.LoadUint64(&u64) == 12)
	check("LoadUintptr", atomic.LoadUintptr(&up) == 12)
	atomic.StoreInt32(&i32, 1)
	atomic.StoreInt64(&i64, 1<<40)
	atomic.StoreUint32(&u32, 1)
	atomic.StoreUint64(&u64, 1<<40)
	atomic.StoreUintptr(&up, 1)
	check("Store", i32 == 1 && i64 == 1<<40 && u32 == 1 && u64 == 1<<40 && up == 1)
	check("SwapInt32", atomic.SwapInt32(&i32, 6) == 1 && i32 == 6)
	check("SwapInt64", atomic.SwapInt64(&i64, 6) == 1<<40 && i64 == 6)
	check("SwapUint32", atomic.SwapUint32(&u32, 6) == 1 && u32 == 6)
	check("SwapUint64", atomic.SwapUint64(&u64, 6) == 1<<40 && u64 == 6)
	check("SwapUintptr", atomic.SwapUintptr(&up, 6) == 1 && up == 6)
	check("CompareAndSwapInt32", atomic.CompareAndSwapInt32(&i32, 6, 12) && !atomic.CompareAndSwapInt32(&i32, 6, 1) && i32 == 12)
	check("CompareAndSwapInt64", atomic.CompareAndSwapInt64(&i64, 6, 12) && !atomic.CompareAndSwapInt64(&i64, 6, 1) && i64 == 12)
	check("CompareAndSwapUint32", atomic.CompareAndSwapUint32(&u32, 6, 12) && !atomic.CompareAndSwapUint32(&u32, 6, 1) && u32 == 12)
	check("CompareAndSwapUint64", atomic.CompareAndSwapUint64(&u64, 6, 12) && !atomic.CompareAndSwapUint64(&u64, 6, 1) && u64 == 12)
	check("CompareAndSwapUintptr", atomic.CompareAndSwapUintptr(&up, 6, 12) && !atomic.CompareAndSwapUintptr(&up, 6, 1) && up == 12)
	check("AndInt32", atomic.AndInt32(&i32, 10) == 12 && i32 == 8)
	check("AndInt64", atomic.AndInt64(&i64, 10) == 12 && i64 == 8)
	check("AndUint32", atomic.AndUint32(&u32, 10) == 12 && u32 == 8)
	check("AndUint64", atomic.AndUint64(&u64, 10) == 12 && u64 == 8)
	check("AndUintptr", atomic.AndUintptr(&up, 10) == 12 && up == 8)
	check("OrInt32", atomic.OrInt32(&i32, 3) == 8 && i32 == 11)
	check("OrInt64", atomic.OrInt64(&i64, 3) == 8 && i64 == 11)
	check("OrUint32", atomic.OrUint32(&u32, 3) == 8 && u32 == 11)
	check("OrUint64", atomic.OrUint64(&u64, 3) == 8 && u64 == 11)
	check("OrUintptr", atomic.OrUintptr(&up, 3) == 8 && up == 11)
}
`

// Builds with and without the race detector are different binaries. The latter needs no
// C compiler, and its atomic operations are correct.
func TestBuildWithoutRaceDetector(t *testing.T) {
	dir := module(t, "example.com/atomics", map[string]string{"main.go": atomics})
	cache := t.TempDir()
	with := mustBuild(t, toolchain.Request{Dir: dir, Cache: cache})
	t.Setenv("CC", "/nonexistent/cc")
	t.Setenv("CGO_ENABLED", "0")
	without := mustBuild(t, toolchain.Request{Dir: dir, Cache: cache, NoRace: true})
	if with == without {
		t.Errorf("got %s for both builds", with)
	}
	for _, binary := range []string{with, without} {
		if got := output(t, binary); got != "done" {
			t.Errorf("%s: got wrong results of %s", binary, strings.TrimSuffix(got, "\ndone"))
		}
	}
	one, err := executable.Fingerprint(with)
	if err != nil {
		t.Fatal(err)
	}
	if two, err := executable.Fingerprint(without); err != nil || one == two {
		t.Errorf("got the fingerprints %s and %s, %v; want two", one, two, err)
	}
}
