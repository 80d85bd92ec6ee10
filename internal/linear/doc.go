// Package linear checks histories of calls for linearizability.
package linear
