//go:build unix

package explore

import (
	"net/netip"
	"strconv"
	"syscall"
)

// maxPeers bounds the descriptors that are looked at.
const maxPeers = 4096

// peered reports whether what a descriptor waits for can only come from a
// member: the other end of the connection or pipe has been opened by one. A
// listener waits for members alone. opened says which descriptors are theirs.
func peered(fd int, opened func(uintptr) bool) bool {
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
// not accepted it yet.
func (e ends) meets(other int) bool {
	if theirs, err := endsOf(other); err == nil {
		return theirs.near == e.far && theirs.far == e.near
	}
	near, err := syscall.Getsockname(other)
	if err != nil || !listens(other) {
		return false
	}
	at := addressOf(near)
	return at == e.far || at.port != 0 && at.port == e.far.port
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

// foreignPipe reports whether a descriptor is a pipe's of which no member has the
// other end.
func foreignPipe(fd int, opened func(uintptr) bool) bool {
	return samePipe(fd, fd) && !peered(fd, opened)
}

// samePipe reports whether two descriptors are of one pipe.
func samePipe(a, b int) bool {
	var x, y syscall.Stat_t
	if syscall.Fstat(a, &x) != nil || syscall.Fstat(b, &y) != nil {
		return false
	}
	return x.Mode&syscall.S_IFMT == syscall.S_IFIFO && x.Dev == y.Dev && x.Ino == y.Ino
}
