package timeline

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// wide holds the ranges that Unicode's EastAsianWidth.txt calls Wide or Fullwidth, in ascending
// order. Gaps between neighbouring ranges of one script, which are unassigned, are closed.
var wide = [][2]rune{
	{0x1100, 0x115F}, {0x231A, 0x231B}, {0x2329, 0x232A}, {0x23E9, 0x23EC}, {0x23F0, 0x23F0},
	{0x23F3, 0x23F3}, {0x25FD, 0x25FE}, {0x2614, 0x2615}, {0x2648, 0x2653}, {0x267F, 0x267F},
	{0x2693, 0x2693}, {0x26A1, 0x26A1}, {0x26AA, 0x26AB}, {0x26BD, 0x26BE}, {0x26C4, 0x26C5},
	{0x26CE, 0x26CE}, {0x26D4, 0x26D4}, {0x26EA, 0x26EA}, {0x26F2, 0x26F3}, {0x26F5, 0x26F5},
	{0x26FA, 0x26FA}, {0x26FD, 0x26FD}, {0x2705, 0x2705}, {0x270A, 0x270B}, {0x2728, 0x2728},
	{0x274C, 0x274C}, {0x274E, 0x274E}, {0x2753, 0x2755}, {0x2757, 0x2757}, {0x2795, 0x2797},
	{0x27B0, 0x27B0}, {0x27BF, 0x27BF}, {0x2B1B, 0x2B1C}, {0x2B50, 0x2B50}, {0x2B55, 0x2B55},
	{0x2E80, 0x303E}, {0x3041, 0x3247}, {0x3250, 0x4DBF}, {0x4E00, 0xA4CF}, {0xA960, 0xA97F},
	{0xAC00, 0xD7A3}, {0xF900, 0xFAFF}, {0xFE10, 0xFE19}, {0xFE30, 0xFE6F}, {0xFF01, 0xFF60},
	{0xFFE0, 0xFFE6}, {0x16FE0, 0x18DFF}, {0x1AFF0, 0x1B2FF}, {0x1F004, 0x1F004},
	{0x1F0CF, 0x1F0CF}, {0x1F18E, 0x1F18E}, {0x1F191, 0x1F19A}, {0x1F200, 0x1F320},
	{0x1F32D, 0x1F335}, {0x1F337, 0x1F37C}, {0x1F37E, 0x1F393}, {0x1F3A0, 0x1F3CA},
	{0x1F3CF, 0x1F3D3}, {0x1F3E0, 0x1F3F0}, {0x1F3F4, 0x1F3F4}, {0x1F3F8, 0x1F43E},
	{0x1F440, 0x1F440}, {0x1F442, 0x1F4FC}, {0x1F4FF, 0x1F53D}, {0x1F54B, 0x1F54E},
	{0x1F550, 0x1F567}, {0x1F57A, 0x1F57A}, {0x1F595, 0x1F596}, {0x1F5A4, 0x1F5A4},
	{0x1F5FB, 0x1F64F}, {0x1F680, 0x1F6C5}, {0x1F6CC, 0x1F6CC}, {0x1F6D0, 0x1F6D2},
	{0x1F6D5, 0x1F6DF}, {0x1F6EB, 0x1F6EC}, {0x1F6F4, 0x1F6FC}, {0x1F7E0, 0x1F7F0},
	{0x1F90C, 0x1F93A}, {0x1F93C, 0x1F945}, {0x1F947, 0x1F9FF}, {0x1FA70, 0x1FAFF},
	{0x20000, 0x3FFFD},
}

// runeWidth returns the number of terminal cells that r takes.
func runeWidth(r rune) int {
	switch {
	case r < 0x300: // the combining marks begin here
		return 1
	case unicode.In(r, unicode.Mn, unicode.Me), r >= 0x1160 && r <= 0x11FF:
		return 0 // combining marks; the vowels and finals of Hangul syllables
	case isWide(r):
		return 2
	}
	return 1
}

func isWide(r rune) bool {
	low, high := 0, len(wide)
	for low < high {
		mid := (low + high) / 2
		if wide[mid][1] < r {
			low = mid + 1
		} else {
			high = mid
		}
	}
	return low < len(wide) && wide[low][0] <= r
}

// width returns the number of terminal cells that s takes.
func width(s string) int {
	n := 0
	for _, r := range s {
		n += runeWidth(r)
	}
	return n
}

// cut splits s after as many runes as fit in n cells. Combining marks stay
// with the rune before them.
func cut(s string, n int) (head, tail string) {
	used := 0
	for i, r := range s {
		if used += runeWidth(r); used > n {
			return s[:i], s[i:]
		}
	}
	return s, ""
}

// fits reports whether s takes at most n cells. It reads no more of s than necessary.
func fits(s string, n int) bool {
	_, rest := cut(s, n)
	return n >= 0 && rest == ""
}

// end returns as many runes from the end of s as fit in n cells; s must be wider than that.
func end(s string, n int) string {
	skip := width(s) - n
	head, tail := cut(s, skip)
	if width(head) < skip { // a wide rune lies across the edge
		_, size := utf8.DecodeRuneInString(tail)
		tail = tail[size:]
	}
	return strings.TrimLeftFunc(tail, func(r rune) bool { return runeWidth(r) == 0 })
}

// clean returns s as one printable line: white space other than blanks and unprintable characters
// are written as Go escapes, and bytes that are not UTF-8 become U+FFFD.
func clean(s string) string {
	if !strings.ContainsFunc(s, func(r rune) bool { return r == utf8.RuneError || !unicode.IsPrint(r) }) {
		return s
	}
	var b strings.Builder
	for _, r := range s {
		switch {
		case unicode.IsPrint(r):
			b.WriteRune(r)
		case r == '\n':
			b.WriteString(`\n`)
		case r == '\t':
			b.WriteString(`\t`)
		case unicode.Is(unicode.Zs, r):
			b.WriteByte(' ')
		case r < 0x80:
			fmt.Fprintf(&b, `\x%02x`, r)
		case r < 0x10000:
			fmt.Fprintf(&b, `\u%04x`, r)
		default:
			fmt.Fprintf(&b, `\U%08x`, r)
		}
	}
	return b.String()
}
