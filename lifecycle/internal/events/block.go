package events

import (
	"slices"
	"time"

	"github.com/jacquard-go/jacquard/lifecycle/internal/domain"
)

// blockSize is the number of events in a full block.
const blockSize = 256

// block holds consecutive events of a log. A record holds no pointers, so the garbage collector
// skips it, although it scans everything that is kept again and again. Kept as nodes, events made
// every change slower, the more so the longer they were not pruned.
type block struct {
	ids  []byte // plan identifiers, concatenated
	kept []record
}

// record is an event in a block.
type record struct {
	at, version       int64  // at is in microseconds
	end               uint32 // end of the plan's identifier in ids, where the next one begins
	position          uint8  // index into places
	archived, deleted bool
}

// places are the positions that a log has seen. There are only as many as a plan can have, which
// are few.
type places []domain.Position

func (p *places) index(at domain.Position) uint8 {
	i := slices.Index(*p, at)
	if i < 0 {
		i = len(*p)
		*p = append(*p, at)
	}
	return uint8(i)
}

// add appends an event, without its cursor.
func (b *block) add(e Event, p *places) {
	b.ids = append(b.ids, e.PlanID...)
	b.kept = append(b.kept, record{
		at: e.At.UnixMicro(), version: e.Version, end: uint32(len(b.ids)), position: p.index(e.Position),
		archived: e.Archived, deleted: e.Deleted,
	})
}

// event returns the event with index i, as the event with cursor c.
func (b *block) event(i int, c Cursor, p places) Event {
	r, begin := b.kept[i], uint32(0)
	if i > 0 {
		begin = b.kept[i-1].end
	}
	return Event{
		Cursor: c, PlanID: string(b.ids[begin:r.end]), Version: r.version, Position: p[r.position],
		Archived: r.archived, Deleted: r.deleted, At: time.UnixMicro(r.at).UTC(),
	}
}
