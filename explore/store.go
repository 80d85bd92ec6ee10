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

// NoCards as [Config].Cards disables storing and replaying cards.
const NoCards = "-"

// cardsEnv names the variable that overrides [Config].Cards.
const cardsEnv = "JACQUARD_CARDS"

// cardsFolder is where cards are kept, below the folder of the test's package.
const cardsFolder = "testdata/jacquard"

// maxStored bounds the size of a card file, in bytes.
const maxStored = 1 << 20

// packageDir is the folder in which this process was started: the go command starts
// tests in the folder of their package. It is read at initialisation, because a test
// may change the working directory.
var packageDir, errPackageDir = os.Getwd()

// A store keeps the cards of one test's failures as files. Any number of processes may
// read them while others write.
type store struct {
	base string // all writes stay within this folder; "" keeps no cards
	dir  string // the test's folder, below base
}

// A stored card is a file of the store.
type storedCard struct {
	path string
	text string
	err  error // set if the file is no card
}

// newStore returns the store of the test that cfg names.
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

// load reads the cards, sorted by file name. It ignores files whose names begin with a
// dot.
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
			continue // a subtest's folder, or a file that is being written
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

// parseStored returns the card in a file's text, which may also contain comments and
// empty lines.
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

// save writes a failure's card and returns the name of its file: the kind of the
// failure and a hash of its cause, so that each bug has one file. It replaces the file
// atomically, and creates the folder if necessary.
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

// replaceFile writes a temporary file beside the named one and then renames it, so that
// readers never see a partial file.
func replaceFile(root *os.Root, name, text string) error {
	for n := 0; ; n++ {
		fresh := filepath.Join(filepath.Dir(name), fmt.Sprintf(".%s.%d.%d", filepath.Base(name), os.Getpid(), n))
		f, err := root.OpenFile(fresh, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o666)
		if errors.Is(err, fs.ErrExist) && n < 100 {
			continue // left behind by a process with the same process ID
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

// storedText returns the content of a failure's card file. It contains no date, so that
// the same failure of the same program gives the same file.
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
