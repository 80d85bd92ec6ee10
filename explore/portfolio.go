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
//
// Rejected: DPOR before the samples as well, within 20 schedules, given up as soon
// as the races that it has to reverse are more. Bodies with fewer executions end
// after these then, and not after 150 more; and the searches of docs/strategies.md
// need 5.0 schedules and 66 at worst. But DPOR keeps to the random choices of one
// seed and lets no timer fire while goroutines can run, and samples do not. Of the
// kernels of docs/goker.md one, Grpc3017, is then held to be exhausted after two
// schedules with five of ten seeds, and Serving2137 takes more than 100 schedules
// with one.
func DefaultPlan() []Stage {
	return []Stage{{POS(), 50}, {SURW(), 50}, {PCT(0), 50}, {DPOR(), 200}, {DepthFirst(2), 5000}}
}
