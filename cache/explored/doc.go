// Package explored runs concurrent calls on one key of a cache under the explorer and checks that their results are
// linearizable with respect to package cachemodel. The commands of bench run fixed scripts of calls; package fuzz runs
// those that Go's fuzzer generates.
//
// # What it cannot do
//
// It checks neither expiry nor eviction, and only one key.
package explored
