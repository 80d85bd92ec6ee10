//go:build jacquard

package guest

import (
	"os"
	_ "unsafe" // for linkname
)

// setHost is defined in the file that the overlay adds to package testing.
//
//go:linkname setHost testing.jqSetHost
func setHost(run func(name string, once func() (ok, skipped bool)) (ok bool), named, logged, failed func(text string), output func() (to *os.File, written func() string), explores func() bool)
