package guest

import (
	"os"
	"path/filepath"
)

// A temp is the folder for temporary files of an item's schedules. It is empty
// for the first; for the others it has in it what the first one left: packages
// may keep what they make once, such as a program that tests run, as long as
// the process lasts. It is as open to others as the folder that it is in. In a
// worker it is the folder of the process that it works for, which sees to it.
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

// prepare is called before each schedule, with how many have been run.
func (t *temp) prepare(runs int) {
	if runs == 1 {
		t.keep()
	}
	t.clear()
}

// keep takes what is there for what stays.
func (t *temp) keep() {
	t.kept = make(map[string]bool)
	entries, _ := os.ReadDir(t.dir) // what cannot be read cannot be removed
	for _, e := range entries {
		t.kept[e.Name()] = true
	}
}

// clear removes what a schedule has left.
func (t *temp) clear() {
	if !t.ours {
		return
	}
	entries, _ := os.ReadDir(t.dir) // what cannot be read cannot be removed
	for _, e := range entries {
		if !t.kept[e.Name()] {
			_ = os.RemoveAll(filepath.Join(t.dir, e.Name())) // what is left is removed in the end, if it can be
		}
	}
}

func (t *temp) remove() {
	if t.ours {
		_ = os.RemoveAll(t.dir) // it is temporary
	}
}
