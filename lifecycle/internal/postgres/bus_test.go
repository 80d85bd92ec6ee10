package postgres_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/jacquard-go/jacquard/cache"
	"github.com/jacquard-go/jacquard/lifecycle/internal/engine"
	"github.com/jacquard-go/jacquard/lifecycle/internal/faults"
	"github.com/jacquard-go/jacquard/lifecycle/internal/postgres"
	"github.com/jacquard-go/jacquard/lifecycle/internal/schema"
	"github.com/jacquard-go/jacquard/lifecycle/internal/storetest"
)

func TestMain(m *testing.M) { storetest.Main(m) }

func check(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// patience limits waits. It is far more than a busy machine needs.
const patience = 10 * time.Minute

// newBus returns a bus with an engine of its own, as in another process.
func newBus(t *testing.T, url, topic string) *postgres.Bus {
	t.Helper()
	ctx := context.Background()
	engine, err := storetest.Engines(t).Engine(ctx, url)
	check(t, err)
	b, err := postgres.NewPatientBus(ctx, engine, postgres.BusConfig{Topic: topic, Heartbeat: 50 * time.Millisecond})
	check(t, err)
	t.Cleanup(func() { _ = b.Close() })
	return b
}

// inbox returns the messages that a bus delivers.
func inbox(t *testing.T, b *postgres.Bus) <-chan cache.Message {
	t.Helper()
	messages := make(chan cache.Message, 1000)
	_, err := b.Subscribe(func(m cache.Message) { messages <- m })
	check(t, err)
	return messages
}

// until returns all messages up to the first wanted one.
func until(t *testing.T, messages <-chan cache.Message, want func(cache.Message) bool) []cache.Message {
	t.Helper()
	late := time.After(patience)
	for all := []cache.Message(nil); ; {
		select {
		case m := <-messages:
			if all = append(all, m); want(m) {
				return all
			}
		case <-late:
			t.Fatalf("got %v, want another message", all)
		}
	}
}

func publish(t *testing.T, b *postgres.Bus, key string) uint64 {
	t.Helper()
	generation, err := b.Publish(context.Background(), key)
	check(t, err)
	return generation
}

// Publish reaches local receivers before it returns and others soon, but none of
// another topic. Keys are arbitrary, and generations increase.
func TestBus(t *testing.T) {
	url := storetest.PostgresURL(t)
	a, b, other := newBus(t, url, "plans"), newBus(t, url, "plans"), newBus(t, url, "actions")
	here, there, elsewhere := inbox(t, a), inbox(t, b), inbox(t, other)
	last := uint64(0)
	for _, key := range []string{"a", "", "with space *", "\x00\xff'", strings.Repeat("k", 5900)} {
		generation := publish(t, a, key)
		if generation <= last {
			t.Errorf("got generation %d after %d, want a greater one", generation, last)
		}
		last = generation
		want := cache.Message{Generation: generation, Key: key}
		if m := <-here; m != want {
			t.Errorf("got %v here, want %v before Publish returned", m, want)
		}
		until(t, there, func(m cache.Message) bool { return m == want })
		until(t, here, func(m cache.Message) bool { return m == want }) // again from the server
	}
	generation := publish(t, a, strings.Repeat("k", 5901))
	until(t, there, func(m cache.Message) bool { return m == cache.Message{Generation: generation, All: true} })
	publish(t, other, "end")
	if got := until(t, elsewhere, func(m cache.Message) bool { return m.Key == "end" }); len(got) != 1 {
		t.Errorf("got %v, want nothing of another topic", got)
	}
}

// A message that cannot be read may concern any key.
func TestBusOddMessage(t *testing.T) {
	url := storetest.PostgresURL(t)
	messages := inbox(t, newBus(t, url, "plans"))
	storetest.WithPostgres(t, url, func(conn *pgx.Conn) {
		for _, payload := range []string{"", "x YQ", "7 !", "8"} {
			_, err := conn.Exec(context.Background(), "SELECT pg_notify('jacquard_plans', $1)", payload)
			check(t, err)
		}
	})
	got := until(t, messages, func(m cache.Message) bool { return m.Generation == 8 })
	if len(got) != 4 || slices.ContainsFunc(got[:3], func(m cache.Message) bool { return !m.All }) {
		t.Errorf("got %v, want all keys, three times", got)
	}
}

// A receiver that loses its connection declares everything out of date, at once
// and after it is back, up to the newest generation. Later messages arrive.
func TestBusConnectionCut(t *testing.T) {
	ctx := context.Background()
	url := storetest.PostgresURL(t)
	a, b := newBus(t, url, "plans"), newBus(t, url, "plans")
	messages := inbox(t, b)
	publish(t, a, "before")
	until(t, messages, func(m cache.Message) bool { return m.Key == "before" })
	storetest.WithPostgres(t, url, func(conn *pgx.Conn) {
		_, err := conn.Exec(ctx, `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
			WHERE datname = current_database() AND pid <> pg_backend_pid()`)
		check(t, err)
	})
	missed := publish(t, a, "perhaps missed")
	until(t, messages, func(m cache.Message) bool { return m.All })
	until(t, messages, func(m cache.Message) bool { return m.Generation >= missed })
	after := publish(t, a, "after")
	until(t, messages, func(m cache.Message) bool { return m.Generation == after })
}

// Caches of two processes share a bus. What one invalidates, the other loads
// again. A stale fill is refused.
func TestBusBetweenCaches(t *testing.T) {
	ctx := context.Background()
	url := storetest.PostgresURL(t)
	text := cache.KeyCodec[string]{
		Encode: func(s string) string { return s },
		Decode: func(s string) (string, error) { return s, nil },
	}
	join := func(b *postgres.Bus) (*cache.Cache[string, int], *cache.Member[string, int]) {
		c, err := cache.New(cache.Config[string, int]{})
		check(t, err)
		m, err := cache.Join(c, b, text)
		check(t, err)
		return c, m
	}
	mine, here := join(newBus(t, url, "plans"))
	bus := newBus(t, url, "plans")
	theirs, there := join(bus)
	messages := inbox(t, bus)
	check(t, mine.Set("plan", 1))
	check(t, theirs.Set("plan", 1))
	read := there.Generation()
	check(t, here.Invalidate(ctx, "plan"))
	if _, ok := mine.Get("plan"); ok {
		t.Error("got an invalidated value served here, want it loaded again")
	}
	until(t, messages, func(m cache.Message) bool { return m.Key == "plan" })
	if _, ok := theirs.Get("plan"); ok {
		t.Error("got an invalidated value served there, want it loaded again")
	}
	if there.Fill("plan", 1, read) {
		t.Error("got a fill after the invalidation with a value from before it, want it refused")
	}
}

func TestBusBadInput(t *testing.T) {
	ctx := context.Background()
	server, err := storetest.Engines(t).Engine(ctx, storetest.PostgresURL(t))
	check(t, err)
	file, err := storetest.Engines(t).Engine(ctx, storetest.FileURL(t))
	check(t, err)
	away, err := storetest.Engines(t).Engine(ctx, storetest.PostgresURL(t))
	check(t, err)
	check(t, away.Close())
	if _, err := postgres.NewBus(ctx, away, postgres.BusConfig{Topic: "plans"}); !errors.Is(err, faults.ErrClosed) {
		t.Errorf("got %v, want ErrClosed", err)
	}
	for _, bad := range []struct {
		engine *engine.Engine
		cfg    postgres.BusConfig
	}{
		{file, postgres.BusConfig{Topic: "plans"}},
		{server, postgres.BusConfig{}},
		{server, postgres.BusConfig{Topic: `a"; DROP TABLE plans`}},
		{server, postgres.BusConfig{Topic: strings.Repeat("a", 41)}},
		{server, postgres.BusConfig{Topic: "plans", Heartbeat: -1}},
	} {
		if _, err := postgres.NewBus(ctx, bad.engine, bad.cfg); !errors.Is(err, faults.ErrInvalid) {
			t.Errorf("%+v: got %v, want ErrInvalid", bad.cfg, err)
		}
	}
}

func TestClosedBus(t *testing.T) {
	b := newBus(t, storetest.PostgresURL(t), "plans")
	messages := inbox(t, b)
	check(t, b.Close())
	_, err1 := b.Publish(context.Background(), "a")
	_, err2 := b.Subscribe(func(cache.Message) {})
	for _, err := range []error{err1, err2, b.Close()} {
		if !errors.Is(err, faults.ErrClosed) {
			t.Errorf("got %v, want ErrClosed", err)
		}
	}
	if len(messages) != 0 {
		t.Errorf("got %d messages, want none", len(messages))
	}
}

// A subscriber that has stopped gets no further messages.
func TestBusStop(t *testing.T) {
	b := newBus(t, storetest.PostgresURL(t), "plans")
	heard := 0
	_, err := b.Subscribe(nil)
	wants(t, "no receiver", err, faults.ErrInvalid)
	stop, err := b.Subscribe(func(cache.Message) { heard++ })
	check(t, err)
	stop()
	messages := inbox(t, b)
	publish(t, b, "a")
	until(t, messages, func(m cache.Message) bool { return m.Key == "a" })
	if heard != 0 {
		t.Errorf("got %d messages after the stop, want none", heard)
	}
}

// A silent connection is tested, and kept.
func TestBusHeartbeat(t *testing.T) {
	ctx := context.Background()
	url := storetest.PostgresURL(t)
	b := newBus(t, url, "plans")
	messages := inbox(t, b)
	storetest.WithPostgres(t, url, func(conn *pgx.Conn) {
		for pings := 0; pings == 0; {
			check(t, conn.QueryRow(ctx, `SELECT count(*) FROM pg_stat_activity
				WHERE datname = current_database() AND query LIKE '%ping%' AND pid <> pg_backend_pid()`).Scan(&pings))
		}
	})
	publish(t, b, "a")
	if got := until(t, messages, func(m cache.Message) bool { return m.Key == "a" }); len(got) != 1 {
		t.Errorf("got %v, want one message and no loss", got)
	}
}

// While the server is away publishing fails. Afterwards the bus works.
func TestBusServerRestart(t *testing.T) {
	ctx := context.Background()
	server := storetest.OwnServer(t)
	engines, err := engine.New(engine.Config{BusyTimeout: -1}, schema.Open)
	check(t, err)
	t.Cleanup(func() { _ = engines.Close() })
	engine, err := engines.Engine(ctx, storetest.PostgresURL(t))
	check(t, err)
	b, err := postgres.NewBus(ctx, engine, postgres.BusConfig{Topic: "plans"})
	check(t, err)
	defer b.Close()
	messages := inbox(t, b)
	given, err := postgres.NewBus(ctx, engine, postgres.BusConfig{Topic: "plans"})
	check(t, err)
	last := inbox(t, given)
	check(t, server.Stop())
	until(t, messages, func(m cache.Message) bool { return m.All })
	until(t, last, func(m cache.Message) bool { return m.All })
	check(t, given.Close()) // it stops looking for a connection
	if _, err := b.Publish(ctx, "a"); !errors.Is(err, faults.ErrUnavailable) {
		t.Errorf("got %v, want ErrUnavailable", err)
	}
	if _, err := postgres.NewBus(ctx, engine, postgres.BusConfig{Topic: "plans"}); !errors.Is(err, faults.ErrUnavailable) {
		t.Errorf("got %v, want ErrUnavailable", err)
	}
	check(t, server.Start(ctx))
	until(t, messages, func(m cache.Message) bool { return m.All })
	for err := error(faults.ErrUnavailable); err != nil; _, err = b.Publish(ctx, "b") {
		if !errors.Is(err, faults.ErrUnavailable) {
			t.Fatalf("got %v, want success, or ErrUnavailable until then", err)
		}
	}
}
