package cache_test

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/synctest"

	"github.com/jacquard-go/jacquard/cache"
)

var decimal = cache.KeyCodec[int]{Encode: strconv.Itoa, Decode: strconv.Atoi}

// instance is a cache on a bus.
func instance(t *testing.T, bus cache.Bus) (*cache.Cache[int, string], *cache.Member[int, string]) {
	t.Helper()
	c := open(t, cache.Config[int, string]{})
	return c, must[*cache.Member[int, string]](t)(cache.Join(c, bus, decimal))
}

func TestInvalidationReachesEveryMember(t *testing.T) {
	var bus cache.LocalBus
	a, memberA := instance(t, &bus)
	b, memberB := instance(t, &bus)
	for _, c := range []*cache.Cache[int, string]{a, b} {
		_ = c.Set(1, "one")
		_ = c.Set(2, "two")
	}
	must[any](t)(nil, memberA.Invalidate(t.Context(), 1))
	for i, c := range []*cache.Cache[int, string]{a, b} {
		_, one := c.Get(1)
		_, two := c.Get(2)
		if one || !two {
			t.Errorf("instance %d has 1: %v, 2: %v, want only 2", i, one, two)
		}
	}
	if memberA.Generation() != 1 || memberB.Generation() != 1 {
		t.Errorf("generations %d and %d, want 1", memberA.Generation(), memberB.Generation())
	}
	memberB.Leave()
	must[any](t)(nil, memberA.Invalidate(t.Context(), 2))
	if _, ok := b.Get(2); !ok || memberB.Generation() != 1 {
		t.Error("a message reached a member that had left")
	}
	if memberB.Fill(3, "old", memberB.Generation()) {
		t.Error("got a value filled in by a member that learns of no invalidation, want it refused")
	}
	must[any](t)(nil, memberB.Invalidate(t.Context(), 2))
	if v, ok := b.Get(2); ok {
		t.Errorf("got %v, which a member has invalidated after it had left, want nothing", v)
	}
}

// G11: a late fill, of any kind, can never bring back a value that was invalidated meanwhile.
func TestG11LateFill(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var bus cache.LocalBus
		a, memberA := instance(t, &bus)
		b, memberB := instance(t, &bus)

		// As a creation: it has read the old state before the invalidation, and delivers after it.
		g := newGate("old")
		g.deaf = true
		calls := 0
		waiter := ask(t.Context(), b, 1, func(ctx context.Context) (string, error) {
			if calls++; calls > 1 {
				return "new", nil
			}
			return g.create(ctx)
		})
		synctest.Wait()
		stamp, generation := b.Stamp(2), memberB.Generation()
		stampSet := b.Stamp(3)
		must[any](t)(nil, memberA.Invalidate(t.Context(), 1))
		must[any](t)(nil, memberA.Invalidate(t.Context(), 2))
		close(g.release)
		if got := <-waiter; got.v != "new" || got.err != nil {
			t.Errorf("the waiter got %v, %v, want the new state", got.v, got.err)
		}
		// As a fill with a stamp or a generation from before.
		if b.Fill(2, "old", stamp) || memberB.Fill(2, "old", generation) {
			t.Error("a late fill was accepted")
		}
		if !memberB.Fill(2, "new", memberB.Generation()) || memberB.Fill(2, "newer", memberB.Generation()) {
			t.Error("a fill in time must be accepted, once")
		}
		// A change in this instance counts as well.
		_ = b.Set(3, "set")
		b.Delete(3)
		if b.Fill(3, "old", stampSet) || b.Fill(3, "old", cache.Stamp{}) || !b.Fill(3, "new", b.Stamp(3)) {
			t.Error("the stamp does not follow changes in this instance")
		}
		// A fill does not interfere with a creation.
		g2 := newGate("created")
		w := ask(t.Context(), a, 9, g2.create)
		synctest.Wait()
		if a.Fill(9, "filled", a.Stamp(9)) {
			t.Error("filled over a creation")
		}
		close(g2.release)
		if got := <-w; got.v != "created" {
			t.Errorf("got %v, want the created value", got.v)
		}
	})
}

// A fill that races with the invalidation is either refused or undone.
func TestG11FillRace(t *testing.T) {
	c, m := instance(t, new(cache.LocalBus))
	for i := range 10_000 {
		stamp, generation := c.Stamp(i), m.Generation()
		var wg sync.WaitGroup
		wg.Go(func() { must[any](t)(nil, m.Invalidate(t.Context(), i)) })
		wg.Go(func() { c.Fill(i, "old", stamp) })
		wg.Go(func() { m.Fill(i, "old", generation) })
		wg.Wait()
		if v, ok := c.Get(i); ok {
			t.Fatalf("round %d: %q is back", i, v)
		}
	}
}

