package schedule

import "slices"

// With returns an ascending set of goroutines with or without one.
func With(set []uint32, id uint32, is bool) []uint32 {
	if n := len(set); n == 0 || set[n-1] < id {
		if is {
			set = append(set, id)
		}
		return set
	}
	at, was := Place(set, id)
	switch {
	case is && !was:
		return slices.Insert(set, at, id)
	case was && !is:
		return slices.Delete(set, at, at+1)
	}
	return set
}

// Place returns the index of a goroutine in an ascending set, or where it belongs. Most sets are small.
func Place(set []uint32, id uint32) (at int, is bool) {
	if len(set) > 16 {
		return slices.BinarySearch(set, id)
	}
	for at < len(set) && set[at] < id {
		at++
	}
	return at, at < len(set) && set[at] == id
}
