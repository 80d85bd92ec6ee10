module github.com/jacquard-go/jacquard/cache/bench

go 1.25.0

require (
	github.com/Yiling-J/theine-go v0.6.3
	github.com/anishathalye/porcupine v1.1.0
	github.com/jacquard-go/jacquard v0.0.0
	github.com/jellydator/ttlcache/v3 v3.4.1
	github.com/maypok86/otter/v2 v2.4.0
	github.com/puzpuzpuz/xsync/v3 v3.5.1
	github.com/viccon/sturdyc v1.1.5
	golang.org/x/sync v0.22.0
)

require (
	github.com/cespare/xxhash/v2 v2.3.0 // indirect
	github.com/klauspost/cpuid/v2 v2.0.9 // indirect
	github.com/rogpeppe/go-internal v1.14.1 // indirect
	github.com/zeebo/xxh3 v1.0.2 // indirect
	golang.org/x/sys v0.47.0 // indirect
)

replace github.com/jacquard-go/jacquard => ../..
