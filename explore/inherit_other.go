//go:build !unix

package explore

// keepFromChildren does nothing: without the descriptors of Unix there are no
// workers.
func keepFromChildren(int) {}
