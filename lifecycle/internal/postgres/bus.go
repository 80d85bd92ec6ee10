package postgres

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"log/slog"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"github.com/jacquard-go/jacquard/cache"
	"github.com/jacquard-go/jacquard/lifecycle/internal/engine"
	"github.com/jacquard-go/jacquard/lifecycle/internal/faults"
)

// Bus is a [cache.Bus] between all processes on one PostgreSQL database, by
// LISTEN and NOTIFY. Generations come from a sequence of the database.
//
// A message reaches the caches of the publishing process before Publish returns, and those of
// others a moment later. A bus that loses its connection cannot know which messages it misses. So
// it tells its receivers then, and again once it is reconnected, that every key is out of date;
// values they fill in between can be stale until then. A silent connection is detected within twice
// [BusConfig].Heartbeat.
//
// A Bus is safe for concurrent use. It has one connection and one goroutine of its own until it is
// closed; close it before its engine.
type Bus struct {
	database *Database
	topic    string
	silence  time.Duration // how long without a notification before the connection is tested
	answer   time.Duration // how long a tested connection may take to answer
	logger   *slog.Logger

	end   context.CancelFunc
	ended chan struct{} // closed when the goroutine has ended

	mu        sync.Mutex
	receivers []*func(cache.Message) // in the order in which they are called; copied on write
	heard     uint64                 // greatest generation of any message
	closed    bool
}

// BusConfig configures a [Bus].
type BusConfig struct {
	// Topic separates the buses of one database: 1 to 40 lower-case letters, digits and
	// underscores. Required.
	Topic string
	// Heartbeat is how long the connection may be silent before it is tested. Zero means ten
	// seconds.
	Heartbeat time.Duration
}

var topicPattern = regexp.MustCompile(`^[a-z0-9_]{1,40}$`)

// longestKey is the longest key that a notification can carry, in bytes; for a longer key all keys
// are declared out of date.
const longestKey = 5900

// NewBus returns a bus on an engine, whose schema it brings up to date. The
// error matches [faults.ErrInvalid], also for an engine that is not PostgreSQL's, or is
// one of [engine.Engine.Migrate].
func NewBus(ctx context.Context, e *engine.Engine, cfg BusConfig) (*Bus, error) {
	if cfg.Heartbeat == 0 {
		cfg.Heartbeat = 10 * time.Second
	}
	return newBus(ctx, e, cfg, cfg.Heartbeat)
}

// newBus is NewBus with its own bound for the answer of a tested connection.
func newBus(ctx context.Context, e *engine.Engine, cfg BusConfig, answer time.Duration) (*Bus, error) {
	d, ok := engine.On(e).(*Database)
	switch {
	case !ok:
		return nil, faults.Invalid("engine", e.URL(), "is not PostgreSQL's; use cache.LocalBus")
	case !topicPattern.MatchString(cfg.Topic):
		return nil, faults.Invalid("topic", cfg.Topic, "is not 1 to 40 lower-case letters, digits and underscores")
	case cfg.Heartbeat < 0:
		return nil, faults.Invalid("heartbeat", cfg.Heartbeat.String(), "is negative")
	}
	if err := e.Migrate(ctx); err != nil {
		return nil, err
	}
	b := &Bus{
		database: d, topic: "jacquard_" + cfg.Topic, silence: cfg.Heartbeat, answer: answer, logger: d.logger,
		ended: make(chan struct{}),
	}
	var conn *pgx.Conn
	err := d.patiently(ctx, func(ctx context.Context) (err error) {
		conn, err = b.listen(ctx)
		return d.url.Fault(err)
	})
	if err != nil {
		return nil, fmt.Errorf("lifecycle: listen on %s: %w", cfg.Topic, err)
	}
	ctx, b.end = context.WithCancel(context.Background())
	go b.follow(ctx, conn)
	return b, nil
}

// Publish implements [cache.Bus]. The error matches [faults.ErrUnavailable], [faults.ErrClosed] or
// the context's; the message may have been sent nevertheless.
func (b *Bus) Publish(ctx context.Context, key string) (uint64, error) {
	payload := base64.RawStdEncoding.EncodeToString([]byte(key))
	m := cache.Message{Key: key}
	if len(key) > longestKey {
		m, payload = cache.Message{All: true}, everything
	}
	if b.isClosed() {
		return 0, errBusClosed()
	}
	err := b.database.patiently(ctx, func(ctx context.Context) error {
		err := b.database.pool.QueryRow(ctx, `
			WITH next AS MATERIALIZED (SELECT nextval('bus_generation') AS generation)
			SELECT generation, pg_notify($1, generation || ' ' || $2) FROM next`, b.topic, payload).Scan(&m.Generation, nil)
		return b.database.url.Fault(err)
	})
	if err != nil {
		return 0, fmt.Errorf("lifecycle: publish: %w", err)
	}
	b.deliver(m)
	return m.Generation, nil
}

