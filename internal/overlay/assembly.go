package overlay

import (
	"fmt"
	"regexp"
	"strings"
)

// An arch describes the assembly of atomic operations and of the race detector for one
// processor.
type arch struct {
	file    string
	testMem string // jumps to label slow if memory points are on
	call    string // calls a function without arguments
	tail    string // jumps to a function
	leaf    string // how an operation of sync/atomic calls the detector
	caller  string // passes the detector the caller of the operation
	told    string // passes it the result of jqAtomic instead; "" changes nothing
	point   string // calls jqAtomic from a function without a frame
}

// arches are the supported processors. On arm64 only the build without the race
// detector has been run, under qemu-user.
var arches = map[string]arch{
	"amd64": {
		file:    "runtime/race_amd64.s",
		testMem: "\tCMPB\truntime·jqMemOn(SB), $0\n\tJNE\tjqslow\n",
		call:    "\tCALL\t",
		tail:    "\tJMP\t",
		leaf:    "\tCALL\tracecallatomic<>(SB)\n",
		caller:  "\tMOVQ\t8(SP), RARG1\t// caller pc\n",
		told:    "\tMOVQ\tBX, RARG1\n",
		point:   "\tCALL\truntime·jqAtomic<ABIInternal>(SB)\n",
	},
	"arm64": {
		file:    "runtime/race_arm64.s",
		testMem: "\tMOVBU\truntime·jqMemOn(SB), R9\n\tCBNZ\tR9, jqslow\n",
		call:    "\tBL\t",
		tail:    "\tJMP\t",
		leaf:    "\tBL\tracecallatomic<>(SB)\n",
		// The assembler records the frame for the runtime only if SUB and ADD make it.
		point: "\tSUB\t$16, RSP\n\tMOVD\tR30, (RSP)\n\tMOVD\tR29, -8(RSP)\n\tSUB\t$8, RSP, R29\n" +
			"\tBL\truntime·jqAtomic<ABIInternal>(SB)\n" +
			"\tMOVD\t-8(RSP), R29\n\tMOVD\t(RSP), R30\n\tADD\t$16, RSP\n",
	},
}

// accessors are the race detector's entry points for compiled code, and the functions
// that replace them while memory points are on.
var accessors = []struct{ name, slow string }{
	{"raceread", "jqRaceRead"},
	{"racewrite", "jqRaceWrite"},
	{"racereadrange", "jqRaceReadRange"},
	{"racewriterange", "jqRaceWriteRange"},
}

// atomicLeaves is how many operations of sync/atomic call the detector themselves; the
// others jump to one of these.
const atomicLeaves = 14

// atomicAdds is how many of them are additions.
const atomicAdds = 2

var textLine = regexp.MustCompile(`(?m)^TEXT[^\n]*\n`)

// editAssembly inserts a point into each operation of sync/atomic and a switch before
// each plain access.
func editAssembly(src string, a arch) (string, error) {
	blocks := splitText(src)
	leaves, adds, found := 0, 0, 0
	for i, b := range blocks {
		var err error
		switch {
		case strings.HasPrefix(b, "TEXT\tsync∕atomic·") && strings.Contains(b, a.leaf):
			leaves++
			blocks[i], err = behind(b, "\tGO_ARGS\n", a.call+"runtime·jqAtomic<ABIInternal>(SB)\n")
			if err == nil && strings.HasPrefix(b, "TEXT\tsync∕atomic·Add") {
				adds++
				blocks[i], err = behind(blocks[i], a.leaf, a.call+"runtime·jqAdded<ABIInternal>(SB)\n")
			}
		case strings.HasPrefix(b, "TEXT\tracecallatomic<>(SB)") && a.told != "":
			blocks[i], err = first(b, a.caller, 2, a.told) // a.caller names code that the detector does not know
		case strings.HasPrefix(b, "TEXT\truntime·racereadpc(SB)"):
			blocks[i] = strings.Replace(b, "racereadpc", "jqRaceReadPC", 1)
			found++
		case strings.HasPrefix(b, "TEXT\truntime·racewritepc(SB)"):
			blocks[i] = strings.Replace(b, "racewritepc", "jqRaceWritePC", 1)
			found++
		}
		for _, acc := range accessors {
			if strings.HasPrefix(b, "TEXT\truntime·"+acc.name+"<ABIInternal>(SB)") {
				blocks[i], err = switchAccess(b, a, acc.slow)
				found++
			}
		}
		if err != nil {
			return "", err
		}
	}
	if leaves != atomicLeaves || adds != atomicAdds || found != len(accessors)+2 {
		return "", fmt.Errorf("%d atomic operations, %d additions and %d accessors, want %d, %d and %d", leaves, adds, found, atomicLeaves, atomicAdds, len(accessors)+2)
	}
	return strings.Join(blocks, ""), nil
}

// switchAccess inserts the test after the TEXT line and the jump after the block's last
// instruction.
func switchAccess(block string, a arch, slow string) (string, error) {
	head := textLine.FindString(block)
	block, err := behind(block, "racecalladdr<>(SB)\n", "jqslow:\n"+a.tail+"runtime·"+slow+"<ABIInternal>(SB)\n")
	return head + a.testMem + strings.TrimPrefix(block, head), err
}

// behind inserts text behind an anchor, which must occur once in the block of an operation.
func behind(block, anchor, text string) (string, error) {
	return first(block, anchor, 1, anchor+text)
}

// first replaces the first of so many occurrences of an anchor.
func first(block, anchor string, want int, with string) (string, error) {
	if got := strings.Count(block, anchor); got != want {
		return "", fmt.Errorf("%s: anchor %q occurs %d times, want %d", firstLine(block), anchor, got, want)
	}
	return strings.Replace(block, anchor, with, 1), nil
}

// splitText splits an assembly file before each TEXT line.
func splitText(src string) []string {
	var blocks []string
	at := 0
	for _, loc := range textLine.FindAllStringIndex(src, -1) {
		blocks = append(blocks, src[at:loc[0]])
		at = loc[0]
	}
	return append(blocks, src[at:])
}
