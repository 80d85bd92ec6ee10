// Package cachemodel says what one key of a cache may do: a sequential model of package cache for the linearizability
// checker porcupine, and a recorder of histories for it.
//
// Reach for it to check a history of concurrent calls, however it came about: on all cores, or under an explorer. Give each
// call a value of its own, so that a value that is seen tells where it came from.
// The tests of package cache and those of bench/explored check theirs with it.
//
// What the model demands: every call takes effect at one moment between its beginning and its end. A created value
// appears at most once, and only while the key has no value; so a creation can neither replace what was set meanwhile
// nor bring back what was removed. An error is told only by a creation for a key without a value, and leaves none.
// After a close nothing is left, and every call says so.
//
// What it cannot do: it covers one key, neither expiry nor eviction, and no stamps.
package cachemodel
