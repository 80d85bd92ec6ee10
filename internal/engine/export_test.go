package engine

// ParseRaces are the data races in what the detector has printed, by goroutines of one
// name.
func ParseRaces(text string) []RaceReport {
	return parseRaces([]byte(text), nil, accessors{later: []uint32{1}, name: func(uint32) string { return "one" }})
}
