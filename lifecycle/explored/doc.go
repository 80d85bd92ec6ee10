// Package explored runs concurrent calls on package lifecycle under the explorer and checks that their results are
// linearizable with respect to the sequential model of package lifecycle/model. A [Scenario] is a few calls of two or
// three threads on one [Store]. [Pairs] has each pair of operations that can meet; [Generate] makes longer scenarios from
// a seed.
//
// # What is compared
//
// All results of a call, and of an error its kind and the state that it names. A transition that lost to a concurrent one
// counts as a call that changed nothing and named the state it lost to. After the threads everything is read once more.
//
// # What it cannot do
//
// It trusts the database driver and never stops it inside a statement. Services on one file share a process here; package
// stress/soak runs them in several. PostgreSQL cannot be explored: its server is outside the explorer's control.
package explored
