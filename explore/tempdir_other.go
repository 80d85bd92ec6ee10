//go:build !linux

package explore

// tempBase is the system's folder for temporary files.
func tempBase() string { return "" }

// samePath returns dir: there is no path here that is the same in every
// process.
func samePath(dir string) (path string, closed func()) { return dir, func() {} }
