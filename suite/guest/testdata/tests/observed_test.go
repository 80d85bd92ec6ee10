package tests

import (
	"bytes"
	"crypto/tls"
	"encoding/gob"
	"io"
	"log"
	"os"
	"testing"
	"text/template"
)

// Each function here returns which of two calls came first. The standard library's locks order the calls.

func firstToEncode() (first int) {
	var b bytes.Buffer
	e := gob.NewEncoder(&b)
	pair(func(i int) { e.Encode(i) })
	gob.NewDecoder(&b).Decode(&first)
	return first
}

func firstToPut() int {
	c := tls.NewLRUClientSessionCache(1)
	pair(func(i int) { c.Put(string(rune('a'+i)), &tls.ClientSessionState{}) })
	if _, ok := c.Get("a"); ok {
		return 1
	}
	return 0
}

func firstToLook() (first int) {
	root := template.New("root")
	pair(func(i int) {
		if i == 0 {
			root.New("a").Parse("x")
		} else if root.Lookup("a") == nil {
			first = 1
		}
	})
	return first
}

func firstToWrite() int {
	r, w := io.Pipe()
	var b [2]byte
	done := make(chan bool)
	go func() {
		io.ReadFull(r, b[:])
		close(done)
	}()
	pair(func(i int) { w.Write([]byte{byte(i)}) })
	<-done
	return int(b[0])
}

// set is called from two places. Each is a call of Setenv of its own.
func set(value string) { os.Setenv("JACQUARD_OBSERVED", value) }

func firstToSet() (first int) {
	pair(func(i int) {
		if i == 0 {
			set("once")
			set("twice")
		} else if os.Getenv("JACQUARD_OBSERVED") == "once" {
			first = 1
		}
	})
	return first
}

// The compiler inlines both calls of Print.
func firstToLog() (first int) {
	var b bytes.Buffer
	l := log.New(&b, "", 0)
	pair(func(i int) {
		if i == 0 {
			l.Print("once")
			l.Print("twice")
		} else {
			l.SetPrefix("not ")
		}
	})
	if b.String() == "once\nnot twice\n" {
		first = 1
	}
	return first
}

func first(t *testing.T, got, want int) {
	if got != want {
		t.Errorf("%d came first, want %d", got, want)
	}
}

func TestOneEncodes(t *testing.T)   { first(t, firstToEncode(), 0) }
func TestOtherEncodes(t *testing.T) { first(t, firstToEncode(), 1) }
func TestOnePuts(t *testing.T)      { first(t, firstToPut(), 0) }
func TestOtherPuts(t *testing.T)    { first(t, firstToPut(), 1) }
func TestOneLooks(t *testing.T)     { first(t, firstToLook(), 0) }
func TestOtherLooks(t *testing.T)   { first(t, firstToLook(), 1) }
func TestOneWrites(t *testing.T)    { first(t, firstToWrite(), 0) }
func TestOtherWrites(t *testing.T)  { first(t, firstToWrite(), 1) }
func TestOneSets(t *testing.T)      { first(t, firstToSet(), 0) }
func TestOtherSets(t *testing.T)    { first(t, firstToSet(), 1) }
func TestOneLogs(t *testing.T)      { first(t, firstToLog(), 0) }
func TestOtherLogs(t *testing.T)    { first(t, firstToLog(), 1) }
