// Package model is a short sequential [Model] of package lifecycle: what it must do when calls do not overlap. The fuzz
// targets compare the service with it (package fuzz), and the explorer checks concurrent calls for linearizability
// against it (package lifecycle/explored).
//
// # What it cannot do
//
// The model is only as right as the documentation it was written from. Errors of the database are not modelled.
package model
