package main

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/jacquard-go/jacquard/internal/command"
)

// The fields of Kubernetes' API that the manifests use, by the names and types of batch/v1
// and core/v1. What is not here is refused.
type (
	kubeList struct {
		APIVersion string            `json:"apiVersion"`
		Kind       string            `json:"kind"`
		Items      []json.RawMessage `json:"items"`
	}
	kubeType struct {
		APIVersion string   `json:"apiVersion"`
		Kind       string   `json:"kind"`
		Metadata   kubeMeta `json:"metadata"`
	}
	kubeMeta struct {
		Name string `json:"name"`
	}
	kubeClaim struct {
		kubeType
		Spec struct {
			AccessModes []string `json:"accessModes"`
			Resources   struct {
				Requests map[string]string `json:"requests"`
			} `json:"resources"`
		} `json:"spec"`
	}
	kubeJob struct {
		kubeType
		Spec struct {
			CompletionMode       string `json:"completionMode"`
			Completions          int32  `json:"completions"`
			Parallelism          int32  `json:"parallelism"`
			BackoffLimit         *int32 `json:"backoffLimit"`
			BackoffLimitPerIndex *int32 `json:"backoffLimitPerIndex"`
			MaxFailedIndexes     *int32 `json:"maxFailedIndexes"`
			PodFailurePolicy     *struct {
				Rules []kubeRule `json:"rules"`
			} `json:"podFailurePolicy"`
			Template struct {
				Spec kubePod `json:"spec"`
			} `json:"template"`
		} `json:"spec"`
	}
	kubeRule struct {
		Action      string `json:"action"`
		OnExitCodes *struct {
			ContainerName string  `json:"containerName"`
			Operator      string  `json:"operator"`
			Values        []int32 `json:"values"`
		} `json:"onExitCodes"`
		OnPodConditions []struct {
			Type   string `json:"type"`
			Status string `json:"status"`
		} `json:"onPodConditions"`
	}
	kubePod struct {
		RestartPolicy string          `json:"restartPolicy"`
		Containers    []kubeContainer `json:"containers"`
		Volumes       []struct {
			Name                  string `json:"name"`
			PersistentVolumeClaim struct {
				ClaimName string `json:"claimName"`
			} `json:"persistentVolumeClaim"`
		} `json:"volumes"`
	}
	kubeContainer struct {
		Name    string   `json:"name"`
		Image   string   `json:"image"`
		Command []string `json:"command"`
		Env     []struct {
			Name  string `json:"name"`
			Value string `json:"value"`
		} `json:"env"`
		Resources struct {
			Requests map[string]string `json:"requests"`
			Limits   map[string]string `json:"limits"`
		} `json:"resources"`
		VolumeMounts []struct {
			Name      string `json:"name"`
			MountPath string `json:"mountPath"`
		} `json:"volumeMounts"`
	}
)

var (
	label    = regexp.MustCompile(`^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$`)
	quantity = regexp.MustCompile(`^[0-9]+([.][0-9]+)?(m|k|M|G|Ki|Mi|Gi)?$`)
)

// A manifest is one that Kubernetes would take, as far as can be said here: each field is
// one of the API's, and those that depend on each other go together.
func TestManifests(t *testing.T) {
	claims, jobs := manifest(t, "stress-job.json")
	if len(claims) != 1 || len(jobs) != 1 {
		t.Fatalf("got %d claims and %d jobs, want one of each", len(claims), len(jobs))
	}
	_, merges := manifest(t, "stress-merge-job.json")
	for _, wrong := range slices.Concat(jobs[0].wrong(claims[0].Metadata.Name), merges[0].wrong(claims[0].Metadata.Name), claims[0].wrong()) {
		t.Error(wrong)
	}
	bad := jobs[0]
	bad.Spec.CompletionMode, bad.Spec.Template.Spec.RestartPolicy, bad.Metadata.Name = "NonIndexed", "OnFailure", "Stress"
	if wrong := bad.wrong("another"); len(wrong) != 4 {
		t.Errorf("got %q, want four complaints", wrong)
	}
}

func (c kubeClaim) wrong() (wrong []string) {
	if !label.MatchString(c.Metadata.Name) || !quantity.MatchString(c.Spec.Resources.Requests["storage"]) || !slices.Contains(c.Spec.AccessModes, "ReadWriteMany") {
		wrong = append(wrong, fmt.Sprintf("got %+v, want a name, a size, and a volume that several nodes write", c))
	}
	return wrong
}

