// Package explored puts one key of a cache under the explorer and asks whether what concurrent callers saw can be explained by some
// order of their calls: they have to be linearizable with respect to package cachemodel. The commands of bench run scripts of calls,
// and package fuzz any that Go's fuzzer thinks of.
//
// # What it cannot do
//
// What the model does not know is not asked: expiry, eviction, stamps, leases, and more than one key.
package explored
