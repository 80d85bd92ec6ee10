package coverage

import (
	"fmt"
	"strings"
)

// Percent formats the share of met requirements; if there are none, the share is 100 %.
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

// Text formats the listing for a terminal: unmet requirements, and pairs seen in one order only.
// who begins the lines; where formats a file name. "" means that there is nothing to report.
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