// fakeBus delivers the messages that the test chooses.
type fakeBus struct {
	err     error
	receive func(cache.Message)
}

func (b *fakeBus) Publish(context.Context, string) (uint64, error) { return 0, b.err }

func (b *fakeBus) Subscribe(receive func(cache.Message)) (func(), error) {
	b.receive = receive
	return func() {}, b.err
}

func TestLostMessages(t *testing.T) {
	for name, msg := range map[string]cache.Message{
		"the bus says so": {Generation: 5, All: true}, "an unreadable key": {Generation: 5, Key: "seven"},
	} {
		t.Run(name, func(t *testing.T) {
			bus := &fakeBus{}
			c, m := instance(t, bus)
			_ = c.Set(1, "one")
			stamp := c.Stamp(2)
			bus.receive(msg)
			if _, ok := c.Get(1); ok || c.Fill(2, "old", stamp) || m.Fill(2, "old", 4) {
				t.Error("something survived")
			}
			bus.receive(cache.Message{Generation: 3, Key: "2"}) // late: the generation must not go back
			if m.Generation() != 5 || !m.Fill(2, "new", 5) {
				t.Errorf("generation %d, or a fill in time was refused", m.Generation())
			}
		})
	}
}

func TestBusFailures(t *testing.T) {
	down := errors.New("down")
	bus := &fakeBus{}
	c, m := instance(t, bus)
	_ = c.Set(1, "one")
	bus.err = down
	if err := m.Invalidate(t.Context(), 1); !errors.Is(err, down) || !strings.Contains(err.Error(), "invalidation of 1") {
		t.Errorf("Invalidate gave %v, want the bus's error", err)
	}
	if _, ok := c.Get(1); ok {
		t.Error("the key is still valid here")
	}
	if _, err := cache.Join(c, bus, decimal); !errors.Is(err, down) {
		t.Errorf("Join gave %v, want the bus's error", err)
	}
	if _, err := cache.Join(c, nil, decimal); err == nil {
		t.Error("joined no bus")
	}
	if _, err := cache.Join(c, bus, cache.KeyCodec[int]{Encode: strconv.Itoa}); err == nil {
		t.Error("joined without a decoder")
	}
	if _, err := new(cache.LocalBus).Subscribe(nil); err == nil || !strings.Contains(err.Error(), "got no receiver") {
		t.Errorf("subscribed nothing: got %v, want an error", err)
	}
}

// A receiver may use the bus.
func TestReceiverMayPublish(t *testing.T) {
	var bus cache.LocalBus
	var got []string
	stop, _ := bus.Subscribe(func(m cache.Message) {
		got = append(got, fmt.Sprint(m.Key, " ", m.Generation))
		if m.Key == "1" {
			_, _ = bus.Publish(t.Context(), "2")
		}
	})
	_, _ = bus.Publish(t.Context(), "1")
	stop()
	_, _ = bus.Publish(t.Context(), "3")
	if fmt.Sprint(got) != "[1 1 2 2]" {
		t.Errorf("received %v", got)
	}
}

// A receiver that panics or ends the goroutine of Publish does not keep the message from the others.
func TestReceiversThatFail(t *testing.T) {
	for name, fail := range map[string]func(){"panics": func() { explode("torn") }, "ends the goroutine": vanish} {
		t.Run(name, func(t *testing.T) {
			var bus cache.LocalBus
			var got []string
			for _, receive := range []func(){fail, func() {}} {
				_, _ = bus.Subscribe(func(m cache.Message) {
					got = append(got, m.Key)
					receive()
				})
			}
			apart(func() {
				defer func() { _ = recover() }()
				_, _ = bus.Publish(t.Context(), "1")
				t.Error("got a return of Publish, want the receiver's end of it")
			})
			if len(got) != 2 {
				t.Errorf("got %d receivers told, want both", len(got))
			}
		})
	}
}

// A message that names no key is not decoded.
func TestNothingToDecode(t *testing.T) {
	bus := &fakeBus{}
	c := open(t, cache.Config[byte, string]{})
	_ = c.Set('k', "one")
	first := cache.KeyCodec[byte]{Encode: func(b byte) string { return string(rune(b)) }, Decode: func(s string) (byte, error) { return s[0], nil }}
	must[*cache.Member[byte, string]](t)(cache.Join(c, bus, first))
	bus.receive(cache.Message{Generation: 1, All: true})
	if _, ok := c.Get('k'); ok {
		t.Error("got a value after everything was invalidated, want none")
	}
}
