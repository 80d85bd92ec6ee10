// Package postgres gives tests and measurements a PostgreSQL server: the one
// that JACQUARD_POSTGRES_DSN names, or a throw-away one, started from the
// binaries that are installed, in a temporary folder and on a Unix socket.
//
// It is for trying things out: a throw-away server does not sync to the disk. On
// Linux it ends with the process that has started it, even if that is killed.
package postgres
