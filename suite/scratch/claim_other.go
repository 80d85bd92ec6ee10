//go:build !unix

package scratch

import "os"

// claim makes a folder that is this process's alone.
func claim(dir string) (free func(), err error) {
	if err := os.Mkdir(dir, 0o700); os.IsExist(err) {
		return nil, errTaken
	} else if err != nil {
		return nil, err
	}
	return func() {}, nil
}
