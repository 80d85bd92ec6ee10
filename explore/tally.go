package explore

import (
	"encoding/binary"
	"fmt"
	"os"
	"path/filepath"

	"github.com/jacquard-go/jacquard/internal/footprint"
	"github.com/jacquard-go/jacquard/internal/schedule"
)

// tallyEnv names the variable that holds a folder in which fuzzing processes record
// what they have seen, for the process that started them to count: one file per
// process, with the sums of its distinct executions, eight bytes each.
const tallyEnv = "JACQUARD_TALLY"

// mostTallied bounds how many sums one process remembers.
const mostTallied = 1 << 20

// A tally records the executions of one target in one process. The zero value records nothing.
type tally struct {
	file *os.File
	seen map[uint64]bool
}

func (y *tally) open(target string) error {
	dir := os.Getenv(tallyEnv)
	if dir == "" {
		return nil
	}
	file, err := os.Create(filepath.Join(dir, fmt.Sprintf("%s.%d", target, os.Getpid())))
	if err != nil {
		return fmt.Errorf("explore: %s: %w", tallyEnv, err)
	}
	y.file, y.seen = file, make(map[uint64]bool)
	return nil
}

// add records the sums of executions that are new.
func (y *tally) add(sums map[uint64]bool) error {
	if y.file == nil {
		return nil
	}
	var fresh []byte
	for sum := range sums {
		if !y.seen[sum] && len(y.seen) < mostTallied {
			y.seen[sum] = true
			fresh = binary.LittleEndian.AppendUint64(fresh, sum)
		}
	}
	if _, err := y.file.Write(fresh); err != nil {
		return fmt.Errorf("explore: %s: %w", tallyEnv, err)
	}
	return nil
}

func (y *tally) close() error {
	if y.file == nil {
		return nil
	}
	return y.file.Close()
}

// A touch is the last operation on an object.
type touch struct {
	place     uint64
	goroutine uint32
	mode      schedule.Mode
}

// leaveFootprint marks, for Go's fuzzer, which conflicting operations of different
// goroutines came right after one another on the same object. It identifies operations by
// their places in the code, so that common behaviour looks the same in several executions.
func leaveFootprint(steps []schedule.Step) {
	last := make(map[uint32]touch)
	for _, s := range steps {
		for i := range s.Operation.Accesses() {
			a := s.Operation.Access(i)
			now := touch{s.Site, s.Goroutine, a.Mode}
			was, ok := last[a.Object]
			if ok && was.goroutine != now.goroutine && !schedule.Commute(was.mode, now.mode) {
				footprint.Mark(schedule.Mix(schedule.Mix(was.place, now.place), uint64(was.mode)<<8|uint64(now.mode)))
			}
			last[a.Object] = now
		}
	}
}
