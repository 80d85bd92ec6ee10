package schedule

import (
	"encoding/binary"
	"fmt"
)

func EncodeRun(run []Decision) []byte {
	b := binary.AppendUvarint(make([]byte, 0, 16*len(run)+8), uint64(len(run)))
	for _, d := range run {
		for _, n := range [...]uint64{
			uint64(d.Runnable), uint64(d.Default), bits(d.Preempts, d.Chosen.Stop, d.Clocked, d.Held), uint64(d.Chosen.Index), uint64(d.Chosen.Case),
			uint64(d.Ready), uint64(d.Goroutine), uint64(d.Turn), uint64(d.Last), uint64(d.Nth),
		} {
			b = binary.AppendUvarint(b, n)
		}
		b = binary.LittleEndian.AppendUint64(b, d.Hash)
	}
	return b
}

// bits returns a number in which bit i is set if yes[i].
func bits(yes ...bool) (n uint64) {
	for i, y := range yes {
		if y {
			n |= 1 << i
		}
	}
	return n
}

func DecodeRun(b []byte) ([]Decision, error) {
	short := false
	number := func() (n uint64) {
		n, used := binary.Uvarint(b)
		short = short || used <= 0
		b = b[max(used, 0):]
		return n
	}
	decisions := number()
	if short || decisions > uint64(len(b)) { // each takes more than one byte
		return nil, fmt.Errorf("a run: got %d bytes, want %d decisions", len(b), decisions)
	}
	run := make([]Decision, decisions)
	for i := range run {
		d := &run[i]
		d.Runnable, d.Default = int(number()), int(number())
		yes := number()
		d.Preempts, d.Clocked, d.Held = yes&1 != 0, yes&4 != 0, yes&8 != 0
		d.Chosen = Choice{Stop: yes&2 != 0, Index: int(number()), Case: uint32(number())}
		d.Ready, d.Goroutine, d.Turn, d.Last, d.Nth = int(number()), uint32(number()), uint32(number()), uint32(number()), int(number())
		if short || len(b) < 8 {
			return nil, fmt.Errorf("a run: it ends in decision %d of %d", i+1, decisions)
		}
		d.Hash, b = binary.LittleEndian.Uint64(b), b[8:]
	}
	if len(b) > 0 {
		return nil, fmt.Errorf("a run: got %d bytes too many", len(b))
	}
	return run, nil
}
