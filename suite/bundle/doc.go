// Package bundle makes of a run of tests what a CI system wants besides the log: a folder
// with one HTML page, a JUnit file, a summary, the cards of the failures and their ledger,
// and annotations for GitHub. What several shards have left can be put together.
package bundle
