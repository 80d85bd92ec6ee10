package commandtest

import (
	"encoding/base64"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/jacquard-go/jacquard/internal/command"
)

// Scripts runs those in testdata/script, which run the command as a process. Beside testscript's own commands
// there are
//
//   - refuse 'regexp' args...: the command ends with code 2, writes nothing to
//     standard output, and says just what is wrong, in one line
//   - quiet: standard error has progress at most
//   - replayline NAME: sets NAME to the command in the replay line of standard
//     output, NAME_CARD to its card
//   - forge HOW CARD NAME: sets NAME to the card after it was changed
//   - damage FOLDER: changes a byte in the middle of each JSON file there
func (c Command) Scripts(t *testing.T) {
	module, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	gocmd, err := exec.LookPath("go")
	if err != nil {
		t.Fatal(err)
	}
	home, err := os.UserHomeDir()
	if err != nil {
		t.Fatal(err)
	}
	flags, err := exec.CommandContext(t.Context(), gocmd, "env", "GOFLAGS").Output()
	if err != nil {
		t.Fatal(err)
	}
	cache := t.TempDir() // for binaries of modules that are deleted when the scripts end
	testscript.Run(t, testscript.Params{
		Dir:                 filepath.Join(filepath.FromSlash(c.Here), "testdata", "script"),
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		UpdateScripts:       *update,
		Setup: func(e *testscript.Env) error {
			e.Setenv(c.variable(), c.Path(t))
			e.Setenv("MODULE", module)
			e.Setenv("GO", gocmd)
			e.Setenv("HOME", home)
			e.Setenv("JACQUARD_CACHE", cache)
			for _, name := range []string{"GOCACHE", "GOMODCACHE", "GOPATH", "GOPROXY", "GOSUMDB", "GOTOOLCHAIN", "CC", "XDG_CACHE_HOME"} {
				if value, ok := os.LookupEnv(name); ok {
					e.Setenv(name, value)
				}
			}
			e.Setenv("GOFLAGS", strings.Join(append(strings.Fields(string(flags)), "-ldflags=-w"), " ")) // linking is most of the cost of scripts
			return nil
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"refuse": c.refuse, "quiet": c.quiet, "replayline": replayLine, "forge": forge, "damage": damage,
		},
	})
}

// variable returns the environment variable with the command's path: JACQUARD, or RACES.
func (c Command) variable() string { return strings.ToUpper(c.Name) }

func (c Command) refuse(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 1 {
		ts.Fatalf("usage: refuse 'regexp' args...")
	}
	var exit *exec.ExitError
	if err := ts.Exec(ts.Getenv(c.variable()), args[1:]...); !errors.As(err, &exit) || exit.ExitCode() != command.ExitError {
		ts.Fatalf("got %v, want exit status %d", err, command.ExitError)
	}
	if out := ts.ReadFile("stdout"); out != "" {
		ts.Fatalf("got %q on standard output, want nothing", out)
	}
	lines := c.Words(ts.ReadFile("stderr"))
	want, err := regexp.Compile("^" + c.Name + ": (?:" + args[0] + ")$")
	ts.Check(err)
	if len(lines) != 1 || !want.MatchString(lines[0]) {
		ts.Fatalf("got %q, want one line that matches %s", lines, want)
	}
}

func (c Command) quiet(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) > 0 {
		ts.Fatalf("usage: quiet")
	}
	if lines := c.Words(ts.ReadFile("stderr")); len(lines) > 0 {
		ts.Fatalf("got %q on standard error, want progress at most", lines)
	}
}

var replayed = regexp.MustCompile(`(?m)^ *replay: ((?:go run \./cmd/races|jacquard) replay (?:-\S+ )*\S+ (jq2-[\w-]+)(?: -args .*)?)$`)

func replayLine(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: replayline NAME")
	}
	line := replayed.FindAllStringSubmatch(ts.ReadFile("stdout"), -1)
	if len(line) != 1 {
		ts.Fatalf("got %d replay lines, want 1", len(line))
	}
	ts.Setenv(args[0], line[0][1])
	ts.Setenv(args[0]+"_CARD", line[0][2])
}

func forge(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 3 {
		ts.Fatalf("usage: forge HOW CARD NAME")
	}
	forged, err := forgery(args[0], args[1])
	ts.Check(err)
	ts.Setenv(args[2], forged)
}

func damage(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: damage FOLDER")
	}
	files, err := filepath.Glob(filepath.Join(args[0], "*.json"))
	ts.Check(err)
	if len(files) == 0 {
		ts.Fatalf("no files in %s", args[0])
	}
	for _, file := range files {
		text := []byte(ts.ReadFile(file))
		text[len(text)/2] ^= 1
		ts.Check(os.WriteFile(file, text, 0o600))
	}
}

// forgery changes a card. Where how names a field, the checksum is still right.
func forgery(how, card string) (string, error) {
	const prefix = "jq2-"
	text := strings.TrimPrefix(card, prefix)
	switch how {
	case "prefix":
		return "jq9-" + text, nil
	case "character":
		i := len(text) / 2
		other := byte('A')
		if text[i] == other {
			other = 'B'
		}
		return prefix + text[:i] + string(other) + text[i+1:], nil
	case "stranger":
		return card[:10] + "!" + card[11:], nil
	case "truncated":
		return card[:len(card)-3], nil
	}
	b, err := base64.RawURLEncoding.DecodeString(text)
	if err != nil {
		return "", err
	}
	b = b[:len(b)-4]
	switch how {
	case "kind":
		b[0] |= 15
	case "program":
		b[5] ^= 1
	case "end":
		b[13] ^= 1
	case "tail":
		b = append(b, 0)
	default:
		return "", errors.New("forge: unknown way " + how)
	}
	b = binary.BigEndian.AppendUint32(b, crc32.ChecksumIEEE(b))
	return prefix + base64.RawURLEncoding.EncodeToString(b), nil
}
