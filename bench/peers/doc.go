// Package peers puts this repository's cache and the libraries that it is compared with behind one small interface, so
// that a probe or a benchmark is written once.
//
// Reach for [Open] to get a cache by its name, and for the concrete types, such as [Otter], where the call through an
// interface would be part of what is measured. An adapter adds nothing that its library lacks: what a library cannot do
// is an optional interface that its adapter does not implement ([Ranger], [Closer], …), and where a creator has to reach
// a library that takes none, the adapter's comment says how it gets there.
//
// Where a library offers several ways to create a value once, the adapter uses the one that its documentation names for
// that purpose.
package peers
