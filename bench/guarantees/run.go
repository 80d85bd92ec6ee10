package guarantees

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"sync"
	"time"

	"github.com/jacquard-go/jacquard/bench/peers"
)

// A Suite is what to run.
type Suite struct {
	Rows  []Row
	Peers []peers.Name // ours first
	// Child returns the command that runs one probe, as [Serve] does.
	Child func(ctx context.Context, row string, peer peers.Name) *exec.Cmd
	// Limit is how long one probe may take. A probe that takes longer hangs.
	Limit time.Duration
	// Parallel is how many probes run at a time. Most probes spend most of their time waiting.
	Parallel int
}

// A Table has an outcome for each row and peer.
type Table struct {
	Rows  []Row
	Peers []peers.Name
	cells map[string]map[peers.Name]Outcome
}

// At returns the outcome of a row for a peer.
func (t *Table) At(row string, peer peers.Name) Outcome { return t.cells[row][peer] }

// Run runs the suite. The error says what could not be probed at all.
func (s Suite) Run(ctx context.Context) (*Table, error) {
	t := &Table{Rows: s.Rows, Peers: s.Peers, cells: map[string]map[peers.Name]Outcome{}}
	for _, r := range s.Rows {
		t.cells[r.ID] = map[peers.Name]Outcome{}
	}
	var (
		mu     sync.Mutex
		failed error
		all    sync.WaitGroup
	)
	places := make(chan struct{}, max(s.Parallel, 1))
	for _, r := range s.Rows {
		for _, p := range s.Peers {
			places <- struct{}{}
			all.Go(func() {
				defer func() { <-places }()
				o, err := s.probe(ctx, r.ID, p)
				mu.Lock()
				defer mu.Unlock()
				t.cells[r.ID][p] = o
				if err != nil {
					failed = errors.Join(failed, fmt.Errorf("guarantees: %s of %s: %w", r.ID, p, err))
				}
			})
		}
	}
	all.Wait()
	return t, failed
}

// probe runs one probe in a process of its own.
func (s Suite) probe(ctx context.Context, row string, peer peers.Name) (o Outcome, err error) {
	limited, cancel := context.WithTimeout(ctx, s.Limit)
	defer cancel()
	cmd := s.Child(limited, row, peer)
	var out, said bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &said
	err = cmd.Run()
	var ended *exec.ExitError
	switch {
	case ctx.Err() != nil:
		return o, ctx.Err()
	case limited.Err() != nil:
		return hangs, nil
	case errors.As(err, &ended) && bytes.Contains(said.Bytes(), []byte("all goroutines are asleep")):
		return hangs, nil
	case errors.As(err, &ended) && bytes.Contains(said.Bytes(), []byte("goroutine ")): // of a panic, or a fatal error
		return dies, nil
	case err != nil:
		return o, fmt.Errorf("%w: %s", err, said.Bytes())
	}
	return o, json.Unmarshal(out.Bytes(), &o)
}

// Serve runs a probe in this process and writes the outcome for its parent.
func Serve(out io.Writer, row string, open func() (peers.Cache[string, *Object], error), effort Effort) error {
	r, err := Find(row)
	if err != nil {
		return err
	}
	o, err := r.Probe(open, effort)
	if err != nil {
		return err
	}
	return json.NewEncoder(out).Encode(o)
}
