// Package bench is the root of a module of its own, so that the libraries which the cache is compared with are
// dependencies of nobody who uses the cache. Its folders:
//
//   - peers: the cache and the libraries behind one interface;
//   - guarantees: what each of them guarantees, found out by running it;
//   - explored: the cache's guarantees in every schedule that an explorer chooses, and races in the libraries;
//   - speed: what each of them costs.
//
// This package itself only knows which versions of the libraries the module asks for.
package bench
