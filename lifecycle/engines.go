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
// BusyTimeout is how long one statement waits, in all, for a lock that another process holds on the
// database. Zero means five seconds; a negative value means no waiting.
//
// RelaxedDurability lets a commit return before it is on the disk: the commit then survives the end
// of the process in any manner, but neither a power failure nor a crash of a PostgreSQL server.
// False means that a commit that has returned is on the disk.
//
// Logger, a [*slog.Logger], logs when engines are opened, migrated and closed. Nil means no
// logging.
type EnginesConfig = engine.Config

// Engines holds engines, one per database URL. Services without Config.Engines share those of the
// process; make Engines to configure them, or to separate the databases of some services from those
// of others.
//
// Its method Engine(ctx, url) returns the engine of a database URL, such as
// sqlite:///plans.db (relative), sqlite:////var/plans.db (absolute) or
// sqlite:///:memory:. URLs are the same if they name the same absolute path; a symbolic link is
// another path. The first caller creates the engine; callers that come meanwhile wait for that
// creation, and all get the same pointer. A failed creation returns its error to all who waited for
// it and is not remembered. In-memory URLs name one database per Engines: two Engines share no
// memory. ctx bounds the wait. The error matches [ErrUnsupportedURL], [ErrInvalid], [ErrClosed] or
// the context's, or is a [*DatabaseError].
//
// Its method Close() closes the engines, the youngest first, and waits for calls under way on them.
// Later calls get [ErrClosed], and so does a second Close.
//
// Engines are safe for concurrent use. An existing engine is found without a lock.
type Engines = engine.Engines

// NewEngines returns an empty set of engines. It opens nothing.
func NewEngines(cfg EnginesConfig) (*Engines, error) { return engine.New(cfg, schema.Open) }

// Engine is the one connection of a process to a database. [Engines.Engine] makes it, and closing
// its Engines closes it.
//
// A SQLite file gets three connections, in WAL mode: one that writes; one that reads, and during a
// write sees the state before it; and one that only asks whether anything was committed. An
// in-memory database gets one connection, which is the database. It is a private ":memory:"
// connection, so that nothing outside the engine can share it by accident, and all users of the
// engine share it. PostgreSQL gets a pool. Each connection is used by one goroutine at a time;
// others wait within their contexts.
//
// Its method URL() returns the normalised URL of the database, with the password if
// it has one.
//
// Its method Migrate(ctx) brings the schema up to date, once per engine: callers that come
// meanwhile wait, and later ones return at once. After a failure the next caller tries again.
// Migrate holds a lock from before it reads the schema's version until the migrations have run, so
// of several processes that start together one migrates while the others wait and then find nothing
// to do. On SQLite all missing migrations are one transaction, on PostgreSQL each is one. The error
// matches [ErrClosed] or the context's, or is a [*DatabaseError].
//
// Its method Close() closes the database: its statements, then its connections. It waits for calls
// under way, which then no longer wait for locks; later calls get [ErrClosed]. A second Close does
// nothing.
//
// An Engine is safe for concurrent use.
type Engine = engine.Engine

// process holds the engines that services without Config.Engines share. It is the only
// package-level state here, because it keeps a promise about the process: one engine for each URL,
// and so one database for each in-memory URL (#3950). It is empty while no such service is open.
var process = engine.NewProcess(schema.Open)

// Migrate brings the schema of the database at url up to date, through its engine, and returns that
// engine.
//
// The error is one of [Engines.Engine] or [Engine.Migrate].
func Migrate(ctx context.Context, engines *Engines, url string) (*Engine, error) {
	return engine.Migrated(ctx, engines, url)
}

// openStore returns a store on the engine's database that counts its reads in c.
func openStore(e *Engine, c *counters) (store, error) {
	if d, ok := engine.On(e).(*sqlite.Database); ok {
		return newSQLiteStore(d, c)
	}
	return newPostgresStore(engine.On(e), c)
}

// Bus is a [cache.Bus] between all processes on one PostgreSQL database, by
// LISTEN and NOTIFY. Generations come from a sequence of the database.
//
// A message reaches the caches of the publishing process before Publish returns, and those of
// others a moment later. A bus that loses its connection cannot know which messages it misses. So
// it tells its receivers then, and again once it is reconnected, that every key is out of date;
// values they fill in between can be stale until then. A silent connection is detected within twice
// [BusConfig].Heartbeat.
//
// Its methods Publish(ctx, key) and Subscribe(receive) are those of [cache.Bus]. The error of
// Publish matches [ErrUnavailable], [ErrClosed] or the context's; the message may have been sent
// nevertheless. That of Subscribe matches [ErrClosed], or [ErrInvalid] for a nil receiver. Its
// method Close() ends the bus and waits for its goroutine, after which the bus calls no receiver.
// Later calls get [ErrClosed], and so does a second Close.
//
// A Bus is safe for concurrent use. It has one connection and one goroutine of its own until it is
// closed; close it before its engine.
type Bus = postgres.Bus

// BusConfig configures a [Bus]. Topic, which is required, separates the buses of one database: 1 to
// 40 lower-case letters, digits and underscores. Heartbeat is how long the connection may be silent
// before the bus tests it; zero means ten seconds.
type BusConfig = postgres.BusConfig

// NewBus returns a bus on an engine, whose schema it brings up to date. The
// error matches [ErrInvalid], also for an engine that is not PostgreSQL's, or is
// one of [Engine.Migrate].
func NewBus(ctx context.Context, e *Engine, cfg BusConfig) (*Bus, error) {
	return postgres.NewBus(ctx, e, cfg)
}
