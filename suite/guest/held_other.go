//go:build !linux

package guest

// descriptors are not known on this system, and are left alone.
func descriptors() map[int]string { return nil }

func letGo(map[int]string) (hungUp bool, err error) { return false, nil }
