// Package passing is the part of a soak that is about what goes away: plans that are put away and deleted, and actions that are
// deleted and created anew. All processes of the soak work on the same few, and on no others.
//
// [Act] is who acts: it writes each call down before it makes it, and what came of it afterwards, in a file of its own. [Judge] reads
// these files and wants of each plan, and of each action with the number of its plans, one order of all calls that agrees with the time
// and with what they returned. What may follow what it says by itself; it asks package lifecycle for nothing.
package passing
