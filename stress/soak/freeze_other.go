//go:build !(darwin || dragonfly || freebsd || linux || netbsd || openbsd)

package soak

// freeze and thaw are not available on this system, on which Run returns ErrUnsupported.
func (p *process) freeze() {}
func (p *process) thaw()   {}
