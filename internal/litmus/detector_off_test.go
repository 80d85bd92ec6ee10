//go:build !race

package litmus_test

// detector says whether the tests run under the race detector.
const detector = false
