package tests

import (
	"net"
	"os"
	"testing"
)

// TestListens leaves a listener behind. Only under go test it passes.
func TestListens(t *testing.T) {
	address := os.Getenv("LISTENS_AT")
	if address == "" {
		address = "127.0.0.1:0"
	}
	if _, err := net.Listen("tcp", address); err != nil {
		t.Fatal(err)
	}
	calledByGoTest(t)
}

// calledByGoTest fails under control.
func calledByGoTest(t *testing.T) {
	t.Helper()
	if os.Getenv("GOMAXPROCS") != "" {
		t.Fatal("under control")
	}
}
