// Package verdict states what an exploration has found: a failure, or what was explored
// without one, and how far that goes. All claims to users come from this package.
package verdict
