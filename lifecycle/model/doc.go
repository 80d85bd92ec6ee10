// Package model says what package lifecycle must do when one call follows the other, in as few words as possible: the sequential
// [Model] with which the fuzz targets compare the service (package fuzz), and with which the explorer finds out whether what
// several callers saw can be explained by some order of their calls (package lifecycle/explored).
//
// # What it cannot do
//
// The model is as right as the documentation that it was written from. Errors of the database are not modelled.
package model
