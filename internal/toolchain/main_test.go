package toolchain_test

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"go.uber.org/goleak"

	"github.com/jacquard-go/jacquard/internal/executable"
	"github.com/jacquard-go/jacquard/internal/toolchain"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// module writes a module with these files, by path, and returns its directory.
func module(t *testing.T, path string, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	write(t, dir, "go.mod", "module "+path+"\n\ngo 1.25.0\n")
	for name, text := range files {
		write(t, dir, name, text)
	}
	return dir
}

func write(t *testing.T, dir, name, text string) {
	t.Helper()
	path := filepath.Join(dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// program writes a module whose command prints text.
func program(t *testing.T, text string) string {
	t.Helper()
	return module(t, "example.com/tiny", map[string]string{
		"main.go": "package main\n\nimport \"fmt\"\n\nfunc main() { fmt.Println(\"" + text + "\") }\n",
	})
}

func mustBuild(t *testing.T, req toolchain.Request) string {
	t.Helper()
	binary, err := toolchain.Build(context.Background(), req)
	if err != nil {
		t.Fatal(err)
	}
	return binary
}

// output runs a binary as a controlled one and returns what it prints.
func output(t *testing.T, binary string, args ...string) string {
	t.Helper()
	text, err := controlled(binary, t.TempDir(), args...)
	if err != nil {
		t.Errorf("%s: %v\n%s", binary, err, text)
	}
	return text
}

func controlled(binary, raceDir string, args ...string) (string, error) {
	cmd := exec.Command(binary, args...)
	cmd.Env = executable.Env(os.Environ(), raceDir)
	text, err := cmd.CombinedOutput()
	return strings.TrimSpace(string(text)), err
}

// reports returns everything that the race detector has written in raceDir.
func reports(t *testing.T, raceDir string) string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(raceDir, "race.*"))
	if err != nil {
		t.Fatal(err)
	}
	var all strings.Builder
	for _, file := range files {
		report, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		all.Write(report)
	}
	return all.String()
}
