// Package card has cards: a schedule as a string, and how one is followed, strictly in
// the program that it is from, or by what it says in words in another one.
package card
