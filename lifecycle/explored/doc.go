// Package explored puts package lifecycle under the explorer and asks whether what concurrent callers saw can be explained by some
// order of their calls: every [Scenario] is a few calls of two or three threads on one [Store], which have to be linearizable with
// respect to the sequential model of package lifecycle/model. [Pairs] has each pair of operations that can meet; [Generate] makes longer
// ones from a seed.
//
// # What is compared
//
// Everything that a call returns, and of an error its kind and the state that it names. A transition that lost to another one is judged
// as what it is, a call that changed nothing and named the state that it lost to. After the threads have ended everything is read once more.
//
// # What it cannot do
//
// The database driver is trusted: it is not stopped between two steps of one statement. Services on one file are in one process here;
// package stress/soak has them in several. PostgreSQL has no place under control: a server is somebody outside.
package explored
