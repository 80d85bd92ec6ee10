package bundle_test

import (
	"strings"
	"testing"

	"github.com/jacquard-go/jacquard/suite/bundle"
)

// A merge is not a success if a shard is missing, and an error if one, or a folder, is
// there twice.
func TestMergeWantsAllShards(t *testing.T) {
	dirs := map[string]string{}
	for _, name := range []string{"1/3", "2/3", "3/3", "1/2"} {
		dirs[name] = t.TempDir() + "/"
		if err := (&bundle.Run{Shards: []string{name}}).Write(dirs[name]); err != nil {
			t.Fatal(err)
		}
	}
	dirs["same"], dirs["other"] = strings.TrimSuffix(dirs["1/3"], "/"), t.TempDir()
	if err := (&bundle.Run{Shards: []string{"1/3"}}).Write(dirs["other"]); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ shards, word, lacks, err string }{
		{"1/3 2/3 3/3", "nothing failed", "", ""},
		{"3/3 1/3", "not whole", "there is nothing of shard 2/3", ""},
		{"2/3", "not whole", "there is nothing of shard 1/3, 3/3", ""},
		{"1/3 2/3 other", "", "", "got shard 1/3 twice, want each once"},
		{"1/3 2/3 same", "", "", "got the folder " + dirs["same"] + " twice, want each once"},
		{"1/3 1/2", "", "", "got shards 1/3 and 1/2, want those of one run"},
	} {
		var all []string
		for _, name := range strings.Fields(c.shards) {
			all = append(all, dirs[name])
		}
		r, err := bundle.Merge(t.TempDir(), all)
		switch {
		case c.err != "":
			if err == nil || err.Error() != c.err {
				t.Errorf("%s: got %v, want %s", c.shards, err, c.err)
			}
		case err != nil || r.Word() != c.word || r.Lacks() != c.lacks:
			t.Errorf("%s: got %v, %+v", c.shards, err, r)
		case !strings.Contains(r.Summary(), "### Jacquard: "+c.word) || !strings.Contains(r.Summary(), c.lacks):
			t.Errorf("%s: got %s", c.shards, r.Summary())
		}
	}
}
