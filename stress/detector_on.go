//go:build race

package stress

// RaceDetector reports whether this program was built with the race detector.
const RaceDetector = true
