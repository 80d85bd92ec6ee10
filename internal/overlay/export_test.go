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

// Anchors returns the anchors that a release must have, by file.
func Anchors(tc Toolchain) (map[string][]string, error) {
	p, err := newPatches(tc)
	if err != nil {
		return nil, err
	}
	all := make(map[string][]string)
	for name, edits := range p.edits {
		for _, e := range edits {
			if !e.maybe {
				all[name] = append(all[name], e.anchor)
			}
		}
	}
	return all, nil
}
