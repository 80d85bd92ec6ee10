package output

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// ownPanic matches a panic in Jacquard's code in a test binary.
var ownPanic = regexp.MustCompile(`(?m)^(panic: .*)\n(?:.*\n){1,4}goroutine \d+.* \[running.*\]:\n(?:(?:panic|runtime\.).*\n\t.*\n)*internal/jacquard/`)

// GaveUp returns why Jacquard itself could not go on in a process, which is not a failure of a
// test. It is "" unless the process says so, in its last line or by a panic.
func GaveUp(how, said string) string {
	why, ok := strings.CutPrefix(LastLine(said), "jacquard: ")
	if own := ownPanic.FindStringSubmatch(said); !ok && own != nil {
		why, ok = own[1], true
	}
	if !ok || how != "exit status 2" {
		return ""
	}
	return "Jacquard could not go on: " + why
}

// LastLine returns the last non-empty line of a text, or "".
func LastLine(text string) string {
	text = strings.TrimSpace(text)
	return strings.TrimSpace(text[strings.LastIndexByte(text, '\n')+1:])
}

// RoundUp rounds a duration up to one that is easy to type.
func RoundUp(d time.Duration) time.Duration {
	for _, unit := range []time.Duration{time.Hour, time.Minute, time.Second} {
		if d >= 5*unit {
			return (d + unit - 1).Truncate(unit)
		}
	}
	return max(d.Truncate(time.Second), 0) + time.Second
}

// Plural formats a number of things, with commas.
func Plural(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return Thousands(n) + " " + what + "s"
}

// Thousands formats a number with commas.
func Thousands(n int) string {
	if n < 1000 {
		return strconv.Itoa(n)
	}
	return fmt.Sprintf("%s,%03d", Thousands(n/1000), n%1000)
}
