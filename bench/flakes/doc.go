// Package flakes runs jacquard test on bugs that others had: races, deadlocks and
// flaky tests of public modules, each in the version before its repair and in the one
// after it. The modules come from the module proxy and nothing of them is kept here.
// What it cannot tell is how often such bugs occur: the list is a choice, which was
// made before the first of them was run.
package flakes
