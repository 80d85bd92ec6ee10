package lifecycle

import (
	"context"

	"github.com/jacquard-go/jacquard/lifecycle/internal/engine"
	"github.com/jacquard-go/jacquard/lifecycle/internal/statements"
)

// Statements is for the packages below this one, which store their data in tables beside those of
// plans.
func (u *UnitOfWork) Statements() statements.Database { return onEngine{u} }

type onEngine struct{ work *UnitOfWork }

func (d onEngine) Read(ctx context.Context, f func(context.Context, statements.Session) error) error {
	e, err := d.work.Engine(ctx)
	if err != nil {
		return err
	}
	return engine.On(e).Read(ctx, func(ctx context.Context, s session) error { return f(ctx, s) })
}

func (d onEngine) Write(ctx context.Context, f func(context.Context, statements.Session) error) error {
	e, err := d.work.Engine(ctx)
	if err != nil {
		return err
	}
	return engine.On(e).Write(ctx, func(ctx context.Context, s session) error { return f(ctx, s) })
}
