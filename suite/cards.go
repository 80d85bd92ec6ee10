package suite

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/jacquard-go/jacquard/suite/output"
)

// maxCard bounds the file of a card, in bytes.
const maxCard = 1 << 20

// cardFile returns the name of the file, in the folder of cards, that keeps a test's card.
func (r *run) cardFile(test string) string {
	return strings.ReplaceAll(r.ImportPath, "/", "_") + "." + test
}

// keepCards writes the cards of failures into Config.Cards.
func (r *run) keepCards() error {
	if r.cfg.Cards == "" {
		return nil
	}
	for _, t := range r.tests {
		card := t.last().Card
		if !t.violates() || card == "" {
			continue
		}
		if err := os.MkdirAll(r.cfg.Cards, 0o777); err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(r.cfg.Cards, r.cardFile(t.name)), []byte(card+"\n"), 0o666); err != nil {
			return err
		}
	}
	return nil
}

// keepsake returns the folder of a package for the cards that are kept beside its tests.
func keepsake(dir string) string { return filepath.Join(dir, "testdata", "jacquard") }

// Keep writes a failure's card beside its test, and returns the file.
func Keep(f Failed) (file string, err error) {
	dir := keepsake(f.Dir)
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return "", err
	}
	file = filepath.Join(dir, f.Test+"."+cardID(f.Card)[:8])
	text := fmt.Sprintf("# %s.%s, found on %s\n%s\n", f.Package, f.Test, f.When.UTC().Format(time.DateOnly), f.Card)
	return file, os.WriteFile(file, []byte(text), 0o666)
}

// keptCards adds to x.known the failures whose cards are kept in Config.Cards or beside the tests:
// a test's cards are in files with its name, or whose names begin with it and a dot.
func (r *run) keptCards(all []*exploration) error {
	for _, x := range all {
		if err := x.keptIn(keepsake(r.Dir), x.name); err != nil {
			return err
		}
		if err := x.keptIn(r.cfg.Cards, r.cardFile(x.name)); r.cfg.Cards != "" && err != nil {
			return err
		}
		x.known = x.known[:min(len(x.known), mostKnown)]
	}
	return nil
}

// keptIn adds the failures from the files of a name in a folder.
func (x *exploration) keptIn(dir, name string) error {
	files, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	} else if err != nil {
		return err
	}
	for _, f := range files {
		if f.Name() != name && !strings.HasPrefix(f.Name(), name+".") {
			continue
		}
		path := filepath.Join(dir, f.Name())
		card, err := readCard(path)
		if err != nil {
			x.notes = append(x.notes, note{fmt.Sprintf("%s cannot be followed: %v", path, err), false})
		} else if !slices.ContainsFunc(x.known, func(f failure) bool { return f.Card == card }) {
			x.known = append(x.known, failure{Card: card})
		}
	}
	return nil
}

// ledgerCards adds the failures of which the ledger has cards.
func (r *run) ledgerCards(all []*exploration) {
	for _, x := range all {
		for _, card := range r.cfg.book.cards(r.ImportPath + "." + x.name) {
			if !slices.ContainsFunc(x.known, func(f failure) bool { return f.Card == card }) {
				x.known = append(x.known, failure{Card: card})
			}
		}
	}
}

// readCard reads a card from a file, which may also have comments and empty lines.
func readCard(path string) (card string, err error) {
	f, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, maxCard+1))
	if err != nil {
		return "", err
	}
	if len(text) > maxCard {
		return "", fmt.Errorf("got more than %s bytes, want one card", output.Thousands(maxCard))
	}
	for line := range strings.Lines(string(text)) {
		line = strings.TrimSpace(line)
		switch {
		case line == "", strings.HasPrefix(line, "#"):
		case card != "":
			return "", errors.New("got two lines, want one card")
		default:
			card = line
		}
	}
	if card == "" {
		return "", errors.New("got an empty file, want a card")
	}
	return card, nil
}
