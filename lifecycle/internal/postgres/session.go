package postgres

import (
	"context"
	"strconv"
	"strings"

	"github.com/jackc/pgx/v5"

	"github.com/jacquard-go/jacquard/lifecycle/internal/databases"
	"github.com/jacquard-go/jacquard/lifecycle/internal/engine"
	"github.com/jacquard-go/jacquard/lifecycle/internal/faults"
	"github.com/jacquard-go/jacquard/lifecycle/internal/statements"
)

// session is one connection to a PostgreSQL server.
type session struct {
	conn *pgx.Conn
	url  databases.URL // of its database
}

// Dialect implements engine.Session.
func (session) Dialect() engine.Dialect { return dialect }

// Now implements statements.Session.
func (session) Now() string { return dialect.Now }

// Exec implements statements.Session.
func (s session) Exec(ctx context.Context, query string, args ...any) (changed int64, err error) {
	tag, err := s.conn.Exec(ctx, numbered(query), args...)
	return tag.RowsAffected(), s.url.Fault(err)
}

// Query implements statements.Session.
func (s session) Query(ctx context.Context, query string, args []any, scan func(statements.Row) error) error {
	rows, err := s.conn.Query(ctx, numbered(query), args...)
	if err != nil {
		return s.url.Fault(err)
	}
	defer rows.Close()
	for rows.Next() {
		if err := scan(rows); err != nil {
			return s.url.Failed(faults.ErrCorrupt, err)
		}
	}
	return s.url.Fault(rows.Err())
}

// numbered replaces the question marks of a statement by $1, $2 and so on.
func numbered(query string) string {
	var b strings.Builder
	for n := 1; ; n++ {
		before, after, found := strings.Cut(query, "?")
		b.WriteString(before)
		if !found {
			return b.String()
		}
		b.WriteString("$" + strconv.Itoa(n))
		query = after
	}
}
