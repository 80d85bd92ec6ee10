package lifecycle

import (
	"context"

	"github.com/jacquard-go/jacquard/lifecycle/internal/statements"
)

// Statements is for the packages beneath this one, which keep what they have in
// tables beside those of plans.
func (u *UnitOfWork) Statements() statements.Database { return onEngine{u} }

type onEngine struct{ work *UnitOfWork }

func (d onEngine) Read(ctx context.Context, f func(context.Context, statements.Session) error) error {
	engine, err := d.work.Engine(ctx)
	if err != nil {
		return err
	}
	return engine.database.read(ctx, func(ctx context.Context, s session) error { return f(ctx, onSession{s}) })
}

func (d onEngine) Write(ctx context.Context, f func(context.Context, statements.Session) error) error {
	engine, err := d.work.Engine(ctx)
	if err != nil {
		return err
	}
	return engine.database.write(ctx, func(ctx context.Context, s session) error { return f(ctx, onSession{s}) })
}

type onSession struct{ session }

func (s onSession) Exec(ctx context.Context, query string, args ...any) (int64, error) {
	return s.exec(ctx, query, args...)
}

func (s onSession) Query(ctx context.Context, query string, args []any, scan func(statements.Row) error) error {
	return s.query(ctx, query, args, scan)
}

func (s onSession) Now() string { return s.dialect().now }
