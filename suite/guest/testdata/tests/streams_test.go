package tests

import (
	"fmt"
	"os"
	"sync"
	"syscall"
	"testing"
)

// bystanders starts two goroutines that do nothing.
func bystanders() {
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() {})
	}
	wg.Wait()
}

func TestClosesStreams(t *testing.T) {
	bystanders()
	if err := os.Stdout.Close(); err != nil {
		t.Error(err)
	}
	if err := os.Stderr.Close(); err != nil {
		t.Error(err)
	}
}

func TestClosesDescriptors(t *testing.T) {
	bystanders()
	for fd := 1; fd <= 2; fd++ {
		if err := syscall.Close(fd); err != nil {
			t.Error(err)
		}
	}
}

func TestForgetsStreams(t *testing.T) {
	bystanders()
	if len(os.Args) == 0 || os.Stdin == nil {
		t.Error("somebody has forgotten them before")
	}
	os.Args, os.Stdin, os.Stdout, os.Stderr = nil, nil, nil, nil
}

func TestSeesStreams(t *testing.T) {
	bystanders()
	if len(os.Args) == 0 || os.Stdin == nil {
		t.Error("they are gone")
	}
	fmt.Println("seen")
	fmt.Fprintln(os.Stderr, "seen too")
}

func TestIsKilled(t *testing.T) {
	fmt.Println("its last words")
	if err := syscall.Kill(os.Getpid(), syscall.SIGKILL); err != nil {
		t.Error(err)
	}
	select {}
}

func TestIsShot(t *testing.T) {
	if err := syscall.Kill(os.Getpid(), syscall.SIGSEGV); err != nil {
		t.Error(err)
	}
	select {}
}
