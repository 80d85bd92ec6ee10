package control

// Notes are a set of uncontrolled things that tasks have done.
type Notes uint32

// The notes.
const (
	NoteProcess  Notes = 1 << iota // another process was started
	NoteC                          // C code was called
	NoteNetwork                    // a socket was opened
	NoteMemory                     // memory statistics were requested from the runtime
	NoteWeak                       // a weak pointer was made
	NoteClock                      // the time was read, and not for logging
	NoteRandom                     // a random number was drawn
	NoteFiles                      // a file operation of package os was called
	NoteMaps                       // a map was ranged over in one of several possible orders
	NoteGarbage                    // the program can observe when garbage is collected
	NotePooled                     // a pool of the program returned what was put into it
	NoteNumber                     // a task read its own stack, and so its goroutine's number
	NoteTogether                   // timers fired together that goroutines could tell apart
)

// NoteMirrored is set by the engine, not by the runtime: a strategy has omitted schedules in
// which the other of two alike goroutines goes first.
const NoteMirrored Notes = 1 << 31

// NoteAlone is set by the engine, too: a goroutine went on alone for so long beside a timer
// that the clock could no longer be chosen between its steps.
const NoteAlone Notes = 1 << 30

// NoteKept is set by the engine, if it watches for that: an execution has used what an earlier
// one of its process had left.
const NoteKept Notes = 1 << 29
