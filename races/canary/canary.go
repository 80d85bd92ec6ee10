package canary

import (
	"github.com/jacquard-go/jacquard/races"
)

// Canary is one planted program.
type Canary struct {
	Name string     // short, in words joined by hyphens
	What string     // what was planted, in one sentence
	Want races.Want // the verdict of a working instrument
	Kind races.Kind // of a violation: the only right kind; empty if it holds
	Body races.Body
}

// All returns the canaries in a fixed order. Each call returns a list of its own.
func All() []Canary {
	return []Canary{
		{"lost-update", "a counter read under a mutex and written under it later", races.Violated, races.KindCheck, lostUpdate},
		{"atomic-load-store", "a lock-free counter that loads and then stores", races.Violated, races.KindCheck, atomicLoadStore},
		{"atomic-cas", "a lock-free counter that compares and swaps until it succeeds", races.Holds, "", atomicCAS},
		{"map-unlocked", "a map that two goroutines write without a lock, wholly one after the other", races.Violated, races.KindRace, mapUnlocked},
		{"map-locked", "the same map under a mutex", races.Holds, "", mapLocked},
		{"lock-order", "two mutexes that two goroutines take in opposite orders", races.Violated, races.KindDeadlock, lockOrder},
		{"channel-cycle", "two goroutines that each send before they receive, on channels without a buffer", races.Violated, races.KindDeadlock, channelCycle},
		{"goroutine-leak", "a goroutine that waits for a value nobody sends", races.Violated, races.KindLeak, goroutineLeak},
		{"double-close", "a channel closed by whoever finds it open", races.Violated, races.KindPanic, doubleClose},
		{"double-unlock", "a mutex unlocked by whoever finds it locked", races.Violated, races.KindFatal, doubleUnlock},
	}
}
