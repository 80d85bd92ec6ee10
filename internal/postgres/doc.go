// Package postgres gives tests and measurements a PostgreSQL server: the one
// that JACQUARD_POSTGRES_DSN names, or a throw-away one, started from the
// binaries that are installed, in a temporary folder and on a Unix socket.
//
// Do not use it for data that must last: a throw-away server does not sync to the disk.
// On Linux it ends with the process that started it, even if that is killed.
package postgres
