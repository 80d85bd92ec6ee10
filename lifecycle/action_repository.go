package lifecycle

import (
	"context"
	"fmt"
	"time"

	"github.com/jacquard-go/jacquard/lifecycle/internal/domain"
)

// ActionRepository reads and writes actions in a transaction.
type ActionRepository struct{ session session }

const selectActions = `SELECT name, state, uses, created_at, updated_at, document FROM actions`

// Insert adds an action. If its name is taken, the error matches [ErrAlreadyExists], and the
// existing action is left as it is.
func (r *ActionRepository) Insert(ctx context.Context, a Action) error {
	document, err := domain.EncodeAction(a)
	if err != nil {
		return err
	}
	inserted, err := r.session.Exec(ctx, `
		INSERT INTO actions (name, state, uses, created_at, updated_at, document) VALUES (?, ?, ?, ?, ?, ?)
		ON CONFLICT (name) DO NOTHING`,
		a.Name.String(), a.State, a.Uses, a.CreatedAt.UnixMicro(), a.UpdatedAt.UnixMicro(), document)
	switch {
	case err != nil:
		return fmt.Errorf("lifecycle: insert action %q: %w", a.Name, err)
	case inserted == 0:
		return &AlreadyExistsError{KindAction, a.Name.String()}
	}
	return nil
}

// Get returns an action. The error matches [ErrNotFound] if there is none.
func (r *ActionRepository) Get(ctx context.Context, name Name) (Action, error) {
	found, err := r.list(ctx, selectActions+` WHERE name = ?`, name.String())
	switch {
	case err != nil:
		return Action{}, fmt.Errorf("lifecycle: get action %q: %w", name, err)
	case len(found) == 0:
		return Action{}, &NotFoundError{KindAction, name.String()}
	}
	return found[0], nil
}

// List returns all actions, ordered by name.
func (r *ActionRepository) List(ctx context.Context) ([]Action, error) {
	all, err := r.list(ctx, selectActions+` ORDER BY name`)
	if err != nil {
		return nil, fmt.Errorf("lifecycle: list actions: %w", err)
	}
	return all, nil
}

// Use counts a use of an available action, and archives the action if it is not reusable. The
// statement that counts also checks that the action is available. The error matches [ErrNotFound]
// or [ErrArchived].
func (r *ActionRepository) Use(ctx context.Context, name Name, at time.Time) (Action, error) {
	return r.change(ctx, name, `
		UPDATE actions SET uses = uses + 1, updated_at = ?,
			state = CASE WHEN `+fmt.Sprintf(r.session.Dialect().True, "document", "reusable")+` THEN state ELSE 'archived' END
		WHERE name = ? AND state = 'available'`, at)
}

// Archive makes an available action unavailable. The error matches [ErrArchived] if it was archived
// before, or [ErrNotFound].
func (r *ActionRepository) Archive(ctx context.Context, name Name, at time.Time) (Action, error) {
	return r.change(ctx, name, `
		UPDATE actions SET state = 'archived', updated_at = ? WHERE name = ? AND state = 'available'`, at)
}

// change runs an update that matches an available action, and returns the updated action, or an
// error that says why nothing was updated.
func (r *ActionRepository) change(ctx context.Context, name Name, update string, at time.Time) (Action, error) {
	for {
		changed, err := r.session.Exec(ctx, update, at.UnixMicro(), name.String())
		if err != nil {
			return Action{}, fmt.Errorf("lifecycle: update action %q: %w", name, err)
		}
		a, err := r.Get(ctx, name)
		switch {
		case err != nil || changed > 0:
			return a, err
		case a.State == domain.ActionArchived:
			return Action{}, &ArchivedError{name, a.Uses}
		}
		// The update found no action, but Get does: another transaction has created it meanwhile.
	}
}

func (r *ActionRepository) list(ctx context.Context, query string, args ...any) ([]Action, error) {
	var all []Action
	err := r.session.Query(ctx, query, args, func(row row) error {
		a, err := scanAction(row)
		all = append(all, a)
		return err
	})
	return all, err
}

func scanAction(r row) (Action, error) {
	var (
		a                Action
		name, document   string
		created, updated int64
	)
	if err := r.Scan(&name, &a.State, &a.Uses, &created, &updated, &document); err != nil {
		return Action{}, err
	}
	var err error
	if a.Name, err = ParseName(name); err != nil {
		return Action{}, err
	}
	a.CreatedAt, a.UpdatedAt = fromMicro(created), fromMicro(updated)
	return a, domain.DecodeAction(document, &a)
}

// fromMicro is the inverse of [time.Time.UnixMicro], in UTC.
func fromMicro(us int64) time.Time { return time.UnixMicro(us).UTC() }
