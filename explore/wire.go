package explore

import (
	"encoding/binary"
	"encoding/gob"
	"fmt"

	"github.com/jacquard-go/jacquard/internal/control"
)

// What the exploring process and its workers say to one another, as a stream of
// gob values each way. Code addresses are relative to the program's text.

// A briefing is what a worker is told first: the results of the explorations
// that come before its own.
type briefing struct {
	Past []past
}

// A past is the result of an earlier exploration.
type past struct {
	Name   string
	Result *Result
	Err    string // of Run; then Result is nil
}

// A hello is what a worker says first, once it has come to an exploration: which
// it is.
type hello struct {
	Exploration identity
}

// An identity tells explorations of a program apart.
type identity struct {
	Number  int    // in its test, from 1
	Name    string // Config.Name
	Program uint32
	Config  uint64 // all else of the Config that decides executions
	Body    int64  // code address
	Course  uint64 // digest of the default schedule
}

// A task asks a worker for what comes of some schedules. With a task of
// another batch all earlier ones are void.
type task struct {
	Batch     int
	Memory    []int64 // accesses that are points
	Schedules []tasked
}

type tasked struct {
	Index    int // in the batch
	Schedule schedule
}

// A saying is what a worker says: hello, and then a report for each schedule
// of its tasks, in their order, some at a time.
type saying struct {
	Hello   *hello
	Reports []*report
}

// A report is a course as it travels.
type report struct {
	Batch, Index  int
	Digest, Order uint64
	Members       int
	Kind          Kind
	Unknown       string
	Races         []race
	Used          []string
	Left          []string
	Outside       string
	Cut, Stopped  bool
	Coarse        bool
	Ticking       bool
	Hidden        []string
	Notes         control.Notes
	Visible       bool
	Run           []byte
}

type race struct {
	RaceReport
	PCs    [2]int64 // 0 if unknown
	Places [2]string
}

// registerSchedules lets schedules travel.
func registerSchedules() {
	for _, s := range []schedule{walk{}, priorities{}, partialOrder{}, counted{}, branch{}} {
		gob.Register(s)
	}
}

// portable reports whether a schedule can be run in another process.
func portable(s schedule) bool {
	_, own := s.(ownSchedule)
	return !own
}

func reportOf(batch, index int, c course) *report {
	return &report{
		Batch: batch, Index: index, Digest: c.digest, Order: c.order, Members: c.members,
		Kind: c.kind, Unknown: c.unknown, Used: c.used, Left: c.left, Outside: c.outside, Cut: c.cut, Coarse: c.coarse, Stopped: c.stopped, Ticking: c.ticking,
		Hidden: c.hidden, Notes: c.notes, Visible: c.visible,
		Run: encodeRun(c.run), Races: racesOf(c.races),
	}
}

// racesOf are races that can travel.
func racesOf(all []RaceReport) (races []race) {
	for _, found := range all {
		w := race{RaceReport: found}
		for i, a := range found.Accesses {
			w.PCs[i], w.Places[i] = relative(a.pc), a.place
		}
		races = append(races, w)
	}
	return races
}

// racesFrom are those that did.
func racesFrom(races []race) (all []RaceReport) {
	for _, w := range races {
		for i := range w.Accesses {
			w.Accesses[i].pc, w.Accesses[i].place = absolute(w.PCs[i]), w.Places[i]
		}
		all = append(all, w.RaceReport)
	}
	return all
}

func (r *report) course() (course, error) {
	c := course{
		digest: r.Digest, order: r.Order, members: r.Members,
		kind: r.Kind, unknown: r.Unknown, races: racesFrom(r.Races), used: r.Used, left: r.Left, outside: r.Outside, cut: r.Cut, coarse: r.Coarse, stopped: r.Stopped,
		ticking: r.Ticking, hidden: r.Hidden, notes: r.Notes, visible: r.Visible,
	}
	var err error
	c.run, err = decodeRun(r.Run)
	return c, err
}

// relative makes a code address good for every process of the program; 0
// stays 0.
func relative(pc uintptr) int64 {
	if pc == 0 {
		return 0
	}
	return int64(pc) - int64(textBase) + textShift
}

func absolute(pc int64) uintptr {
	if pc == 0 {
		return 0
	}
	return uintptr(pc - textShift + int64(textBase))
}

// textShift keeps a relative address from being 0.
const textShift = 1 << 62

func encodeRun(run []Decision) []byte {
	b := binary.AppendUvarint(make([]byte, 0, 16*len(run)+8), uint64(len(run)))
	for _, d := range run {
		for _, n := range [...]uint64{
			uint64(d.Runnable), uint64(d.Default), bits(d.Preempts, d.Chosen.Stop), uint64(d.Chosen.Index), uint64(d.Chosen.Case),
			uint64(d.Ready), uint64(d.Goroutine), uint64(d.Last), uint64(d.Nth),
		} {
			b = binary.AppendUvarint(b, n)
		}
		b = binary.LittleEndian.AppendUint64(b, d.hash)
	}
	return b
}

// bits has bit i set if yes[i].
func bits(yes ...bool) (n uint64) {
	for i, y := range yes {
		if y {
			n |= 1 << i
		}
	}
	return n
}

func decodeRun(b []byte) ([]Decision, error) {
	short := false
	number := func() (n uint64) {
		n, used := binary.Uvarint(b)
		short = short || used <= 0
		b = b[max(used, 0):]
		return n
	}
	decisions := number()
	if short || decisions > uint64(len(b)) { // each takes many bytes
		return nil, fmt.Errorf("a run: got %d bytes, want %d decisions", len(b), decisions)
	}
	run := make([]Decision, decisions)
	for i := range run {
		d := &run[i]
		d.Runnable, d.Default = int(number()), int(number())
		yes := number()
		d.Preempts = yes&1 != 0
		d.Chosen = Choice{Stop: yes&2 != 0, Index: int(number()), Case: uint32(number())}
		d.Ready, d.Goroutine, d.Last, d.Nth = int(number()), uint32(number()), uint32(number()), int(number())
		if short || len(b) < 8 {
			return nil, fmt.Errorf("a run: it ends in decision %d of %d", i+1, decisions)
		}
		d.hash, b = binary.LittleEndian.Uint64(b), b[8:]
	}
	if len(b) > 0 {
		return nil, fmt.Errorf("a run: got %d bytes too many", len(b))
	}
	return run, nil
}

// GobEncode writes the schedule as that of a run that consists of its
// deviations alone.
func (b branch) GobEncode() ([]byte, error) {
	run := make([]Decision, len(b.deviations))
	for i, d := range b.deviations {
		run[i] = Decision{Nth: d.at, Chosen: d.choice, hash: d.hash}
	}
	head := binary.LittleEndian.AppendUint64(binary.LittleEndian.AppendUint64(nil, b.seed), uint64(b.cost))
	return append(head, encodeRun(run)...), nil
}

// GobDecode reads what GobEncode has written.
func (b *branch) GobDecode(text []byte) error {
	if len(text) < 16 {
		return fmt.Errorf("a branch: got %d bytes, want at least 16", len(text))
	}
	run, err := decodeRun(text[16:])
	if err != nil {
		return err
	}
	b.seed, b.cost = binary.LittleEndian.Uint64(text), int(binary.LittleEndian.Uint64(text[8:]))
	for _, d := range run {
		b.deviations = append(b.deviations, deviation{at: d.Nth, choice: d.Chosen, hash: d.hash})
	}
	return nil
}
