package lifecycle

import (
	"context"
	"strconv"
	"strings"

	"github.com/jackc/pgx/v5"

	"github.com/jacquard-go/jacquard/lifecycle/internal/databases"
)

// postgresSession is one connection to a PostgreSQL server.
type postgresSession struct {
	conn *pgx.Conn
	url  databases.URL // where it leads
}

// dialect implements session.
func (postgresSession) dialect() dialect { return postgresDialect }

// exec implements session.
func (s postgresSession) exec(ctx context.Context, query string, args ...any) (changed int64, err error) {
	tag, err := s.conn.Exec(ctx, numbered(query), args...)
	return tag.RowsAffected(), s.url.Fault(err)
}

// query implements session.
func (s postgresSession) query(ctx context.Context, query string, args []any, scan func(row) error) error {
	rows, err := s.conn.Query(ctx, numbered(query), args...)
	if err != nil {
		return s.url.Fault(err)
	}
	defer rows.Close()
	for rows.Next() {
		if err := scan(rows); err != nil {
			return s.url.Failed(ErrCorrupt, err)
		}
	}
	return s.url.Fault(rows.Err())
}

// numbered puts $1, $2 and so on for the question marks of a statement.
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
