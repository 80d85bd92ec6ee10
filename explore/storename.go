package explore

import (
	"fmt"
	"path/filepath"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/jacquard-go/jacquard/internal/card"
)

// maxElement bounds one element of a path, in bytes.
const maxElement = 100

// storedFolder returns the path of a test's cards: its name, with one element for each
// part of a subtest's name. For any name the path leads downwards and is valid in every
// file system, and different names have different paths.
func storedFolder(name string) string {
	parts := strings.Split(name, "/")
	for i, part := range parts {
		parts[i] = storedElement(part)
	}
	return filepath.Join(parts...)
}

// storedElement escapes each byte of anything but letters, digits and a few
// marks as % and two digits, as in URLs. An element that is too long ends in a
// hash.
func storedElement(part string) string {
	var b strings.Builder
	for i, r := range part {
		size := utf8.RuneLen(r)
		switch {
		case r == utf8.RuneError:
			_, size = utf8.DecodeRuneInString(part[i:])
			escape(&b, part[i:i+size])
		case unicode.IsLetter(r), unicode.IsDigit(r), strings.ContainsRune("_-+=,#()@!", r), r == '.' && i > 0 && i < len(part)-1:
			b.WriteRune(r)
		default:
			escape(&b, part[i:i+size])
		}
	}
	switch element := b.String(); {
	case element == "":
		return "%"
	case len(element) > maxElement:
		return fmt.Sprintf("%s%%%08x", strings.ToValidUTF8(element[:maxElement], ""), card.NameID(part))
	default:
		return element
	}
}

func escape(b *strings.Builder, bytes string) {
	for i := range len(bytes) {
		fmt.Fprintf(b, "%%%02X", bytes[i])
	}
}
