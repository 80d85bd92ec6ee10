package stress

import (
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/jacquard-go/jacquard/races"
)

// trial is a campaign that runs in this process. It is safe for concurrent use.
type trial struct {
	job
	deadline time.Time
	progress *progressFile
	log      raceLog
	ended    atomic.Int64 // number of rounds
	over     atomic.Bool  // a finding or an error has ended the campaign
	raced    atomic.Bool  // a data race has been recorded

	mu       sync.Mutex
	counts   Counts    // written and read under mu
	sums     ledger    // written and read under mu
	outcomes outcomes  // written and read under mu
	findings []Finding // written and read under mu
	trouble  string    // written and read under mu
}

func newTrial(j job) (*trial, error) {
	progress, err := createProgress(j.Dir)
	if err != nil {
		return nil, err
	}
	return &trial{job: j, deadline: time.Now().Add(j.Time), progress: progress, log: raceLogOf(j.Dir, pid())}, nil
}

func (t *trial) close() error { return t.progress.file.Close() }

// next begins a round if there is time for one. An untried campaign gets its round however late it is.
func (t *trial) next(untried bool) (round int64, ok bool) {
	if t.over.Load() || !untried && !time.Now().Before(t.deadline) {
		return 0, false
	}
	round, err := t.progress.begin()
	if err != nil {
		t.giveUp(err)
		return 0, false
	}
	return round, true
}

// count adds to the counts. If there are failures, the first one is a finding, and the campaign ends.
func (t *trial) count(round int64, counts Counts, failures []string) {
	t.mu.Lock()
	t.counts.add(counts)
	t.mu.Unlock()
	if len(failures) > 0 {
		t.find(races.KindCheck, round, failures[0])
	}
}

// observe counts the outcome of a round. A forbidden one is a finding, but the campaign continues, because the frequency
// says more than a single occurrence.
func (t *trial) observe(round int64, o Outcome) {
	t.mu.Lock()
	t.outcomes.add(o)
	t.mu.Unlock()
	if o.Grade == Forbidden {
		message := o.Means // for a body, Means is the failure
		if o.Test != "" {
			message = o.Test + ": " + o.What
		}
		t.note(Finding{races.KindCheck, round, message})
	}
}

// end ends a round.
func (t *trial) end(round int64) {
	t.lookForRaces(round)
	t.ended.Add(1)
}

// lookForRaces records the first data race. The campaign continues unless the job says StopAtRace.
func (t *trial) lookForRaces(round int64) {
	if t.raced.Load() || !t.log.any() || !t.raced.CompareAndSwap(false, true) {
		return
	}
	if err := t.progress.race(round); err != nil {
		t.giveUp(err)
	}
	t.note(Finding{races.KindRace, round, t.log.first()})
	if t.StopAtRace {
		t.over.Store(true)
	}
}

// find records a finding that ends the campaign.
func (t *trial) find(kind races.Kind, round int64, message string) {
	t.note(Finding{kind, round, message})
	t.over.Store(true)
}

// note records the first finding of a kind: rounds on other processors may meet it too.
func (t *trial) note(f Finding) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if !slices.ContainsFunc(t.findings, func(known Finding) bool { return known.Kind == f.Kind }) {
		f.Message = shortened(f.Message)
		t.findings = append(t.findings, f)
	}
}

// shortened returns a message of at most 500 bytes.
func shortened(message string) string {
	const limit = 500
	if len(message) > limit {
		message = strings.ToValidUTF8(message[:limit], "") + "…"
	}
	return message
}

// giveUp ends the campaign because it cannot be run.
func (t *trial) giveUp(err error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.trouble == "" {
		t.trouble = err.Error()
	}
	t.over.Store(true)
}

// result returns the result so far. It shares no memory with the trial.
func (t *trial) result() Result {
	t.mu.Lock()
	defer t.mu.Unlock()
	return Result{
		Subject: t.Subject, Campaign: t.Campaign, Rounds: t.progress.rounds.Load(),
		Counts: t.counts, Sums: slices.Clone(t.sums), Outcomes: t.outcomes.sorted(), Findings: slices.Clone(t.findings), Trouble: t.trouble,
	}
}

// ledger is the sums of a campaign, in the order in which they were first counted.
type ledger []Sum

// add adds to the sum with the given name.
func (l *ledger) add(what string, got, want int64) {
	i := slices.IndexFunc(*l, func(s Sum) bool { return s.What == what })
	if i < 0 {
		i = len(*l)
		*l = append(*l, Sum{What: what})
	}
	(*l)[i].Got += got
	(*l)[i].Want += want
}

// sum adds to a sum of the campaign.
func (t *trial) sum(what string, got, want int64) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.sums.add(what, got, want)
}
