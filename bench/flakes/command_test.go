package flakes

import (
	"archive/zip"
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/jacquard-go/jacquard/bench/measure"
)

// flaky is a flake of a module that exists only in this test.
var flaky = flake{
	name: "flaky", module: "example.com/flaky", before: "v1.0.0", after: "v1.0.1", pkg: "sub", test: "TestIt",
	issue: "https://github.com/jacquard-go/jacquard", kind: "wrong result", bug: "it says no",
}

// proxy makes a file-based module proxy with both versions of it; the test came with the
// repair.
func proxy(t *testing.T) {
	t.Helper()
	home := t.TempDir()
	at := filepath.Join(home, "example.com", "flaky", "@v")
	if err := os.MkdirAll(at, 0o755); err != nil {
		t.Fatal(err)
	}
	code := func(says string) string { return "package sub\n\nfunc Right() bool { return " + says + " }\n" }
	test := "package sub\n\nimport \"testing\"\n\nfunc TestIt(t *testing.T) {\n\tif !Right() {\n\t\tt.Fatal(\"wrong\")\n\t}\n}\n"
	for version, files := range map[string]map[string]string{
		flaky.before: {"sub/sub.go": code("false")},
		flaky.after:  {"sub/sub.go": code("true"), "sub/sub_test.go": test},
	} {
		mod := "module " + flaky.module + "\n\ngo 1.25\n"
		files["go.mod"] = mod
		var packed bytes.Buffer
		w := zip.NewWriter(&packed)
		for name, text := range files {
			f, err := w.Create(flaky.module + "@" + version + "/" + name)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := f.Write([]byte(text)); err != nil {
				t.Fatal(err)
			}
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		write(t, filepath.Join(at, version+".info"), `{"Version":"`+version+`"}`)
		write(t, filepath.Join(at, version+".mod"), mod)
		write(t, filepath.Join(at, version+".zip"), packed.String())
	}
	t.Setenv("GOPROXY", "file://"+filepath.ToSlash(home))
	t.Setenv("GOSUMDB", "off")
}

// finder is a command in place of jacquard: it finds something before the repair.
const finder = `#!/bin/sh
case "$*" in *-list*) exit 0;; esac
case "$PWD" in
*v1.0.0) echo '{"Action":"attr","Test":"TestIt","Key":"jacquard","Value":"{\"verdict\":\"violated\",\"kind\":\"check\",\"blame\":\"test\",\"schedule\":30,\"schedules\":30}"}'; exit 1;;
*) echo '{"Action":"attr","Test":"TestIt","Key":"jacquard","Value":"{\"verdict\":\"holds\",\"schedules\":300}"}'; case "$*" in *"-schedules 300 "*) ;; *) exit 2;; esac;;
esac
`

// TestRun: a flake is fetched from the proxy, its test is copied into the version before, run by
// both commands and shown in the page; measured flakes are not measured again, and the others
// are said to be missing.
func TestRun(t *testing.T) {
	proxy(t)
	command := filepath.Join(t.TempDir(), "jacquard")
	if err := os.WriteFile(command, []byte(finder), 0o755); err != nil {
		t.Fatal(err)
	}
	missing := flaky
	missing.name, missing.after = "missing", "v9.9.9"
	other := flaky
	other.name = "other"
	o := order{
		total: time.Minute, schedules: 1000, least: 100, fair: time.Second, folder: t.TempDir(), jacquard: command,
		results: filepath.Join(t.TempDir(), "rows.json"), page: measure.Page{Commit: "c0ffee"},
	}
	all := []flake{flaky, missing, other}
	o.only = "flaky"
	got := runPage(t, o, all)
	for _, want := range []string{
		"| fails, run 1 | fails, run 1 | check | 30 |", "| nothing in 300 | **test**, wrongly |", "Of 1 failures Jacquard says whose bug they are, of 1 of these wrongly", "3 flakes 1 were run; 1 of these are found", "was not run",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("got %s, want %q in it", got, want)
		}
	}
	o.only, o.jacquard = "i", filepath.Join(t.TempDir(), "none")
	if strings.Contains(got, "It was measured at") {
		t.Errorf("got %s, want no other commit than that of the page in it", got)
	}
	o.page.Commit = "decade"
	if got := runPage(t, o, all[:2]); !strings.Contains(got, "It was measured at c0ffee with -total 1m0s") {
		t.Errorf("got %s, want in it at which commit the earlier row was measured", got)
	}
	if got := runPage(t, o, all[:2]); !strings.Contains(got, "| check | 30 |") || !strings.Contains(got, "could not be run") {
		t.Errorf("got %s, want the earlier row in it and that the other could not be run", got)
	}
}

func runPage(t *testing.T, o order, all []flake) string {
	t.Helper()
	var out, errs bytes.Buffer
	if err := o.run(context.Background(), all, &out, &errs); err != nil {
		t.Fatalf("got %v, %s, want no error", err, &errs)
	}
	return out.String()
}

// TestEarlier: a file of results that cannot be read is an error, a missing one is not.
func TestEarlier(t *testing.T) {
	file := filepath.Join(t.TempDir(), "rows.json")
	o := order{results: file}
	if rows, err := o.earlier(); err != nil || len(rows) != 0 {
		t.Errorf("got %v, %v without a file, want nothing", rows, err)
	}
	write(t, file, "{")
	if _, err := o.earlier(); err == nil {
		t.Error("got no error for half a file, want one")
	}
	text, err := json.Marshal(map[string]*row{"a": {Name: "a"}})
	if err != nil {
		t.Fatal(err)
	}
	write(t, file, string(text))
	if rows, err := o.earlier(); err != nil || rows["a"] == nil {
		t.Errorf("got %v, %v, want the row in the file", rows, err)
	}
}

// A page contains no paths of the machine.
func TestUnplaced(t *testing.T) {
	got := string(unplaced([]byte("Trace:\t/tmp/flakes/a@v1/b/zz_test.go:7\n\t/usr/local/go/src/runtime/asm.s:9 of b/src/time/x.go"), "/tmp/flakes/a@v1"))
	if want := "Trace:\tb/zz_test.go:7\n\truntime/asm.s:9 of b/src/time/x.go"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
