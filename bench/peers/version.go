package peers

import (
	"runtime"

	"github.com/jacquard-go/jacquard/bench"
)

var modules = map[Name]string{
	OtterName:    "github.com/maypok86/otter/v2",
	TheineName:   "github.com/Yiling-J/theine-go",
	TTLCacheName: "github.com/jellydator/ttlcache/v3",
	SturdycName:  "github.com/viccon/sturdyc",
	XsyncName:    "github.com/puzpuzpuz/xsync/v3",
	FlightName:   "golang.org/x/sync",
}

// Module returns the path of a peer's module; it is empty for ours and for the standard library.
func Module(name Name) string { return modules[name] }

// Version returns the version of a peer that this module requires: Go's for the standard library, and empty for ours.
func Version(name Name) string {
	if name == SyncMapName {
		return runtime.Version()
	}
	return bench.Version(modules[name])
}
