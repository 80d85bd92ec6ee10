//go:build !linux

package guest

// descriptors are not known here, and stay as they are.
func descriptors() map[int]string { return nil }

func letGo(map[int]string) (hungUp bool, err error) { return false, nil }
