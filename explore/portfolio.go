package explore

// DefaultPlan is a portfolio: it samples with three strategies that miss
// different bugs, then searches. The searches come last because a bug, if there is
// one, is usually met sooner by sampling; DPOR comes before the search with bounded
// preemptions because it ends soon where it can end at all, and then nothing is
// left to run.
//
// It was chosen on the figures of docs/strategies.md. POS and SURW need the
// fewest schedules on average, each is slow where the other is quick, and what
// both miss takes a few particular preemptions, which PCT and the bounded search
// find. PCT's depth grows, and what it runs bounds the chance that a bug was missed.
// The plan misses none of the bugs there and needs 7.6 schedules on average and 156
// at worst. Plans that turn to DPOR after fewer samples would need some 5; they
// would leave more to DPOR, whose schedules are run one after the other.
func DefaultPlan() []Stage {
	return []Stage{{POS(), 50}, {SURW(), 50}, {PCT(0), 50}, {DPOR(), 200}, {DepthFirst(2), 5000}}
}