// Subscribe implements [cache.Bus]. The error matches [faults.ErrClosed], or [faults.ErrInvalid] for
// a nil receive.
func (b *Bus) Subscribe(receive func(cache.Message)) (stop func(), err error) {
	if receive == nil {
		return nil, faults.Invalid("receiver", "", "is nil")
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.closed {
		return nil, errBusClosed()
	}
	r := &receive
	b.receivers = append(slices.Clone(b.receivers), r)
	return func() {
		b.mu.Lock()
		defer b.mu.Unlock()
		b.receivers = slices.DeleteFunc(slices.Clone(b.receivers), func(x *func(cache.Message)) bool { return x == r })
	}, nil
}

// Close ends the bus and waits for its goroutine, after which the bus calls no receiver. Later
// calls get [faults.ErrClosed], and so does a second Close.
func (b *Bus) Close() error {
	b.mu.Lock()
	was := b.closed
	b.closed = true
	b.mu.Unlock()
	if was {
		return errBusClosed()
	}
	b.end()
	<-b.ended
	return nil
}

func errBusClosed() error { return fmt.Errorf("lifecycle: bus is %w", faults.ErrClosed) }

func (b *Bus) isClosed() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.closed
}

// deliver calls the receivers in the order of their subscription, under no lock.
func (b *Bus) deliver(m cache.Message) {
	b.mu.Lock()
	b.heard = max(b.heard, m.Generation)
	receivers := b.receivers
	b.mu.Unlock()
	for _, receive := range receivers {
		(*receive)(m)
	}
}

// listen connects and listens.
func (b *Bus) listen(ctx context.Context) (*pgx.Conn, error) {
	conn, err := pgx.ConnectConfig(ctx, b.database.pool.Config().ConnConfig)
	if err != nil {
		return nil, err
	}
	if _, err := conn.Exec(ctx, "LISTEN "+pgx.Identifier{b.topic}.Sanitize()); err != nil {
		return nil, errors.Join(err, conn.Close(ctx))
	}
	return conn, nil
}

// follow delivers the notifications of the connection until ctx ends, and reconnects when the
// connection is lost.
func (b *Bus) follow(ctx context.Context, conn *pgx.Conn) {
	defer close(b.ended)
	for {
		err := b.hear(ctx, conn)
		_ = conn.Close(ctx) // lost already, or no longer needed
		if ctx.Err() != nil {
			return
		}
		b.logger.WarnContext(ctx, "bus has lost its connection", "topic", b.topic, "error", err)
		b.everythingUpTo(0)
		if conn, err = b.reconnect(ctx); err != nil {
			return
		}
	}
}

// hear delivers messages until the connection is lost, or ctx ends.
func (b *Bus) hear(ctx context.Context, conn *pgx.Conn) error {
	for {
		n, err := b.wait(ctx, conn)
		if err != nil {
			return err
		}
		if n != nil {
			b.deliver(parseMessage(n.Payload))
		}
	}
}

// wait returns the next notification, or nil after a silence, if the connection answers a ping.
func (b *Bus) wait(ctx context.Context, conn *pgx.Conn) (*pgconn.Notification, error) {
	silence, cancel := context.WithTimeout(ctx, b.silence)
	defer cancel()
	n, err := conn.WaitForNotification(silence)
	if err == nil {
		return n, nil
	}
	if ctx.Err() != nil || silence.Err() == nil || conn.IsClosed() {
		return nil, err
	}
	answer, cancel := context.WithTimeout(ctx, b.answer)
	defer cancel()
	return nil, conn.Ping(answer)
}

// reconnect tries until it listens again or ctx ends. The messages missed until then have
// generations up to that of the sequence.
func (b *Bus) reconnect(ctx context.Context) (*pgx.Conn, error) {
	for pause := engine.FirstPause; ; pause = min(2*pause, engine.LongestPause) {
		conn, err := b.listen(ctx)
		if err == nil {
			var last uint64
			if err = conn.QueryRow(ctx, "SELECT last_value FROM bus_generation").Scan(&last); err == nil {
				b.everythingUpTo(last)
				return conn, nil
			}
			_ = conn.Close(ctx) // the loop makes another
		}
		if err := b.database.pause(ctx, pause); err != nil {
			return nil, err
		}
	}
}

// everythingUpTo tells the receivers that any message up to a generation may have been lost.
func (b *Bus) everythingUpTo(generation uint64) {
	b.mu.Lock()
	generation = max(generation, b.heard)
	b.mu.Unlock()
	b.deliver(cache.Message{Generation: generation, All: true})
}

// everything replaces the key in a payload that is about all keys.
const everything = "*"

// parseMessage parses a payload. One that cannot be parsed may concern any key.
func parseMessage(payload string) cache.Message {
	number, encoded, _ := strings.Cut(payload, " ")
	generation, err1 := strconv.ParseUint(number, 10, 64)
	key, err2 := base64.RawStdEncoding.DecodeString(encoded)
	if err1 != nil || err2 != nil || encoded == everything {
		return cache.Message{Generation: generation, All: true}
	}
	return cache.Message{Generation: generation, Key: string(key)}
}
