// Package source says what the program's code is at an operation: the call site, what
// it is an operation of, on what kind of object, and what the source text calls that.
// Names of functions and places, as reports and cards spell them, are from here.
package source
