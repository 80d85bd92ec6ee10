package cilog_test

import (
	"reflect"
	"testing"

	"github.com/jacquard-go/jacquard/internal/cilog"
)

const race = `==================
WARNING: DATA RACE
Read at 0x00c000012345 by goroutine 8:
  runtime.mapaccess1_faststr()
      /go/src/runtime/map.go:12 +0x0
  example.com/bank.(*Bank).Balance()
      /src/bank.go:14 +0x44
  example.com/bank.TestRace.func2()
      /src/bank_test.go:20 +0x2c

Previous write at 0x00c000012345 by goroutine 7:
  example.com/bank.(*Bank).Put()
      /src/bank.go:18 +0x55

Goroutine 8 (running) created at:
  example.com/bank.TestRace()
      /src/bank_test.go:19 +0xcc
==================
--- FAIL: TestRace (0.00s)
    testing.go:1490: race detected during execution of test
FAIL
FAIL	example.com/bank	0.012s
`

const late = `panic: test timed out after 2s
	running tests:
		TestOrder/both (2s)

goroutine 34 [running]:
testing.(*M).startAlarm.func1()
	/go/src/testing/testing.go:2366 +0x385
goroutine 1 [chan receive]:
testing.(*T).Run(0xc000003, {0x1, 0x2}, 0x3)
	/go/src/testing/testing.go:1750 +0x3ab
goroutine 8 [sync.Mutex.Lock]:
internal/sync.runtime_SemacquireMutex(0xc00)
	/go/src/runtime/sema.go:95
sync.(*Mutex).Lock(...)
	/go/src/sync/mutex.go:46
example.com/bank.Both(0xc000, 0xc001)
	/src/bank.go:17 +0x88
FAIL	example.com/bank	2.012s
`

const crash = `=== RUN   TestClose
panic: send on closed channel

goroutine 21 [running]:
example.com/bank.(*Pool).Submit(0xc00, 0x1)
	/src/pool.go:9 +0x1d
example.com/bank.TestClose.func1()
	/src/pool_test.go:9 +0x1d
created by example.com/bank.TestClose in goroutine 20
	/src/pool_test.go:8 +0x4f
FAIL	example.com/bank	0.012s
`

func TestParse(t *testing.T) {
	check := cilog.Failure{Package: "example.com/bank", Test: "TestTwice", Kind: cilog.Check, Message: "bank_test.go:19: 1 left", Lines: []string{"bank_test.go:19"}}
	for name, c := range map[string]struct {
		log  string
		want cilog.Failure
	}{
		"text":    {"--- FAIL: TestTwice (0.01s)\n    bank_test.go:19: 1 left\n    bank_test.go:20: more\nFAIL\nFAIL\texample.com/bank\t0.1s\n", check},
		"verbose": {"=== RUN   TestTwice\n    bank_test.go:19: 1 left\n--- FAIL: TestTwice (0.01s)\nFAIL\nFAIL\texample.com/bank\t0.1s\n", check},
		"subtest": {"--- FAIL: TestTwice (0.01s)\n    --- FAIL: TestTwice/sub (0.01s)\n        bank_test.go:19: 1 left\nFAIL\texample.com/bank\t0.1s\n", check},
		"GitHub": {"2026-11-22T10:00:00.1234567Z \x1b[31m--- FAIL: TestTwice (0.01s)\x1b[0m\n2026-11-22T10:00:00.1234567Z     bank_test.go:19: 1 left\n" +
			"2026-11-22T10:00:00.1234567Z FAIL\texample.com/bank\t0.1s\n", check},
		"JSON": {`{"Action":"output","Package":"example.com/bank","Test":"TestTwice","Output":"    bank_test.go:19: 1 left\n"}
{"Action":"output","Package":"example.com/bank","Test":"TestTwice","Output":"--- FAIL: TestTwice (0.01s)\n"}
{"Action":"output","Package":"example.com/bank","Output":"FAIL\texample.com/bank\t0.1s\n"}
`, check},
		"JSON without the last line": {`{"Action":"output","Package":"example.com/bank","Test":"TestTwice","Output":"    bank_test.go:19: 1 left\n"}
{"Action":"output","Package":"example.com/other","Output":"=== RUN   TestOther\n"}
{"Action":"output","Package":"example.com/bank","Test":"TestTwice","Output":"--- FAIL: TestTwice (0.01s)\n"}
{"Action":"fail","Package":"example.com/bank","Test":"TestTwice"}
`, check},
		"gh run view": {"\ufefftest (linux)\tgo test\t2026-11-22T10:00:00.1234567Z --- FAIL: TestTwice (0.01s)\ntest (linux)\tgo test\t2026-11-22T10:00:00.1234567Z     bank_test.go:19: 1 left\n" +
			"test (linux)\tgo test\t2026-11-22T10:00:00.1234567Z FAIL\texample.com/bank\t0.1s\n", check},
		"GitLab":    {"section_start:1700000000:step\r\x1b[0K--- FAIL: TestTwice (0.01s)\r\n2026-11-22T10:00:00.123456Z 01O     bank_test.go:19: 1 left\nFAIL\texample.com/bank\t0.1s\r\n", check},
		"Buildkite": {"\x1b_bk;t=1700000000\a--- FAIL: TestTwice (0.01s)\n\x1b_bk;t=1700000000\a    bank_test.go:19: 1 left\nFAIL\texample.com/bank\t0.1s\n", check},
		"gotestsum": {"=== FAIL: bank TestTwice (0.01s)\n    bank_test.go:19: 1 left\n\nDONE 3 tests, 1 failure in 0.1s\n",
			cilog.Failure{Package: "bank", Test: "TestTwice", Kind: cilog.Check, Message: "bank_test.go:19: 1 left", Lines: []string{"bank_test.go:19"}}},
		"race": {race, cilog.Failure{Package: "example.com/bank", Test: "TestRace", Kind: cilog.Race, Message: "data race",
			Functions: []string{"example.com/bank.(*Bank).Balance", "example.com/bank.(*Bank).Put"}, Lines: []string{"bank.go:14", "bank.go:18"},
			Stacks: [][]string{{"example.com/bank.(*Bank).Balance bank.go:14", "example.com/bank.TestRace.func2 bank_test.go:20"}, {"example.com/bank.(*Bank).Put bank.go:18"}}}},
		"time-out": {late, cilog.Failure{Package: "example.com/bank", Test: "TestOrder", Kind: cilog.Deadlock, Message: "test timed out after 2s",
			Functions: []string{"example.com/bank.Both"}, Lines: []string{"bank.go:17"}, Stacks: [][]string{{"example.com/bank.Both bank.go:17"}}}},
		"panic": {crash, cilog.Failure{Package: "example.com/bank", Test: "TestClose", Kind: cilog.Panic, Message: "send on closed channel",
			Functions: []string{"example.com/bank.(*Pool).Submit"}, Lines: []string{"pool.go:9"},
			Stacks: [][]string{{"example.com/bank.(*Pool).Submit pool.go:9", "example.com/bank.TestClose.func1 pool_test.go:9"}}}},
	} {
		if got := cilog.Parse("some words\n" + c.log); !reflect.DeepEqual(got, []cilog.Failure{c.want}) {
			t.Errorf("%s: got %+v, want %+v", name, got, c.want)
		}
	}
	if got := cilog.Parse("ok  \texample.com/bank\t0.1s\nPASS\n"); len(got) > 0 {
		t.Errorf("nothing failed: got %+v", got)
	}
	if got := cilog.Parse(race + late + crash); len(got) != 3 {
		t.Errorf("three logs: got %+v", got)
	}
}
