// Package peers puts this repository's cache and the libraries that it is compared with behind one small interface, so
// that a probe or a benchmark is written once.
//
// Use [Open] to get a cache by its name, and the concrete types, such as [Otter], where the call through an
// interface would distort the measurement. An adapter adds nothing that its library lacks: it does not implement
// the optional interface ([Ranger], [Closer], …) of a feature that the library lacks, and if a library takes no creator
// per call, the adapter's comment says how the creator reaches it.
//
// If a library offers several ways to create a value once, the adapter uses the one that its documentation names for
// that purpose.
package peers
