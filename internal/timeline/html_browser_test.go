package timeline_test

import (
	"bytes"
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	"html"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/jacquard-go/jacquard/internal/timeline"
)

// browser finds Chromium by the names that it goes by.
func browser() (string, bool) {
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome", "chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			return path, true
		}
	}
	return "", false
}

// dump opens a page in headless Chromium, with what follows "#" in its
// address, and returns the document as it is when the script is done. It
// reports false if there is no Chromium on the machine.
func dump(t *testing.T, page, fragment string) (string, bool) {
	t.Helper()
	chromium, ok := browser()
	if !ok {
		t.Log("no Chromium on this machine: only what the page holds without its script is checked")
		return "", false
	}
	// Not t.TempDir: a process of the browser may write there a little longer.
	dir, err := os.MkdirTemp("", "jacquard-page-*")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	file := filepath.Join(dir, "page.html")
	if err := os.WriteFile(file, []byte(page), 0o600); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, chromium, "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
		"--disable-background-networking", "--disable-component-update", "--disable-sync", "--disable-dev-shm-usage",
		"--enable-logging=stderr", "--user-data-dir="+filepath.Join(dir, "profile"), "--window-size=1200,900",
		"--virtual-time-budget=3000", "--dump-dom", "file://"+filepath.ToSlash(file)+fragment)
	cmd.Env = append(os.Environ(), "HOME="+dir)
	cmd.WaitDelay = 5 * time.Second
	var dom, log bytes.Buffer
	cmd.Stdout, cmd.Stderr = &dom, &log
	if err := cmd.Run(); err != nil {
		t.Fatalf("%s: %v\n%s", chromium, err, log.String())
	}
	for _, line := range strings.Split(log.String(), "\n") {
		if strings.Contains(line, "CONSOLE") {
			t.Errorf("the browser's console: %s", line)
		}
	}
	return dom.String(), true
}

var (
	rootTag  = regexp.MustCompile(`<html [^>]*>`)
	datum    = regexp.MustCompile(`data-([a-z]+)="([^"]*)"`)
	stepTag  = regexp.MustCompile(`<div class="step[^>]*>`)
	laneTags = regexp.MustCompile(`(?s)<div id="lanes"[^>]*>(.*?)<div id="gutter"`)
)

// state is what the page says of itself: the data attributes of its root.
func state(t *testing.T, dom string) map[string]string {
	t.Helper()
	all := map[string]string{}
	for _, m := range datum.FindAllStringSubmatch(rootTag.FindString(dom), -1) {
		all[m[1]] = m[2]
	}
	return all
}

// checkState checks that the script ran to its end without an error, and what
// it shows.
func checkState(t *testing.T, dom string, lanes, steps int, all bool) {
	t.Helper()
	got := fmt.Sprint(state(t, dom))
	zoom := state(t, dom)["zoom"]
	want := fmt.Sprint(map[string]string{
		"all": strconv.FormatBool(all), "errors": "0", "lanes": strconv.Itoa(lanes), "ready": "true", "steps": strconv.Itoa(steps), "zoom": zoom,
	})
	if got != want {
		t.Errorf("the page's state: got %s, want %s", got, want)
	}
	inside := laneTags.FindStringSubmatch(dom)
	if inside == nil || strings.Count(inside[1], "<div") != lanes {
		t.Errorf("lanes: got %q, want %d", inside, lanes)
	}
}

// TestBrowser opens pages as they are: the content security policy must let
// the script run.
func TestBrowser(t *testing.T) {
	tl := readInput(t, "testdata/deadlock.json").Timeline
	matter := 0
	for _, s := range tl.Steps {
		if s.Matters || s.Mark != timeline.None {
			matter++
		}
	}
	if matter == len(tl.Steps) {
		tl.Steps = append(tl.Steps, timeline.Step{Index: len(tl.Steps) + 1, Op: "aside"})
	}
	for fragment, want := range map[string]int{"": matter, "#all": len(tl.Steps), "#zoom=50": matter} {
		page := asHTML(t, &tl)
		wants(t, page, tl.Title, tl.Verdict, tl.Replay)
		dom, ok := dump(t, page, fragment)
		if !ok {
			return
		}
		checkState(t, dom, len(tl.Threads), want, fragment == "#all")
		if got := len(stepTag.FindAllString(dom, -1)); got != want {
			t.Errorf("%q: got %d steps, want %d", fragment, got, want)
		}
		wants(t, dom, "class=\"mark conflict\"", "all "+strconv.Itoa(len(tl.Steps))+" steps ("+strconv.Itoa(matter)+" matter)")
		for _, thread := range tl.Threads {
			wants(t, dom, "<strong>"+thread.Name+"</strong>")
		}
	}
}

