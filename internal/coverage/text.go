package coverage

import (
	"fmt"
	"strings"
)

// Percent is how much of something was met, as a text; a whole that is nothing is met.
func Percent(met, of int) string {
	if of == 0 {
		return "100 %"
	}
	return fmt.Sprintf("%d %%", 100*met/of)
}

// Met counts the requirements that were met.
func Met(all []Requirement) (n int) {
	for _, r := range all {
		if r.Met > 0 {
			n++
		}
	}
	return n
}

// Text is the listing for a screen: what was not met, and what came in one order only;
// who says it, and where is a file as it is shown. "" is nothing to say.
func (l *Listing) Text(who string, in Sources, where func(file string) string) string {
	all, pairs := l.Requirements(in), l.Pairs()
	ways := OneWays(pairs)
	if len(all)+len(l.Orders) == 0 {
		return ""
	}
	var b strings.Builder
	met := Met(all)
	fmt.Fprintf(&b, "%s: covered: %d of %d requirements (%s)\n", who, met, len(all), Percent(met, len(all)))
	for _, r := range all {
		if r.Met == 0 {
			fmt.Fprintf(&b, "    %s:%d: %s (0 of %d)\n", where(r.File), r.Line, r.Missing, r.Of)
		}
	}
	both := len(pairs) - len(ways)
	fmt.Fprintf(&b, "%s: conflicting operations that came in both orders: %d of %d pairs (%s)\n", who, both, len(pairs), Percent(both, len(pairs)))
	for _, w := range ways {
		fmt.Fprintf(&b, "    %s:%d: %s (0 of %d)\n", where(w.First.File), w.First.Line, w.Missing(where), w.Seen)
	}
	return b.String()
}
