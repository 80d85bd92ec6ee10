package system

import (
	"net"
	"testing"
)

// Something is under way until the kernel reports it at the other end.
func TestUnderWay(t *testing.T) {
	a, b, listener := address{"127.0.0.1 1", 1}, address{"127.0.0.1 2", 2}, address{"127.0.0.1 9", 9}
	sender := func(state byte, sent uint64) socket { return socket{ends{a, b}, tcpInfo{state: state, sent: sent}} }
	reader := func(state byte, received uint64) socket {
		return socket{ends{b, a}, tcpInfo{state: state, received: received}}
	}
	client := socket{ends{a, listener}, tcpInfo{state: tcpEstablished}}
	listens := func(queued uint32) socket {
		return socket{ends{near: listener}, tcpInfo{state: tcpListens, queued: queued}}
	}
	for _, c := range []struct {
		name string
		all  []socket
		want bool
	}{
		{"all bytes have come", []socket{sender(tcpEstablished, 5), reader(tcpEstablished, 5)}, false},
		{"bytes have not", []socket{sender(tcpEstablished, 5), reader(tcpEstablished, 4)}, true},
		{"the end has not", []socket{sender(tcpEnding, 5), reader(tcpEstablished, 5)}, true},
		{"the end has come", []socket{sender(5, 5), reader(8, 6)}, false},
		{"nobody has the other end", []socket{reader(tcpEstablished, 0)}, false},
		{"a connection that is asked for", []socket{{ends{near: a}, tcpInfo{state: tcpConnecting}}}, true},
		{"a connection that the listener does not know", []socket{client, listens(0)}, true},
		{"a connection that it knows", []socket{client, listens(1)}, false},
		{"an accepted one", []socket{client, {ends{listener, a}, tcpInfo{state: tcpEstablished}}, listens(0)}, false},
	} {
		var traffic Traffic
		if got := traffic.underWay(c.all); got != c.want {
			t.Errorf("%s: got %t, want %t", c.name, got, c.want)
		}
	}
	var traffic Traffic
	if traffic.underWay([]socket{sender(tcpEstablished, 0), reader(tcpEstablished, 0)}); !traffic.underWay([]socket{reader(tcpEstablished, 0)}) {
		t.Error("got nothing under way, want the end that was sent by closing the other side")
	}
}

// The kernel counts what a connection has sent and received.
func TestTCPInfo(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	from, err := net.Dial("tcp", l.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer from.Close()
	to, err := l.Accept()
	if err != nil {
		t.Fatal(err)
	}
	defer to.Close()
	if _, err := from.Write([]byte("hello")); err != nil {
		t.Fatal(err)
	}
	if _, err := to.Read(make([]byte, 5)); err != nil {
		t.Fatal(err)
	}
	if sent, received := infoOf(t, from).sent, infoOf(t, to).received; sent != 5 || received != 5 {
		t.Errorf("got %d bytes sent and %d received, want 5 of each", sent, received)
	}
}

func infoOf(t *testing.T, c net.Conn) (info tcpInfo) {
	t.Helper()
	raw, err := c.(*net.TCPConn).SyscallConn()
	if err != nil {
		t.Fatal(err)
	}
	ok := false
	if err := raw.Control(func(fd uintptr) { info, ok = tcpInfoOf(int(fd)) }); err != nil || !ok {
		t.Fatalf("got %v, %t, want what the kernel says", err, ok)
	}
	return info
}
