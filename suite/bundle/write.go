package bundle

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/jacquard-go/jacquard/internal/finding"
	"github.com/jacquard-go/jacquard/internal/junit"
)

// The files of a bundle.
const (
	Page    = "index.html"
	JUnit   = "junit.xml"
	Summary = "summary.md"
	Data    = "run.json"
	Ledger  = "ledger.json"
	Cards   = "cards" // a folder
)

// Write writes all outputs except the cards and the ledger into a folder, which it creates.
func (r *Run) Write(dir string) error {
	r.Format = Format
	r.sort()
	page, err := r.page()
	if err != nil {
		return err
	}
	data, err := json.Marshal(r)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	for name, text := range map[string][]byte{Page: page, Summary: []byte(r.Summary()), Data: data} {
		if err := os.WriteFile(filepath.Join(dir, name), text, 0o666); err != nil {
			return err
		}
	}
	return junit.Write(filepath.Join(dir, JUnit), r.junit())
}

// Merge merges the bundles of several shards into the folder dir, and returns the merged run.
func Merge(dir string, shards []string) (*Run, error) {
	all, ledger, ledgers := new(Run), finding.Ledger{}, 0
	for i, shard := range shards {
		if slices.ContainsFunc(shards[:i], func(s string) bool { return filepath.Clean(s) == filepath.Clean(shard) }) {
			return nil, fmt.Errorf("got the folder %s twice, want each once", shard)
		}
		r, err := read(filepath.Join(shard, Data))
		if err != nil {
			return nil, fmt.Errorf("got %s, want a folder that jacquard ci has left: %w", shard, err)
		}
		all.Merge(r)
		l, err := finding.Read(filepath.Join(shard, Ledger))
		if err == nil {
			ledger.Merge(l)
			ledgers++
		} else if !errors.Is(err, fs.ErrNotExist) {
			return nil, err
		}
	}
	if err := checkShards(all.Shards); err != nil {
		return nil, err
	}
	if err := all.Write(dir); err != nil {
		return nil, err
	}
	for _, shard := range shards {
		if err := copyCards(filepath.Join(dir, Cards), filepath.Join(shard, Cards)); err != nil {
			return nil, err
		}
	}
	if ledgers == 0 {
		return all, nil
	}
	text, err := ledger.Text()
	if err != nil {
		return nil, err
	}
	return all, os.WriteFile(filepath.Join(dir, Ledger), text, 0o666)
}

// copyCards copies the cards of a folder, if it exists.
func copyCards(to, from string) error {
	files, err := os.ReadDir(from)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	} else if err != nil {
		return err
	}
	if err := os.MkdirAll(to, 0o777); err != nil {
		return err
	}
	for _, f := range files {
		text, err := os.ReadFile(filepath.Join(from, f.Name()))
		if err == nil {
			err = os.WriteFile(filepath.Join(to, f.Name()), text, 0o666)
		}
		if err != nil {
			return fmt.Errorf("cards: %w", err)
		}
	}
	return nil
}
