//go:build unix

package system

import (
	"net/netip"
	"strconv"
	"syscall"
)

// maxPeers bounds the descriptors that are examined.
const maxPeers = 4096

// Peered reports whether what a descriptor waits for can only come from a
// task: a task opened the other end of the connection or pipe. A
// listener is taken to wait only for tasks. opened reports whether a task opened a descriptor.
func Peered(fd int, opened func(uintptr) bool) bool {
	if !opened(uintptr(fd)) {
		return false
	}
	var same func(other int) bool
	own, err := endsOf(fd)
	switch {
	case err == syscall.ENOTSOCK:
		same = func(other int) bool { return other != fd && samePipe(fd, other) }
	case err != nil:
		kind, _ := syscall.GetsockoptInt(fd, syscall.SOL_SOCKET, syscall.SO_TYPE)
		return kind == syscall.SOCK_DGRAM || listens(fd)
	default:
		same = func(other int) bool { return other != fd && own.meets(other) }
	}
	for other := range maxPeers {
		if opened(uintptr(other)) && same(other) {
			return true
		}
	}
	return false
}

// ends are the addresses of a connection's two ends.
type ends struct{ near, far address }

type address struct {
	text string
	port int // 0 if it has none
}

func endsOf(fd int) (e ends, err error) {
	far, err := syscall.Getpeername(fd)
	if err != nil {
		return e, err
	}
	near, err := syscall.Getsockname(fd)
	return ends{near: addressOf(near), far: addressOf(far)}, err
}

// meets reports whether a descriptor is the other end, or a listener that has
// not accepted the connection yet.
func (e ends) meets(other int) bool {
	if theirs, err := endsOf(other); err == nil {
		return e.faces(theirs)
	}
	near, err := syscall.Getsockname(other)
	if err != nil || !listens(other) {
		return false
	}
	return e.calls(addressOf(near))
}

// faces reports whether e and other belong to the two ends of one connection.
func (e ends) faces(other ends) bool { return other.near == e.far && other.far == e.near }

// calls reports whether the far end has a listener's address.
func (e ends) calls(listener address) bool {
	return listener == e.far || listener.port != 0 && listener.port == e.far.port
}

func listens(fd int) bool {
	on, err := syscall.GetsockoptInt(fd, syscall.SOL_SOCKET, syscall.SO_ACCEPTCONN)
	return err == nil && on != 0
}

func addressOf(sa syscall.Sockaddr) address {
	switch sa := sa.(type) {
	case *syscall.SockaddrInet4:
		return address{text: netip.AddrFrom4(sa.Addr).String() + " " + strconv.Itoa(sa.Port), port: sa.Port}
	case *syscall.SockaddrInet6:
		return address{text: netip.AddrFrom16(sa.Addr).Unmap().String() + " " + strconv.Itoa(sa.Port), port: sa.Port}
	case *syscall.SockaddrUnix:
		return address{text: "unix " + sa.Name}
	}
	return address{text: "?"}
}

// ForeignPipe reports whether a descriptor is one end of a pipe whose other end no
// task has.
func ForeignPipe(fd int, opened func(uintptr) bool) bool {
	return samePipe(fd, fd) && !Peered(fd, opened)
}

// samePipe reports whether two descriptors belong to one pipe.
func samePipe(a, b int) bool {
	var x, y syscall.Stat_t
	if syscall.Fstat(a, &x) != nil || syscall.Fstat(b, &y) != nil {
		return false
	}
	return x.Mode&syscall.S_IFMT == syscall.S_IFIFO && x.Dev == y.Dev && x.Ino == y.Ino
}
