package cache

import (
	"math/bits"
	"math/rand/v2"
)

// hasher returns the hash function of the table for the most common key types, and nil for all others. For those xsync
// uses the runtime's map hash, which it reaches through two calls and a switch over the kind of the type: a quarter of
// the cost of a hit. The functions here need one call.
//
// They resist keys chosen to collide as long as the secret stays secret. It is drawn for each cache; xsync draws the
// seed for each table, so the seed changes at each growth.
func hasher[K comparable]() func(key K, seed uint64) uint64 {
	var zero K
	f, _ := hasherFor(zero, rand.Uint64()).(func(K, uint64) uint64)
	return f
}

// hasherFor returns the hash function for the type of key, or nil. It is not generic, because a generic function would
// compile these closures to slower code.
func hasherFor(key any, secret uint64) any {
	switch key.(type) {
	case string:
		return stringHasher(secret)
	case int:
		return func(key int, seed uint64) uint64 { return finish(uint64(key), seed, secret) }
	case int32:
		return func(key int32, seed uint64) uint64 { return finish(uint64(key), seed, secret) }
	case int64:
		return func(key int64, seed uint64) uint64 { return finish(uint64(key), seed, secret) }
	case uint32:
		return func(key uint32, seed uint64) uint64 { return finish(uint64(key), seed, secret) }
	case uint64:
		return func(key uint64, seed uint64) uint64 { return finish(key, seed, secret) }
	}
	return nil
}

// hashSeed is the seed for callers without a table's seed: the fraction of the golden ratio, whose bits have no pattern.
const hashSeed = 0x9e3779b97f4a7c15

// mix multiplies to 128 bits and folds: the basic step of wyhash (Wang Yi), which is also the runtime's hash on
// machines without AES instructions.
func mix(a, b uint64) uint64 {
	hi, lo := bits.Mul64(a, b)
	return hi ^ lo
}

// finish ends each hash with two steps. After one step, keys in a regular series can still collide if the multiplier is a
// bad one, and here it is random.
func finish(a, b, secret uint64) uint64 {
	hi, lo := bits.Mul64(a^secret, b)
	return mix(lo^hashSeed, hi^secret)
}

// stringHasher returns the function for strings. It puts all bytes of a short string into the two factors of one step,
// some of them twice, which is harmless; a longer string takes a step for each 16 bytes. The length is spread over all
// bits, so that it cannot cancel a difference in some byte.
//
//go:noinline // what is copied with its caller is not compiled as well
func stringHasher(secret uint64) func(s string, seed uint64) uint64 {
	return func(s string, seed uint64) uint64 {
		n := len(s)
		h := seed ^ uint64(n)*hashSeed
		var a uint64
		switch {
		case n > 16:
			for rest := s; len(rest) > 16; rest = rest[16:] {
				h = mix(eight(rest)^secret, eight(rest[8:])^h)
			}
			a = eight(s[n-16:])
			h ^= eight(s[n-8:])
		case n > 8:
			a = eight(s)
			h ^= eight(s[n-8:])
		case n >= 4:
			a = four(s)<<32 | four(s[n-4:])
		case n > 0:
			a = uint64(s[0])<<16 | uint64(s[n>>1])<<8 | uint64(s[n-1])
		}
		return finish(a, h, secret)
	}
}

// eight returns the first eight bytes of s, four the first four. The compiler turns each into one load.
func eight(s string) uint64 {
	_ = s[7]
	return uint64(s[0]) | uint64(s[1])<<8 | uint64(s[2])<<16 | uint64(s[3])<<24 |
		uint64(s[4])<<32 | uint64(s[5])<<40 | uint64(s[6])<<48 | uint64(s[7])<<56
}

func four(s string) uint64 {
	_ = s[3]
	return uint64(s[0]) | uint64(s[1])<<8 | uint64(s[2])<<16 | uint64(s[3])<<24
}
