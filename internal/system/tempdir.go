package system

import (
	"fmt"
	"os"
	"path/filepath"
)

// A TempRoot holds the directories of one exploration's executions.
type TempRoot struct {
	real  string // its path; "" until the first directory is needed
	shown string // a path to it that is the same in every process, if there is one
	close func()
	n     int // number of directories of this execution
}

// Next makes the execution's next directory.
func (r *TempRoot) Next() (string, error) {
	if r.real == "" {
		if err := r.make(); err != nil {
			return "", err
		}
	}
	r.n++
	dir := filepath.Join(r.shown, fmt.Sprint(r.n))
	return dir, os.Mkdir(dir, 0o777)
}

func (r *TempRoot) make() error {
	dir, err := os.MkdirTemp(TempBase(), "jacquard-")
	if err != nil {
		return err
	}
	r.real = dir
	r.shown, r.close = samePath(dir)
	return nil
}

// Clear removes the directories of an execution.
func (r *TempRoot) Clear() {
	for ; r.n > 0; r.n-- {
		_ = os.RemoveAll(filepath.Join(r.real, fmt.Sprint(r.n))) // Remove removes the rest
	}
}

// Remove removes all directories.
func (r *TempRoot) Remove() {
	if r.real != "" {
		r.close()
		_ = os.RemoveAll(r.real) // on an error it stays in the system's folder for temporary files
	}
}
