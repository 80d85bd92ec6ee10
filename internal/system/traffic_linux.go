package system

import (
	"encoding/binary"
	"slices"
	"syscall"
	"unsafe"
)

// Traffic tracks what tasks send to one another over TCP. The zero value is ready.
type Traffic struct {
	known map[ends]bool // ends of connections that have been seen
}

// UnderWay reports whether something that tasks have sent to one another is still
// under way in the operating system: bytes, a connection, or the end of one. opened
// reports whether a task opened a descriptor. Other connections are not known.
func (t *Traffic) UnderWay(opened func(uintptr) bool) bool {
	var all []socket
	for fd := range maxPeers {
		if opened(uintptr(fd)) {
			if s, ok := socketOf(fd); ok {
				all = append(all, s)
			}
		}
	}
	return t.underWay(all)
}

func (t *Traffic) underWay(all []socket) bool {
	if t.known == nil {
		t.known = make(map[ends]bool)
	}
	for _, s := range all {
		t.known[s.ends] = true
	}
	return slices.ContainsFunc(all, func(s socket) bool { return t.expects(s, all) })
}

// A socket is the kernel's information about a TCP socket.
type socket struct {
	ends
	tcp tcpInfo
}

// tcpInfo is the part of the kernel's struct tcp_info that is used here; see tcp(7).
type tcpInfo struct {
	state    byte
	queued   uint32 // of a listener: connections that are not accepted yet
	sent     uint64 // bytes, without retransmissions
	received uint64
}

// States of TCP, as the kernel numbers them.
const (
	tcpEstablished = 1
	tcpConnecting  = 2
	tcpEnding      = 4 // FIN_WAIT1: its end is sent and not acknowledged yet
	tcpListens     = 10
)

func socketOf(fd int) (s socket, ok bool) {
	if s.tcp, ok = tcpInfoOf(fd); !ok {
		return s, false
	}
	if near, err := syscall.Getsockname(fd); err == nil {
		s.near = addressOf(near)
	}
	if far, err := syscall.Getpeername(fd); err == nil {
		s.far = addressOf(far)
	}
	return s, true
}

func tcpInfoOf(fd int) (tcpInfo, bool) {
	var raw [224]byte
	size := uint32(len(raw))
	_, _, errno := syscall.RawSyscall6(syscall.SYS_GETSOCKOPT, uintptr(fd), syscall.IPPROTO_TCP, syscall.TCP_INFO, uintptr(unsafe.Pointer(&raw)), uintptr(unsafe.Pointer(&size)), 0)
	if errno != 0 || size < 216 {
		return tcpInfo{}, false
	}
	u64 := func(at int) uint64 { return binary.NativeEndian.Uint64(raw[at:]) }
	return tcpInfo{state: raw[0], queued: binary.NativeEndian.Uint32(raw[24:]), received: u64(128), sent: u64(200) - u64(208)}, true
}

// expects reports whether something is under way to a socket; all are the open ones.
func (t *Traffic) expects(s socket, all []socket) bool {
	switch s.tcp.state {
	case tcpConnecting:
		return true
	case tcpListens:
		return s.tcp.queued < calling(s, all)
	case tcpEstablished:
		if i := slices.IndexFunc(all, s.isPeer); i >= 0 {
			return all[i].tcp.sent > s.tcp.received || all[i].tcp.state == tcpEnding
		}
		return t.known[ends{near: s.far, far: s.near}] // its other end was closed
	}
	return false
}

// isPeer reports whether two sockets are the ends of one connection.
func (s socket) isPeer(other socket) bool { return s.faces(other.ends) }

// calling counts the sockets whose connection to a listener is not accepted yet.
func calling(listener socket, all []socket) (n uint32) {
	for _, s := range all {
		waits := s.tcp.state != tcpListens && s.calls(listener.near) && !slices.ContainsFunc(all, s.isPeer)
		if waits || s.tcp.state == tcpConnecting {
			n++
		}
	}
	return n
}
