// Package workers runs schedules in several processes of the program at the same time:
// it starts the processes, exchanges messages with them, and returns results in order.
// The result of a schedule does not depend on the process that has run it.
package workers
