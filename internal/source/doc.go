// Package source describes the code at an operation: the call site, the kind of
// operation and object, and the object's name in the source text. It also defines how
// reports and cards spell functions and places.
package source
