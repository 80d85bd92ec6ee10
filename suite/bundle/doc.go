// Package bundle writes the results of a run in the forms that CI systems use besides the log: a
// folder with one HTML page, a JUnit file, a summary, the cards of the failures and their ledger,
// and annotations for GitHub. It can merge the folders of several shards.
package bundle
