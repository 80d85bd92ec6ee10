package lifecycle

import (
	"context"

	"github.com/jacquard-go/jacquard/lifecycle/internal/engine"
)

// UnitOfWork groups changes to one database, so that all of them happen or none. It holds only how
// to get the engine: any number of units of work share the engine of their URL.
//
// A UnitOfWork is safe for concurrent use.
type UnitOfWork struct {
	engine func(context.Context) (*Engine, error)
}

// NewUnitOfWork returns a unit of work on the database of a URL. It opens nothing; the first use
// reports a bad URL or nil engines. engines must not be nil, because a unit of work is never closed
// and so cannot be counted as a user of the process's own engines; [Service.UnitOfWork] uses those.
func NewUnitOfWork(engines *Engines, url string) *UnitOfWork {
	return &UnitOfWork{func(ctx context.Context) (*Engine, error) { return Migrate(ctx, engines, url) }}
}

// UnitOfWork returns a unit of work on the service's database, for as long as
// the service is open. A service without a URL has no database: the error
// matches [ErrInvalid].
func (s *Service) UnitOfWork() (*UnitOfWork, error) {
	if s.engine == nil {
		return nil, invalid("URL", "", "is empty, and without a database there are no units of work; sqlite:// names one in memory")
	}
	return &UnitOfWork{func(ctx context.Context) (*Engine, error) { return s.engine, s.enter(ctx) }}, nil
}

// Engine returns the engine of the database, with its schema up to date. The
// error is one of [Engines.Engine] or [Engine.Migrate], or matches [ErrClosed]
// if the unit of work is a service's that has been closed.
func (u *UnitOfWork) Engine(ctx context.Context) (*Engine, error) { return u.engine(ctx) }

// Repositories are what a transaction works with. They are valid until the function that got them
// returns, and on its goroutine only. They change the database and leave committing to the unit of
// work.
type Repositories struct {
	Actions    *ActionRepository
	Plans      *PlanRepository
	Changesets *ChangesetRepository
}

// Transaction runs f in a transaction and commits it. If f returns an error, panics or ends its
// goroutine, or if ctx ends before the commit, everything is rolled back. f is called at most once.
// Transactions on one database run one after another, so what f reads is still true when it
// commits.
//
// f must work through its repositories, with the context that it is given; then a second
// transaction inside, which would wait for the first, is an error.
//
// The error is f's own, the context's, one that matches [ErrClosed], or a
// [*DatabaseError].
func (u *UnitOfWork) Transaction(ctx context.Context, f func(context.Context, Repositories) error) error {
	return u.transaction(ctx, false, f)
}

// RepeatableTransaction is [UnitOfWork.Transaction] for a function that may be called several
// times: if the database reports that nothing was changed and a repetition may succeed, f is called
// again, from its beginning, for as long as the busy timeout and ctx allow. Effects of f outside
// the database are repeated too. A commit whose outcome is unknown is not repeated.
func (u *UnitOfWork) RepeatableTransaction(ctx context.Context, f func(context.Context, Repositories) error) error {
	return u.transaction(ctx, true, f)
}

func (u *UnitOfWork) transaction(ctx context.Context, again bool, f func(context.Context, Repositories) error) error {
	e, err := u.Engine(ctx)
	if err != nil {
		return err
	}
	defer engine.BellOf(e).Ring()
	return engine.On(e).Alone(ctx, again, func(ctx context.Context, s session) error {
		return f(ctx, repositories(s))
	})
}

// repositories returns the repositories on a session.
func repositories(s session) Repositories {
	return Repositories{
		Actions:    &ActionRepository{s},
		Plans:      &PlanRepository{session: s},
		Changesets: &ChangesetRepository{session: s},
	}
}
