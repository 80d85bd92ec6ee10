package control

// Notes are a set of things that nobody controls.
type Notes uint32

// The notes.
const (
	NoteProcess Notes = 1 << iota // another process was started
	NoteC                         // C code was called
	NoteNetwork                   // a socket was opened
	NoteMemory                    // the runtime was asked for its statistics of memory
	NoteWeak                      // a weak pointer was made
)
