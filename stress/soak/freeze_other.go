//go:build !(darwin || dragonfly || freebsd || linux || netbsd || openbsd)

package soak

// freeze and thaw are not to be had here, where nothing is soaked.
func (p *process) freeze() {}
func (p *process) thaw()   {}
