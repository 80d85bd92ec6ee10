package lifecycle

import (
	"context"

	"github.com/jacquard-go/jacquard/lifecycle/internal/engine"
	"github.com/jacquard-go/jacquard/lifecycle/internal/postgres"
	"github.com/jacquard-go/jacquard/lifecycle/internal/schema"
	"github.com/jacquard-go/jacquard/lifecycle/internal/sqlite"
)

// EnginesConfig configures [Engines]. The zero value is ready to use.
//
// BusyTimeout is how long one statement waits, in all, for a lock that another
// process holds on the database. Zero means five seconds; a negative one means not
// at all.
//
// RelaxedDurability lets a commit return before it is on the disk: it then survives
// the end of the process in any manner, and neither a power failure nor a crash of a
// PostgreSQL server. False means that a commit that has returned is on the disk.
//
// Logger, a [*slog.Logger], is told when engines are opened, migrated and closed. Nil
// means that nobody is.
type EnginesConfig = engine.Config

// Engines holds engines, one per database URL. Services that are given none
// share those of the process; make Engines to configure them, or to keep the
// databases of some services apart from those of others.
//
// Its method Engine(ctx, url) returns the engine of a database URL, such as
// sqlite:///plans.db (relative), sqlite:////var/plans.db (absolute) or
// sqlite:///:memory:. URLs are the same if they name the same absolute path; a
// symbolic link is another path. Whoever asks first has the engine created; all who
// ask meanwhile wait for that one creation, and everyone gets the same pointer. A
// creation that fails is told to all who waited for it and not remembered. In-memory
// URLs name one database per Engines: two Engines share no memory. ctx bounds the
// wait. The error matches [ErrUnsupportedURL], [ErrInvalid], [ErrClosed] or the
// context's, or is a [*DatabaseError].
//
// Its method Close() closes the engines, the youngest first, and waits for calls
// under way on them. Later calls get [ErrClosed]; so does a second Close.
//
// Engines are safe for any number of goroutines. An engine that exists is
// found without a lock.
type Engines = engine.Engines

// NewEngines returns an empty set of engines. It opens nothing.
func NewEngines(cfg EnginesConfig) (*Engines, error) { return engine.New(cfg, schema.Open) }

// Engine is the one way of a process to one database. It is made by
// [Engines.Engine] and closed with its Engines.
//
// A SQLite file gets three connections, in WAL mode: one that writes, one that
// reads, also during a write and then the state before it, and one that only
// asks whether anything was committed. An
// in-memory database gets one connection, which is the database; a private
// ":memory:" one, so that nothing can share it by accident, and every user of
// the engine shares it on purpose. PostgreSQL gets a pool. Each connection is
// used by one goroutine at a time; the others wait for as long as their
// contexts let them.
//
// Its method URL() returns the normalised URL of the database, with the password if
// it has one.
//
// Its method Migrate(ctx) brings the schema up to date. It does so once per engine:
// callers that come meanwhile wait, later ones return at once. After a failure the
// next caller tries again. A lock is held from before the schema's version is read
// until the migrations have run, so of several processes that start together one
// migrates while the others wait and then find nothing to do. On SQLite all missing
// migrations are one transaction, on PostgreSQL each is. The error matches
// [ErrClosed] or the context's, or is a [*DatabaseError].
//
// Its method Close() closes the database: its statements, then its connections. It
// waits for calls under way, which wait for no lock any longer; later ones get
// [ErrClosed]. A second Close does nothing.
//
// An Engine is safe for any number of goroutines.
type Engine = engine.Engine

// process holds the engines that services without Config.Engines share. It is
// the one thing here that belongs to the process, for what it says is about the
// process: that it has one engine for each URL, and so one database for each
// in-memory URL (#3950). It is empty while no such service is open.
var process = engine.NewProcess(schema.Open)

// Migrate brings the schema of a database up to date, through the engine of
// its URL, and returns that engine.
//
// The error is one of [Engines.Engine] or [Engine.Migrate].
func Migrate(ctx context.Context, engines *Engines, url string) (*Engine, error) {
	return engine.Migrated(ctx, engines, url)
}

// openStore returns a store on the engine's database that counts its reads.
func openStore(e *Engine, c *counters) (store, error) {
	if d, ok := engine.On(e).(*sqlite.Database); ok {
		return newSQLiteStore(d, c)
	}
	return newPostgresStore(engine.On(e), c)
}

// Bus is a [cache.Bus] between all processes on one PostgreSQL database, by
// LISTEN and NOTIFY. Generations come from a sequence of the database.
//
// A message reaches the caches of the publishing process before Publish
// returns, and those of others a moment later. A bus that loses its connection
// cannot know what it misses. It tells its receivers then, and again when it
// hears again, that every key is out of date; what they fill in between can be
// stale for as long as that takes. A silent connection is found dead within
// twice [BusConfig].Heartbeat.
//
// Its methods Publish(ctx, key) and Subscribe(receive) are those of [cache.Bus]. The
// error of Publish matches [ErrUnavailable], [ErrClosed] or the context's; the
// message may have been sent all the same. That of Subscribe matches [ErrClosed].
// Its method Close() ends the bus and waits for its goroutine: no receiver is called
// afterwards by it. Later calls get [ErrClosed]; so does a second Close.
//
// A Bus is safe for any number of goroutines. It has one connection and one
// goroutine of its own until it is closed; close it before its engine.
type Bus = postgres.Bus

// BusConfig configures a [Bus]. Topic keeps apart the buses of one database: 1 to 40
// lower-case letters, digits and underscores; it is required. Heartbeat is how long
// the connection may be silent before it is tried out; zero means ten seconds.
type BusConfig = postgres.BusConfig

// NewBus returns a bus on an engine, whose schema it brings up to date. The
// error matches [ErrInvalid], also for an engine that is not PostgreSQL's, or is
// one of [Engine.Migrate].
func NewBus(ctx context.Context, e *Engine, cfg BusConfig) (*Bus, error) {
	return postgres.NewBus(ctx, e, cfg)
}
