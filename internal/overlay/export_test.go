package overlay

import "slices"

// Twice returns the edits that occur twice in the list.
func Twice() (all []string) {
	made := edits()
	for i, e := range made {
		if slices.Contains(made[:i], e) {
			all = append(all, e.file+": "+e.anchor)
		}
	}
	return all
}
