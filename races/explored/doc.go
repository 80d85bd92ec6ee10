// Package explored puts the catalogue of documented races, and the planted
// canaries, under the explorer. It decides how each cell is explored and what a
// right verdict is; commands and tests use it so that they all mean the same
// by "R4 under the suggested fix is still violated".
//
// It works in a controlled process only (see explore.Controlled).
package explored
