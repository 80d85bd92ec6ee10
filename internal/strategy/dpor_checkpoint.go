package strategy

import "github.com/jacquard-go/jacquard/internal/schedule"

// A dporState is what determines the next schedules.
type dporState struct {
	Seed         uint64
	Nodes        []nodeState
	Begun        bool
	Strict       bool
	Fresh, Whole int
	Runs         int
	Why          string
}

// A nodeState is a node in a checkpoint.
type nodeState struct {
	Step             int
	Enabled, Wanted  []uint32
	Sleep            []sleeperState
	Chosen, Selected uint32
	Cases            int
	Did              schedule.Operation
	Hash             uint64
	Begun, Known     bool
}

// A sleeperState is a sleeper in a checkpoint.
type sleeperState struct {
	ID    uint32
	Op    schedule.Operation
	Since int
}

// Checkpoint saves the decisions of the next schedule, and the work left at each.
func (s *dpor) Checkpoint() ([]byte, error) {
	k := dporState{Seed: s.seed, Begun: s.begun, Strict: s.strict, Fresh: s.fresh, Whole: s.whole, Runs: s.runs, Why: s.why}
	for _, n := range s.nodes {
		kn := nodeState{
			Step: n.step, Enabled: n.enabled, Wanted: n.wanted, Chosen: n.chosen, Selected: n.selected,
			Cases: n.cases, Did: n.did, Hash: n.hash, Begun: n.begun, Known: n.known,
		}
		for _, z := range n.sleep {
			kn.Sleep = append(kn.Sleep, sleeperState{z.id, z.op, z.since})
		}
		k.Nodes = append(k.Nodes, kn)
	}
	return pack(k)
}

// Restore resumes from a checkpoint.
func (s *dpor) Restore(checkpoint []byte) error {
	var k dporState
	if err := unpack(checkpoint, &k); err != nil {
		return err
	}
	*s = dpor{seed: k.Seed, begun: k.Begun, stalling: stalling{strict: k.Strict}, fresh: k.Fresh, whole: k.Whole, runs: k.Runs, why: k.Why}
	for _, kn := range k.Nodes {
		n := node{
			step: kn.Step, enabled: kn.Enabled, wanted: kn.Wanted, chosen: kn.Chosen, selected: kn.Selected,
			cases: kn.Cases, did: kn.Did, hash: kn.Hash, begun: kn.Begun, known: kn.Known,
		}
		for _, z := range kn.Sleep {
			n.sleep = append(n.sleep, sleeper{z.ID, z.Op, z.Since})
		}
		s.nodes = append(s.nodes, n)
	}
	return nil
}
