package stress

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync/atomic"
)

// progressFile keeps two numbers in a file, which outlives the process: how many rounds were begun, and the round in which the race
// detector first reported something. A child that crashes can report them in no other way.
//
// It is safe for concurrent use; a write is one system call.
type progressFile struct {
	file   *os.File
	rounds atomic.Int64
}

func createProgress(dir string) (*progressFile, error) {
	f, err := os.Create(filepath.Join(dir, progressName))
	if err != nil {
		return nil, fmt.Errorf("stress: %w", err)
	}
	return &progressFile{file: f}, nil
}

// begin counts a round and returns its number, from 1. Concurrent rounds may be written in any order, so the file may be
// behind by as many.
func (p *progressFile) begin() (int64, error) {
	n := p.rounds.Add(1)
	return n, p.write(0, n)
}

// race records the round of the first data race.
func (p *progressFile) race(round int64) error { return p.write(8, round) }

func (p *progressFile) write(at, n int64) error {
	if _, err := p.file.WriteAt(binary.LittleEndian.AppendUint64(nil, uint64(n)), at); err != nil {
		return fmt.Errorf("stress: %w", err)
	}
	return nil
}

// readProgress returns the two numbers of a child that has ended, each 0 if the child did not write it.
func readProgress(dir string) (rounds, race int64, err error) {
	b, err := os.ReadFile(filepath.Join(dir, progressName))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return 0, 0, fmt.Errorf("stress: %w", err)
	}
	b = append(b, make([]byte, 16)...)
	return int64(binary.LittleEndian.Uint64(b)), int64(binary.LittleEndian.Uint64(b[8:])), nil
}
