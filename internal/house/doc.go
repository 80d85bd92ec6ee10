// Package house holds the rules of this repository that no compiler checks:
// which package may import which, what a file may contain, what must be
// documented, and that the README is true. They are tests; the package has no
// code to use.
//
// Each rule is a function that takes the contents of the tree and returns the
// violations, one line each. One test applies it to the tree; another
// one plants a violation, because a rule that cannot fail checks nothing.
//
// The tests run the go command and read the whole checkout. They cannot see
// anything outside it, such as the state of a CI system.
package house
