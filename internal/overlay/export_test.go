package overlay

import "slices"

// Twice lists the edits that are made twice.
func Twice() (all []string) {
	for i, e := range edits() {
		if slices.Contains(edits()[:i], e) {
			all = append(all, e.file+": "+e.anchor)
		}
	}
	return all
}
