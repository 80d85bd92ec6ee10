package explore

import (
	"github.com/jacquard-go/jacquard/internal/verdict"
)

// StoredFolder returns the folder of a test's cards, relative to the folder of all cards.
var StoredFolder = storedFolder

// SaveCard stores a failure's card in a folder and returns the file's name.
func SaveCard(dir, test string, f *verdict.Failure) (string, error) {
	s, err := newStore(Config{Name: test, Cards: dir})
	if err != nil {
		return "", err
	}
	return s.save(f, test)
}

// LoadCards reads a test's stored cards. For each file name it returns the card, or the
// reason why the file has none.
func LoadCards(dir, test string) (map[string]string, error) {
	s, err := newStore(Config{Name: test, Cards: dir})
	if err != nil {
		return nil, err
	}
	all, err := s.load()
	found := make(map[string]string)
	for _, c := range all {
		found[c.path] = c.text
		if c.err != nil {
			found[c.path] = c.err.Error()
		}
	}
	return found, err
}
