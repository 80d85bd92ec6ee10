// Package plug is an example of a search written by users, with nothing but package
// explore: it reports how far it has come, writes a checkpoint and resumes from it.
// The program in bench/strategies/outside gives it a column of the page on
// strategies.
package plug
