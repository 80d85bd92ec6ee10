//go:build !race

package stress

// RaceDetector says whether this program was built with the race detector.
const RaceDetector = false