// long is an execution of n steps, of which every tenth matters.
func long(n int) *timeline.Timeline {
	tl := &timeline.Timeline{Title: "long", Verdict: "violated: check"}
	for i := range 8 {
		tl.Threads = append(tl.Threads, timeline.Thread{Name: fmt.Sprintf("worker-%d", i), CreatedBy: "body"})
	}
	for i := range n {
		tl.Steps = append(tl.Steps, timeline.Step{
			Index: i + 1, Thread: i / 3 % 8, Op: "Mutex.Lock", Object: fmt.Sprintf("mu#%d", i%30), Value: "→ 3",
			Where: fmt.Sprintf("lifecycle/store.go:%d", i%200), Func: "lifecycle.(*Store).Add", Matters: i%10 == 0,
		})
	}
	tl.Steps[n/2+1].Mark = timeline.Stopped | timeline.Conflict
	tl.Steps[10].Stack = []string{"lifecycle.(*Store).Add lifecycle/store.go:10", "main.main <b>main.go:3"}
	return tl
}

// TestBrowserLong checks that a long execution costs few elements, whatever
// the zoom.
func TestBrowserLong(t *testing.T) {
	const n = 5000
	page := asHTML(t, long(n))
	if most := 60 * n; len(page) > most {
		t.Errorf("the page of %d steps: got %d bytes, want at most %d", n, len(page), most)
	}
	for fragment, most := range map[string]int{"#all&step=2502": 80, "#all&zoom=5": 450} {
		dom, ok := dump(t, page, fragment)
		if !ok {
			return
		}
		checkState(t, dom, 8, n, true)
		got := len(stepTag.FindAllString(dom, -1))
		if got < 20 || got > most {
			t.Errorf("%s: got %d elements, want at most %d", fragment, got, most)
		}
		if strings.Contains(fragment, "step=") {
			wants(t, dom, `id="step-2501"`, "worker-1 stopped here", "lifecycle.(*Store).Add</dd>")
		}
	}
}

// open is a page without its content security policy, so that only escaping is
// left to protect it, and with another script at its end.
func open(page, script string) string {
	policy := regexp.MustCompile(`<meta http-equiv="Content-Security-Policy"[^>]*>\n`)
	page = policy.ReplaceAllString(page, "")
	return strings.Replace(page, "</body>", "<script>"+script+"</script></body>", 1)
}

// TestBrowserHostile shows attacks in every field, in the table and the card.
func TestBrowserHostile(t *testing.T) {
	tl := hostile()
	page := asHTML(t, tl)
	dom, ok := dump(t, open(page, ""), "#all&step=1")
	if !ok {
		return
	}
	checkState(t, dom, 2, 2, true)
	if strings.Contains(dom, "<img") || state(t, dom)["owned"] != "" {
		t.Error("a text of the timeline became part of the page")
	}
	wants(t, dom, "<strong>"+tl.Threads[1].Name+"</strong>", tl.Steps[0].Value+"</dd>")
}

//go:embed testdata/browser.js
var actions string

var result = regexp.MustCompile(`(?s)<pre id="result">(.*?)</pre>`)

// TestBrowserActions uses the page as people do, by the script in testdata,
// and compares what it saw.
func TestBrowserActions(t *testing.T) {
	tl := long(200)
	tl.Replay = "jacquard replay long jq1-card"
	page := asHTML(t, tl)
	wants(t, page, `id="copy"`, `id="show-all"`, tl.Replay)
	dom, ok := dump(t, open(page, actions), "")
	if !ok {
		return
	}
	if got := state(t, dom)["errors"]; got != "0" {
		t.Errorf("errors of the script: got %s, want 0", got)
	}
	found := result.FindStringSubmatch(dom)
	if found == nil {
		t.Fatal("the actions did not come to their end")
	}
	var got map[string]string
	if err := json.Unmarshal([]byte(html.UnescapeString(found[1])), &got); err != nil {
		t.Fatal(err)
	}
	for what, saw := range got {
		if saw != "ok" {
			t.Errorf("%s: got %s", what, saw)
		}
	}
	if want := strings.Count(actions, "\ncheck("); len(got) != want {
		t.Errorf("checks: got %d, want %d", len(got), want)
	}
}
