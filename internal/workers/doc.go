// Package workers runs schedules in several processes of the program at the same time:
// who they are, what they are asked and say, and how the results come in order. What
// comes of a schedule does not depend on who has run it.
package workers
