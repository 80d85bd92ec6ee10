package finals

import (
	"fmt"
	"reflect"
	"strings"
	"sync"
	"sync/atomic"
	"text/template"

	"github.com/jacquard-go/jacquard/explore"
)

// Reflected returns programs that use channels and other objects through package reflect.
func Reflected() []Final {
	of := reflect.ValueOf
	recv := func(ch reflect.Value) reflect.SelectCase {
		return reflect.SelectCase{Dir: reflect.SelectRecv, Chan: ch}
	}
	send := func(ch reflect.Value, v int) reflect.SelectCase {
		return reflect.SelectCase{Dir: reflect.SelectSend, Chan: ch, Send: of(v)}
	}
	none := reflect.SelectCase{Dir: reflect.SelectDefault}
	return []Final{
		{"select of two that are ready", func(t *explore.T, say func(func() string)) {
			a, b := make(chan int, 1), make(chan int, 1)
			a <- 1
			b <- 2
			Side(t, say, func() string {
				i, v, _ := reflect.Select([]reflect.SelectCase{recv(of(a)), recv(of(b))})
				return fmt.Sprint(i, v)
			})
		}},
		{"select of a send and a receive", func(t *explore.T, say func(func() string)) {
			a, b := make(chan int, 1), make(chan int, 1)
			b <- 2
			Side(t, say, func() string {
				i, _, _ := reflect.Select([]reflect.SelectCase{send(of(a), 1), recv(of(b))})
				return fmt.Sprint(i)
			})
		}},
		{"select with a default", func(t *explore.T, say func(func() string)) {
			a := make(chan int, 1)
			Side(t, say, func() string {
				i, _, _ := reflect.Select([]reflect.SelectCase{recv(of(a)), none})
				return fmt.Sprint(i)
			}, func() string { a <- 1; return "" })
		}},
		{"select that waits", func(t *explore.T, say func(func() string)) {
			a, b := make(chan int), make(chan int)
			Side(t, say, func() string {
				i, _, _ := reflect.Select([]reflect.SelectCase{recv(of(a)), recv(of(b))})
				return fmt.Sprint(i)
			}, func() string { close(a); return "" }, func() string { close(b); return "" })
		}},
		{"two that send", func(t *explore.T, say func(func() string)) {
			ch := make(chan int, 2)
			Side(t, say, func() string { of(ch).Send(of(1)); return "" }, func() string { of(ch).Send(of(2)); return fmt.Sprint(<-ch) })
		}},
		{"two that receive", func(t *explore.T, say func(func() string)) {
			ch := make(chan int, 2)
			ch <- 1
			ch <- 2
			get := func() string { v, _ := of(ch).Recv(); return fmt.Sprint(v) }
			Side(t, say, get, get)
		}},
		{"a try to send", func(t *explore.T, say func(func() string)) {
			ch := make(chan int, 1)
			Side(t, say, func() string { return fmt.Sprint(of(ch).TrySend(of(1))) }, func() string { ch <- 2; return "" }, func() string { <-ch; return "" })
		}},
		{"a try to receive", func(t *explore.T, say func(func() string)) {
			ch := make(chan int, 1)
			Side(t, say, func() string { _, ok := of(ch).TryRecv(); return fmt.Sprint(ok) }, func() string { ch <- 2; return "" })
		}},
		{"a length", func(t *explore.T, say func(func() string)) {
			ch := make(chan int, 1)
			Side(t, say, func() string { return fmt.Sprint(of(ch).Len()) }, func() string { ch <- 2; return "" })
		}},
		{"a close", func(t *explore.T, say func(func() string)) {
			ch := make(chan int, 1)
			Side(t, say, func() string { of(ch).Close(); return "" }, func() string { return panics(func() { ch <- 1 }) })
		}},
		{"two that close", func(t *explore.T, say func(func() string)) {
			ch := make(chan int, 1)
			end := func() string { return panics(func() { of(ch).Close() }) }
			Side(t, say, end, end)
		}},
		{"a variable by its methods", func(t *explore.T, say func(func() string)) {
			var x atomic.Int64
			load, store := of(&x).MethodByName("Load"), of(&x).MethodByName("Store")
			Side(t, say, func() string {
				n := load.Call(nil)[0].Int()
				store.Call([]reflect.Value{of(n + 1)})
				return fmt.Sprint(n)
			}, func() string { return fmt.Sprint(x.Swap(5)) })
		}},
		{"a lock by its methods", func(t *explore.T, say func(func() string)) {
			var mu sync.Mutex
			n := 0
			lock, unlock := of(&mu).MethodByName("Lock").Interface().(func()), of(&mu).MethodByName("Unlock").Interface().(func())
			count := func() string { lock(); defer unlock(); n++; return fmt.Sprint(n) }
			Side(t, say, count, count)
		}},
		{"a template that goes through a channel", func(t *explore.T, say func(func() string)) {
			ch := make(chan int, 2)
			ch <- 1
			ch <- 2
			close(ch)
			page := template.Must(template.New("").Parse("{{range .}}{{.}}{{end}}"))
			Side(t, say, func() string {
				var b strings.Builder
				if err := page.Execute(&b, ch); err != nil {
					return err.Error()
				}
				return b.String()
			}, func() string { return fmt.Sprint(<-ch) })
		}},
	}
}
