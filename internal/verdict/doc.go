// Package verdict says what an exploration has come to: what failed, or what was
// explored without a failure, and how far that goes. Claims come from here only.
package verdict
