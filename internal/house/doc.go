// Package house holds the rules of this repository that no compiler checks:
// which package may import which, what a file may contain, what must be
// documented, and that the README is true. They are tests; the package has no
// code to use.
//
// Each rule is a function that is given what the tree holds and returns what is
// wrong with it, one line each. Beside the test that applies it to the tree there
// is one that plants a violation, for a rule that cannot fail holds nothing.
//
// The tests run the go command and read the whole checkout. They cannot see
// what is outside of it, such as the state of a continuous build.
package house
