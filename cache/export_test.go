package cache

// Hasher lets the tests look at hash functions.
func Hasher[K comparable]() func(key K, seed uint64) uint64 { return hasher[K]() }
