//go:build !linux

package system

// TempBase is the system's folder for temporary files.
func TempBase() string { return "" }

// samePath returns dir: there is no path here that is the same in every
// process.
func samePath(dir string) (path string, closed func()) { return dir, func() {} }
