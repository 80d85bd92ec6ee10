package racelog

import "testing"

// A data race has two places, even if no frame is the program's, or no frame is known. The report
// also says which access is atomic.
func TestRacesHavePlaces(t *testing.T) {
	races := parse([]byte(`==================
WARNING: DATA RACE
Write at 0x00c0000a0010 by goroutine 8:
  context.(*cancelCtx).cancel()
      /go/src/context/context.go:570 +0x1a4

Previous read at 0x00c0000a0010 by goroutine 7:
  [failed to restore the stack]

==================
WARNING: DATA RACE
Write at 0x00c0000a0010 by goroutine 8:
  testing.jqBegins()
      /cache/testing/jacquard.go:65 +0x1a4
  example.com/account.TestWithdraw()
      /home/account/account_test.go:12 +0x2b

Previous read at 0x00c0000a0010 by goroutine 7:
  example.com/account.(*Account).Withdraw()
      /home/account/account.go:7 +0x2b
==================
WARNING: DATA RACE
Write at 0x00c0000a0010 by goroutine 8:
  example.com/account.(*Account).Withdraw()
      /home/account/account.go:7 +0x2b

Previous write at 0x00c0000a0010 by goroutine 7:
  sync/atomic.StoreInt64()
      /go/src/runtime/race_amd64.s:237 +0xb
  example.com/account.(*Account).Withdraw()
      /home/account/account.go:7 +0x2b
==================
`), nil, Accessors{Later: []Later{{Report: 1, Born: 18}}, Born: []uint32{17, 18}, Name: func(task uint32) string { return []string{"outside", "seven", "eight"}[task] }})
	want := []string{
		`data race: write by "?" at context/context.go:570, not ordered with read by "?" at a place that the detector no longer knows`,
		`data race: write by "eight" at account/account_test.go:12, not ordered with read by "seven" at account/account.go:7`,
		`data race: write by "eight" at account/account.go:7, not ordered with atomic write by "seven" at account/account.go:7`,
	}
	if len(races) != len(want) {
		t.Fatalf("got %d races, want %d", len(races), len(want))
	}
	for i, r := range races {
		if got := r.String(); got != want[i] {
			t.Errorf("got %s, want %s", got, want[i])
		}
	}
}
