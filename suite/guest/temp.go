package guest

import (
	"os"
	"path/filepath"
)

// A temp is the folder for temporary files of an item's schedules. It is empty for the first
// schedule; later ones find what the first one left, because packages may keep files that they make
// once for the life of the process, such as a program that tests run. Its permissions are those of
// its parent folder. In a worker it is the folder of the process that it works for, which manages
// it.
type temp struct {
	dir  string
	ours bool
	kept map[string]bool
}

func newTemp(dir string, worker bool) (*temp, error) {
	t := &temp{dir: dir, ours: !worker}
	if worker {
		return t, nil
	}
	if err := os.Mkdir(dir, 0o700); err != nil && !os.IsExist(err) {
		return nil, err
	}
	around, err := os.Stat(filepath.Dir(dir))
	if err != nil {
		return nil, err
	}
	if err := os.Chmod(dir, around.Mode()&(os.ModePerm|os.ModeSticky)); err != nil {
		return nil, err
	}
	t.clear()
	return t, nil
}

// prepare is called before each schedule, with the number of schedules run.
func (t *temp) prepare(runs int) {
	if runs == 1 {
		t.keep()
	}
	t.clear()
}

// keep records the present files as those to keep.
func (t *temp) keep() {
	t.kept = make(map[string]bool)
	entries, _ := os.ReadDir(t.dir) // files that cannot be listed cannot be removed
	for _, e := range entries {
		t.kept[e.Name()] = true
	}
}

// clear removes the other files.
func (t *temp) clear() {
	if !t.ours {
		return
	}
	entries, _ := os.ReadDir(t.dir) // files that cannot be listed cannot be removed
	for _, e := range entries {
		if !t.kept[e.Name()] {
			_ = os.RemoveAll(filepath.Join(t.dir, e.Name())) // the rest is removed at the end, if possible
		}
	}
}

func (t *temp) remove() {
	if t.ours {
		_ = os.RemoveAll(t.dir) // temporary
	}
}
