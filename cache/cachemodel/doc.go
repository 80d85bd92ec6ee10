// Package cachemodel says what one key of a cache may do: a sequential model of package cache for the linearizability
// checker porcupine, and a recorder of histories for it.
//
// Reach for it to check a history of concurrent calls, recorded on real cores or under an explorer. Give each call a
// value of its own, so that every value seen identifies the call it came from. The tests of package cache and
// bench/explored check their histories with it.
//
// The model demands that every call takes effect at one moment between its beginning and its end. A created value
// appears at most once, only while the key has no value, and only if nothing has changed since its creator began; so a
// creation can neither replace a value set meanwhile nor restore a removed one. Only a creation for a key without a value
// returns an error, and it leaves no value. What was read before a change is not filled in after it. After a close there
// are no values, and every call reports the close.
//
// What it cannot do: it covers one key, neither expiry nor eviction, and not when values are closed.
package cachemodel
