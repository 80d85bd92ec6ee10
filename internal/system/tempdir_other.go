//go:build !linux

package system

// TempBase returns "", the system's folder for temporary files.
func TempBase() string { return "" }

// samePath returns dir: on this system no path is the same in every
// process.
func samePath(dir string) (path string, closed func()) { return dir, func() {} }
