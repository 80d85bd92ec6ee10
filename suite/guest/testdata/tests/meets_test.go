package tests

import (
	"testing"
	"time"
)

var met = make(chan int)

// TestMeetsOne and TestMeetsOther are parallel, and each waits for the other.
func TestMeetsOne(t *testing.T) {
	t.Parallel()
	select {
	case met <- 1:
	case <-time.After(time.Second):
		t.Error("nobody came")
	}
}

func TestMeetsOther(t *testing.T) {
	t.Parallel()
	<-met
}
