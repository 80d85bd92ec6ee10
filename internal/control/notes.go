package control

// Notes are a set of things that nobody controls.
type Notes uint32

// The notes.
const (
	NoteProcess  Notes = 1 << iota // another process was started
	NoteC                          // C code was called
	NoteNetwork                    // a socket was opened
	NoteMemory                     // the runtime was asked for its statistics of memory
	NoteWeak                       // a weak pointer was made
	NoteClock                      // the time was asked for, and not to log it
	NoteRandom                     // a random number was drawn
	NoteFiles                      // package os was called on files
	NoteMaps                       // a map was ranged over whose order may be another
	NoteGarbage                    // the program can tell when garbage is collected
	NoteShuffled                   // several children of a context were cancelled, in random order
	NotePooled                     // a pool of the program's own gave back what was put there
)

// NoteMirrored is the engine's own, and apart from those of the runtime: a strategy has left
// out that one of two goroutines that are alike goes first.
const NoteMirrored Notes = 1 << 31
