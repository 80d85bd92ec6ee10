//go:build !unix

package scratch

import "os"

// claim makes a folder for this process only.
func claim(dir string) (free func(), err error) {
	if err := os.Mkdir(dir, 0o700); os.IsExist(err) {
		return nil, errTaken
	} else if err != nil {
		return nil, err
	}
	return func() {}, nil
}
