package explore

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/jacquard-go/jacquard/internal/card"
	"github.com/jacquard-go/jacquard/internal/source"
	"github.com/jacquard-go/jacquard/internal/verdict"
)

// NoCards as [Config].Cards keeps no cards and runs none.
const NoCards = "-"

// cardsEnv names the variable that overrides [Config].Cards.
const cardsEnv = "JACQUARD_CARDS"

// cardsFolder is where cards are kept, below the folder of the test's package.
const cardsFolder = "testdata/jacquard"

// maxStored bounds the file of a card, in bytes.
const maxStored = 1 << 20

// packageDir is the folder in which this process was started: the go command
// starts tests in that of their package. A test may leave it, so it is asked for
// before any runs.
var packageDir, errPackageDir = os.Getwd()

// A store keeps the cards of one test's failures, as files that can be read by
// any number of processes while others write.
type store struct {
	base string // the folder that is written to, and nothing outside of it; "" keeps no cards
	dir  string // below base, of the test
}

// A stored card is a file of the store.
type storedCard struct {
	path string
	text string
	err  error // the file is no card
}

// newStore returns the store of a test.
func newStore(cfg Config) (store, error) {
	where := cfg.Cards
	if env := os.Getenv(cardsEnv); env != "" {
		where = env
	}
	if where == NoCards {
		return store{}, nil
	}
	if errPackageDir != nil {
		return store{}, fmt.Errorf("explore: the folder of the test's package: %w", errPackageDir)
	}
	s := store{base: packageDir, dir: filepath.Join(filepath.FromSlash(cardsFolder), storedFolder(cfg.Name))}
	if where != "" {
		s = store{base: where, dir: storedFolder(cfg.Name)}
		if !filepath.IsAbs(where) {
			s.base = filepath.Join(packageDir, where)
		}
	}
	return s, nil
}

// load reads the cards, by name. Files whose names begin with a dot are not
// meant.
func (s store) load() ([]storedCard, error) {
	if s.base == "" {
		return nil, nil
	}
	entries, err := os.ReadDir(filepath.Join(s.base, s.dir))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("explore: stored cards: %w", err)
	}
	var all []storedCard
	for _, e := range entries {
		if e.IsDir() || strings.HasPrefix(e.Name(), ".") {
			continue // of subtests; being written
		}
		c := storedCard{path: filepath.ToSlash(filepath.Join(s.dir, e.Name()))}
		c.text, c.err = s.read(e)
		if errors.Is(c.err, fs.ErrNotExist) {
			continue // another process has removed it
		}
		if c.err == nil {
			c.text, c.err = parseStored(c.text)
		}
		all = append(all, c)
	}
	return all, nil
}

func (s store) read(e fs.DirEntry) (string, error) {
	if !e.Type().IsRegular() {
		return "", fmt.Errorf("%w: got a file of type %v, want a plain one", card.ErrCard, e.Type())
	}
	f, err := os.Open(filepath.Join(s.base, s.dir, e.Name()))
	if err != nil {
		return "", err
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, maxStored+1))
	if len(text) > maxStored {
		return "", fmt.Errorf("%w: got more than %d bytes", card.ErrCard, maxStored)
	}
	return string(text), err
}

// parseStored is the card in a file's text, which may have comments and empty
// lines besides.
func parseStored(text string) (string, error) {
	theCard := ""
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		if theCard != "" {
			return "", fmt.Errorf("%w: got a second line %s, want one card", card.ErrCard, card.Abbreviate(line))
		}
		theCard = line
	}
	return theCard, card.CheckCard(theCard)
}

// save writes a failure's card and returns the name of its file: the kind of
// the failure and a hash of its cause, so that a bug has one. It replaces the
// file as a whole. The folder is made if need be.
func (s store) save(f *verdict.Failure, test string) (string, error) {
	if s.base == "" {
		return "", nil
	}
	if s.base == packageDir && !holdsTests(packageDir) {
		return "", fmt.Errorf("%s has no test files, so it is not the folder of the test's package", packageDir)
	}
	if s.base != packageDir {
		if err := os.MkdirAll(s.base, 0o777); err != nil {
			return "", err
		}
	}
	root, err := os.OpenRoot(s.base)
	if err != nil {
		return "", err
	}
	defer root.Close()
	if err := root.MkdirAll(s.dir, 0o777); err != nil {
		return "", err
	}
	name := filepath.Join(s.dir, fmt.Sprintf("%s-%08x", f.Kind, card.NameID(f.Cause)))
	return filepath.ToSlash(name), replaceFile(root, name, storedText(f, test))
}

// replaceFile writes a file beside the one with that name and then renames it,
// so that nobody ever reads half of it.
func replaceFile(root *os.Root, name, text string) error {
	for n := 0; ; n++ {
		fresh := filepath.Join(filepath.Dir(name), fmt.Sprintf(".%s.%d.%d", filepath.Base(name), os.Getpid(), n))
		f, err := root.OpenFile(fresh, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o666)
		if errors.Is(err, fs.ErrExist) && n < 100 {
			continue // left behind by a process with our number
		}
		if err != nil {
			return err
		}
		_, err = f.WriteString(text)
		if err = errors.Join(err, f.Close()); err == nil {
			err = root.Rename(fresh, name)
		}
		if err != nil {
			err = errors.Join(err, root.Remove(fresh))
		}
		return err
	}
}

// holdsTests reports whether a folder has test files.
func holdsTests(dir string) bool {
	names, err := filepath.Glob(filepath.Join(quoteGlob(dir), "*_test.go"))
	return err == nil && len(names) > 0
}

func quoteGlob(dir string) string {
	return strings.NewReplacer(`\`, `\\`, `*`, `\*`, `?`, `\?`, `[`, `\[`).Replace(dir)
}

// storedText is the file of a failure's card. It has no date: the same failure
// of the same program gives the same file.
func storedText(f *verdict.Failure, test string) string {
	lines := []string{
		fmt.Sprintf("A card of %s, made by %s.", test, card.ThisToolchain()),
		fmt.Sprintf("%s: %s", f.Kind, f.Message),
		fmt.Sprintf("%s in %s", source.Plural(f.Preemptions, "preemption"), source.Plural(f.Steps, "step")),
		"The test runs it first. Delete the file to forget it.",
	}
	var b strings.Builder
	for _, line := range lines {
		fmt.Fprintf(&b, "# %s\n", strings.Join(strings.Fields(line), " "))
	}
	return b.String() + f.Card + "\n"
}
