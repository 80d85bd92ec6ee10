package events

import (
	"slices"
	"time"

	"github.com/jacquard-go/jacquard/lifecycle/internal/domain"
)

// blockSize is how many events a full block has.
const blockSize = 256

// block is events of a log whose positions follow each other. What it has of an event
// holds no pointer: the garbage collector looks at all that is kept again and again,
// and passes over these. As nodes they made every change slower, the more the longer
// nobody pruned.
type block struct {
	ids  []byte // of the plans, one behind the other
	kept []record
}

// record is an event in a block.
type record struct {
	at, version       int64  // the time is in microseconds
	end               uint32 // of the plan's identifier, where the next one begins
	position          uint8  // as places has it
	archived, deleted bool
}

// places are the positions that a log has met. Their number is that of what a plan can
// be at, and small.
type places []domain.Position

func (p *places) index(at domain.Position) uint8 {
	i := slices.Index(*p, at)
	if i < 0 {
		i = len(*p)
		*p = append(*p, at)
	}
	return uint8(i)
}

// add appends an event, but for its cursor.
func (b *block) add(e Event, p *places) {
	b.ids = append(b.ids, e.PlanID...)
	b.kept = append(b.kept, record{
		at: e.At.UnixMicro(), version: e.Version, end: uint32(len(b.ids)), position: p.index(e.Position),
		archived: e.Archived, deleted: e.Deleted,
	})
}

// event returns an event, with its cursor.
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
