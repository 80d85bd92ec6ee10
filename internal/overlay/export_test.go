package overlay

import "slices"

// Twice lists the edits that are made twice.
func Twice() (all []string) {
	made := edits()
	for i, e := range made {
		if slices.Contains(made[:i], e) {
			all = append(all, e.file+": "+e.anchor)
		}
	}
	return all
}
