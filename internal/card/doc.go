// Package card represents a schedule as a string, and follows it: strictly in the
// program that made the card, or by the words of the card in another one.
package card
