package goker

import "github.com/jacquard-go/jacquard/bench/goker/program"

// Kernels repeat their body because it seldom fails. Under control once
// is enough, and short executions have short reports.

// rounds is how often the outermost loop of a kernel runs.
func rounds(kernel string) int {
	if kernel == "Moby33781" {
		return 2 // a round waits for as long as its number before it stops; 0 is too soon
	}
	return 1
}

// repeats returns edits that shorten loops inside kernels which repeat the same.
func repeats(kernel string) []program.Edit {
	switch kernel {
	case "Grpc3017":
		return []program.Edit{{Line: 114, From: "10000", To: "10"}}
	case "Hugo3251":
		return []program.Edit{{Line: 64, From: "100", To: "3"}, {Line: 68, From: "200", To: "2"}}
	case "Kubernetes58107":
		return []program.Edit{{Line: 73, From: "100000", To: "10"}, {Line: 81, From: "100000", To: "10"}}
	}
	return nil
}

// A repair restores a bug that a kernel has lost on its way into the Go tree.
type repair struct {
	Edits []program.Edit
	Why   string
}

// repairs returns the repairs without which kernels cannot fail at all.
func repairs() map[string]repair {
	return map[string]repair{
		"Moby27782": {
			Edits: []program.Edit{{Line: 223, From: "defer l.mu.Unlock()", To: ""}, {Line: 225, From: "struct{}{}", To: "struct{}{}; l.mu.Unlock()"}},
			Why: "The mutex of `JSONFileLogger`, which GoBench's kernel does not have, is held by a reader of logs for as long as it reads. " +
				"So nobody can close the reader while it waits, which is the bug. Here it is held while the table of readers is written, and no longer.",
		},
	}
}

// shortened returns a kernel as it is explored: with one round, and repaired.
func shortened(k program.Kernel) (program.Kernel, error) {
	return k.Times(rounds(k.Name)).With(append(repeats(k.Name), repairs()[k.Name].Edits...)...)
}