// wrong is what Kubernetes would refuse.
func (j kubeJob) wrong(claim string) (wrong []string) {
	complain := func(bad bool, format string, args ...any) {
		if bad {
			wrong = append(wrong, j.Metadata.Name+": "+fmt.Sprintf(format, args...))
		}
	}
	s, pod := j.Spec, j.Spec.Template.Spec
	complain(!label.MatchString(j.Metadata.Name), "got name %q, want a DNS label", j.Metadata.Name)
	indexed := s.CompletionMode == "Indexed"
	complain(!indexed && (s.BackoffLimitPerIndex != nil || s.MaxFailedIndexes != nil), "got limits for each index, want them in an Indexed job only")
	complain(indexed && (s.Completions < 1 || s.Parallelism < 1), "got %d completions, %d at a time, want some", s.Completions, s.Parallelism)
	complain(s.MaxFailedIndexes != nil && (s.BackoffLimitPerIndex == nil || *s.MaxFailedIndexes > s.Completions), "got maxFailedIndexes without its limit, or above it")
	complain(pod.RestartPolicy != "Never" && (s.PodFailurePolicy != nil || s.BackoffLimitPerIndex != nil || pod.RestartPolicy != "OnFailure"), "got restartPolicy %q, want Never", pod.RestartPolicy)
	volumes := make(map[string]bool)
	for _, v := range pod.Volumes {
		volumes[v.Name] = true
		complain(v.PersistentVolumeClaim.ClaimName != claim, "got claim %q, want %q", v.PersistentVolumeClaim.ClaimName, claim)
	}
	var names []string
	for _, c := range pod.Containers {
		names = append(names, c.Name)
		complain(!label.MatchString(c.Name) || c.Image == "" || len(c.Command) == 0, "got container %+v, want a name, an image and a command", c)
		for _, m := range c.VolumeMounts {
			complain(!volumes[m.Name] || !filepath.IsAbs(m.MountPath), "got mount %+v, want one of a volume", m)
		}
		for _, all := range []map[string]string{c.Resources.Requests, c.Resources.Limits} {
			for what, q := range all {
				complain(!quantity.MatchString(q) || what != "cpu" && what != "memory", "got %s %q, want a quantity", what, q)
			}
		}
	}
	if s.PodFailurePolicy != nil {
		for _, r := range s.PodFailurePolicy.Rules {
			complain(!slices.Contains([]string{"Ignore", "FailIndex"}, r.Action), "got action %q", r.Action)
			complain((r.OnExitCodes == nil) == (len(r.OnPodConditions) == 0), "got rule %+v, want one thing that it is about", r)
			complain(r.OnExitCodes != nil && (r.OnExitCodes.Operator != "In" || !slices.Contains(names, r.OnExitCodes.ContainerName) || slices.Contains(r.OnExitCodes.Values, 0)), "got rule %+v", r)
		}
	}
	return wrong
}

// manifest reads a file strictly.
func manifest(t *testing.T, name string) (claims []kubeClaim, jobs []kubeJob) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("docs", name))
	if err != nil {
		t.Fatal(err)
	}
	var list kubeList
	strictly(t, text, &list)
	if list.APIVersion != "v1" || list.Kind != "List" {
		t.Errorf("got %s %s, want a List of v1", list.APIVersion, list.Kind)
	}
	for _, item := range list.Items {
		var of kubeType
		if err := json.Unmarshal(item, &of); err != nil {
			t.Fatal(err)
		}
		switch of.APIVersion + " " + of.Kind {
		case "v1 PersistentVolumeClaim":
			claims = append(claims, kubeClaim{})
			strictly(t, item, &claims[len(claims)-1])
		case "batch/v1 Job":
			jobs = append(jobs, kubeJob{})
			strictly(t, item, &jobs[len(jobs)-1])
		default:
			t.Errorf("got %s %s, want a claim or a job", of.APIVersion, of.Kind)
		}
	}
	return claims, jobs
}

func strictly(t *testing.T, text []byte, into any) {
	t.Helper()
	d := json.NewDecoder(strings.NewReader(string(text)))
	d.DisallowUnknownFields()
	if err := d.Decode(into); err != nil {
		t.Fatal(err)
	}
}

// Each pod runs the shard of its index, all of them make one whole, and each may leave
// its report: what the script asks for, the command takes.
func TestEveryPodHasItsShard(t *testing.T) {
	_, jobs := manifest(t, "stress-job.json")
	job := jobs[0]
	bin, results := t.TempDir(), t.TempDir()
	for _, tool := range []string{"git", "go"} {
		write(t, filepath.Join(bin, tool), "#!/bin/sh\nexit 0\n")
	}
	write(t, filepath.Join(bin, "races"), "#!/bin/sh\nprintf '%s\\n' \"$@\"\n")
	for _, tool := range []string{"git", "go", "races"} {
		if err := os.Chmod(filepath.Join(bin, tool), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	c := job.Spec.Template.Spec.Containers[0]
	script := strings.NewReplacer("/results", results, "/src", bin, "/tmp/races", filepath.Join(bin, "races")).Replace(c.Command[2])
	for i := range int(job.Spec.Completions) {
		cmd := exec.Command(c.Command[0], c.Command[1], script)
		cmd.Env = append(os.Environ(), "PATH="+bin+":"+os.Getenv("PATH"), "JOB_COMPLETION_INDEX="+strconv.Itoa(i))
		for _, e := range c.Env {
			cmd.Env = append(cmd.Env, e.Name+"="+e.Value)
		}
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("pod %d: %v\n%s", i, err, out)
		}
		said, err := os.ReadFile(filepath.Join(results, fmt.Sprintf("stress-%d.json", i+1)))
		if err != nil {
			t.Fatal(err)
		}
		args := strings.Fields(string(said))
		if got, want := args[slices.Index(args, "-shard")+1], fmt.Sprintf("%d/%d", i+1, job.Spec.Completions); got != want {
			t.Errorf("pod %d: got shard %s, want %s", i, got, want)
		}
		// A pattern that matches nothing ends the command once it has read its flags.
		told := tested.Run(t, append(args, "-run", "^no such campaign$")...)
		if told.Code != command.ExitError || !strings.Contains(told.Errs, "no campaign matches") {
			t.Errorf("pod %d: %v: got code %d, %s, want the flags to be taken", i, args, told.Code, told.Errs)
		}
	}
}
