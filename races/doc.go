// Package races is the catalogue of the documented races. R1 to R7 are seven interleavings that four public reports
// (#3950, #1281, #7120, #7424) describe; the related races, N1 and so on, come from other reports of the same tracker
// about the same code. Reach for it to run them under a harness; [All] lists them and [Find] looks one up.
//
// Every race is one body, which is run against three subjects, the columns: the code as reported, the same with the fix
// that its reporter suggested, and package lifecycle. The subjects of a race implement a small interface, such as
// [Engines] or [Shared], which this package defines by what the body needs. The wanted verdicts are:
//
//	                                             as reported   as suggested   ours
//	R1  two engines for one URL                  violated      holds          holds
//	R2  two creates of one action                violated      violated       holds
//	R3  plans listed while others are inserted   violated      holds          holds
//	R4  a change in a stale changeset            violated      violated       holds
//	R5  the last changeset of an emptied list    violated      holds          holds
//	R6  a read of what another instance moved    violated      holds          holds
//	R7  a plan applied twice                     violated      violated       holds
//
//	N1  migrations run twice on one engine       violated      violated       holds
//	N2  a change that was not committed is seen  violated      violated       holds
//	N3  the work of one plan is done twice       violated      violated       holds
//	N4  one resource is locked by two owners     violated      –              holds
//	N5  one job is run by two workers            violated      –              holds
//	N6  a failure that another one overwrites    violated      –              holds
//	N7  a changeset that only its instance knows violated      –              holds
//	N8  a database file that is locked           violated      –              holds
//	N9  a subplan that never ran is complete     violated      –              holds
//	N10 a plan that a worker has begun and left  violated      violated       holds
//
// The suggested fix of a related race is that of the report among the four which touches its code: #3950's for N1, #7424's for N2, N3 and
// N10. The fixes that the related races' own reports suggest are not known here. Without a fix that touches the code there is no cell.
//
// The documentation of package lifecycle/reported/assuggested explains why R3 holds under a fix that leaves R2 violated.
//
// The column ours uses what the report is about: R1 and N1 in-memory databases, R2 to R5, N6 and N9 the store in memory,
// the others a SQLite file. The file is shared.db, which a test of this package makes and keeps current (go test -update).
//
// # Running a body
//
// A body is an ordinary function of a [T], which says how to start goroutines and how to report. It starts two or three of
// them, waits, and then makes exact assertions. It creates what it needs and closes it afterwards, and shares nothing with
// another run. A failure before there is anything to judge is returned as an error and is not a violation; see [Body].
//
// The bodies themselves are free of data races, so a race that a detector reports is the subject's. The order in which a body starts
// its goroutines is a schedule in which each can run to its end before the next begins.
//
// # What this package cannot do
//
// It explores nothing: in most runs under Go's own scheduler a body shows no violation. A subject's database is real, but
// its processes are not: where a race is about two processes, two instances in this process stand for them.
package races
