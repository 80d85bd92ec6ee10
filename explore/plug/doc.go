// Package plug is a search that somebody else might have written: it says how far it
// has come, keeps a checkpoint and goes on from it, and the program in
// bench/strategies/outside gives it a column of the page on strategies. All that it
// uses is package explore.
package plug
