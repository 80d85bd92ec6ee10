package mutations

// A sighting is where the instruments look for a mutation: the rows that are about
// what it breaks.
type sighting struct {
	tags      string // of the features' scenarios
	campaigns string // rows of stress
	targets   string // of fuzz
	explored  string // the tests of lifecycle/explored, or of cache/explored; empty is none
	soaked    bool   // whether what it breaks is on a database
}

// A broken is a mutation of the shipped packages, which the instruments have to find.
type broken struct {
	mutation
	sighting
}

// Where the tests of lifecycle/explored look, and those of cache/explored.
const (
	onCache  = "^TestCalls$"
	inMemory = "^Test(Pairs|Histories)$/^memory$"
	onFile   = "^Test(Pairs|Histories)$/^sqlite-file$"
)

// shipped are mutations of package cache, of package lifecycle and of the packages beneath it.
// M1 to M10 and C1 to C3 separate a check from the act that depends on it, as the
// documented races do; those from H1 on are harder; E1 to E3 are about events. The files are below the root.
var shipped = []broken{
	{mutation{
		name: "M1 an action is looked up, and then set", file: "lifecycle/memory_store.go",
		old: "n, made, err := create(s.actionCache, a.Name, func() (*history.Node[*Action], error) { return first, nil })",
		new: "n, found := s.actionCache.Get(a.Name)\n\tmade, err := !found, error(nil)\n\tif made {\n\t\tn, err = first, s.actionCache.Set(a.Name, first)\n\t}",
	}, sighting{"@R2", "R2 LS", "^FuzzR2Ours$", inMemory, false}},
	{mutation{
		name: "M2 a plan in memory is moved without compare-and-swap", file: "lifecycle/memory_store.go",
		old: "if _, ok := s.planCache.CompareAndSwap(id, p.Version, n); ok {",
		new: "if err := s.planCache.Set(id, n); err == nil {",
	}, sighting{"@moves", "LS", "^FuzzMemory$", inMemory, false}},
	{mutation{
		name: "M3 the UPDATE of a plan does not compare the version", file: "lifecycle/plan_repository.go",
		old: "WHERE plan_id = ? AND version = ? AND CAST",
		new: "WHERE plan_id = ? AND ? > 0 AND CAST",
	}, sighting{"@R7", "R7", "^FuzzR7Ours$", onFile, true}},
	{mutation{
		name: "M4 what is cached on SQLite is stamped after it was read", file: "lifecycle/sqlite_store.go",
		old: "\t_ = c.Set(key, &stamped[V]{now, &v})",
		new: "\tif now, err = s.sqlite.Latest(ctx); err != nil {\n\t\treturn nil, err\n\t}\n\t_ = c.Set(key, &stamped[V]{now, &v})",
	}, sighting{"@R6", "R6", "^FuzzR6Ours$", onFile, true}},
	{mutation{
		name: "M5 a plan names its new changeset before the old one is closed", file: "lifecycle/memory_changesets.go",
		old: "func() (struct{}, error) {\n\t\t\t_, err := s.changePlan",
		new: "func() (struct{}, error) {\n\t\t\t_, err := s.changePlan(planID, func(found planState) (planState, error) {\n\t\t\t\tif err := s.changeable(found.plan, fence); err != nil {\n\t\t\t\t\treturn found, err\n\t\t\t\t}\n\t\t\t\tplan := domain.Clone(*found.plan)\n\t\t\t\tplan.ChangesetID = id\n\t\t\t\treturn planState{plan: &plan, newest: found.newest, told: found.told}, nil\n\t\t\t})\n\t\t\tif err != nil {\n\t\t\t\treturn struct{}{}, err\n\t\t\t}\n\t\t\t_, err = s.changePlan",
	}, sighting{"@R4", "R4 LS", "^Fuzz(R4Ours|Memory)$", inMemory, false}},
	{mutation{
		name: "M6 a change is recorded in a second step", file: "lifecycle/memory_changesets.go",
		old: "\tstate, err := s.changePlan(planID, func(found planState) (planState, error) {\n\t\tif err := s.changeable(found.plan, fence); err != nil {\n\t\t\treturn found, err\n\t\t}\n\t\tif found.newest == nil || !found.newest.finishedAt.IsZero() {\n\t\t\treturn found, noActiveChangeset(planID)\n\t\t}\n",
		new: "\tseen, err := s.getPlan(planID)\n\tif err != nil {\n\t\treturn \"\", err\n\t}\n\tif newest := seen.Value.Value.newest; newest == nil || !newest.finishedAt.IsZero() {\n\t\treturn \"\", noActiveChangeset(planID)\n\t}\n\tstate, err := s.changePlan(planID, func(found planState) (planState, error) {\n\t\tif err := s.changeable(found.plan, fence); err != nil {\n\t\t\treturn found, err\n\t\t}\n",
	}, sighting{"@R5", "R5 LS", "^FuzzMemory$", inMemory, false}},
	{mutation{
		name: "M7 an engine is looked up, and then made", file: "lifecycle/internal/engine/engines.go",
		old: "engine, err := e.cache.GetOrCreate(ctx, location(u.String()), func(ctx context.Context) (*Engine, error) {\n\t\treturn e.open.open(ctx, u, e.cfg)\n\t})",
		new: "engine, ok := e.cache.Get(location(u.String()))\n\tif !ok {\n\t\tif engine, err = e.open.open(ctx, u, e.cfg); err == nil {\n\t\t\terr = e.cache.Set(location(u.String()), engine)\n\t\t}\n\t}",
	}, sighting{"@R1", "R1 LS", "^FuzzR1Ours$", "", false}},
	{mutation{
		name: "M8 who has waited for the migrations runs them again", file: "lifecycle/internal/sqlite/migrate.go",
		old: "\t\tif d.migrated.Load() {\n\t\t\treturn nil\n\t\t}\n\t\tif version, err = d.migrate(ctx, l); err != nil {",
		new: "\t\tif _, err := l.Exec(ctx, \"PRAGMA user_version = 0\"); err != nil {\n\t\t\treturn err\n\t\t}\n\t\tif version, err = d.migrate(ctx, l); err != nil {",
	}, sighting{"@N1", "N1 LS", "^FuzzN1Ours$", "", false}},
	{mutation{
		name: "M9 the uses of an action are counted from what was read before", file: "lifecycle/memory_store.go",
		old: "_, err = s.changeAction(p.Action, first.At, func(a *Action) {\n\t\ta.Uses++",
		new: "uses := a.Value.Value.Uses\n\t_, err = s.changeAction(p.Action, first.At, func(a *Action) {\n\t\ta.Uses = uses + 1",
	}, sighting{"@uses", "LS", "^FuzzMemory$", inMemory, false}},
	{mutation{
		name: "M10 plans are listed without the gate", file: "lifecycle/memory_store.go",
		old: "if n = n.In(era); n != nil && n.Value.plan != nil && domain.Wants(f, n.Value.plan) {",
		new: "if n = n.In(era << 32); n != nil && n.Value.plan != nil && domain.Wants(f, n.Value.plan) {",
	}, sighting{"@R3", "R3 LS", "^FuzzR3Ours$", inMemory, false}},

	{mutation{
		name: "C1 the version is compared, and then the value set", file: "cache/version.go",
		old: "c.store(key, v, hasVersion[K, V](version))",
		new: "c.store(key, v, always[K, V])",
	}, sighting{"@swaps", "LC", "^FuzzCache$", inMemory, false}},
	{mutation{
		name: "C2 a creation is looked up, and then published", file: "cache/obtain.go",
		old: "it, loaded := m.LoadOrCompute(key, func() item[K, V] {\n\t\t\te, f = c.pending(key, r.done != nil)\n\t\t\treturn item[K, V]{entry: e}\n\t\t})",
		new: "it, loaded := m.Load(key)\n\t\tif !loaded {\n\t\t\te, f = c.pending(key, r.done != nil)\n\t\t\tit = item[K, V]{entry: e}\n\t\t\tm.Store(key, it)\n\t\t}",
	}, sighting{"@G1", "LC R1 R2", "^FuzzCache$", inMemory, false}},
	{mutation{
		name: "C3 a creation that was superseded is published", file: "cache/flight.go",
		old: "\t\tif cur.entry != stands {\n\t\t\treturn cur, keep\n\t\t}\n\t\te.version = c.versions.Add(1)\n\t\tif !e.settle(phaseReady | flags) {\n\t\t\treturn cur, remove\n\t\t}\n",
		new: "\t\t_ = stands\n\t\te.version = c.versions.Add(1)\n\t\t_ = e.settle(phaseReady | flags)\n",
	}, sighting{"@G8", "LC", "^FuzzCache$", onCache, false}},

	{mutation{
		name: "H1 who renews a claim need not have it", file: "lifecycle/claim_repository.go",
		old: "WHERE plan_id = ? AND claim_fence = ? AND `+standing(r.session)+` <> 0`",
		new: "WHERE plan_id = ? AND ? > 0 AND `+standing(r.session)+` <> 0`",
	}, sighting{"@N10", "N10 LS", "^FuzzClaims$", "TestClaims", true}},
	{mutation{
		name: "H2 a claim ends by the clock of the service", file: "lifecycle/claim_repository.go",
		old: "claim_expires > ` + s.Now() + ` THEN",
		new: "claim_expires > updated_at THEN",
	}, sighting{"@N10", "N10 LS", "^FuzzClaims$", "TestClaims", true}},
	{mutation{
		name: "H3 a job is claimed whatever its attempt", file: "lifecycle/jobs/queue.go",
		old: "if !j.claimable(now) {",
		new: "if j.State.Terminal() {",
	}, sighting{"@N5", "N5", "^FuzzN5Ours$", "TestJob", true}},
	{mutation{
		name: "H4 a claim is released by the holder's name", file: "lifecycle/claim_repository.go",
		old: "WHERE plan_id = ? AND claim_fence = ?`, c.PlanID, c.Fence)",
		new: "WHERE plan_id = ? AND claim_holder = ?`, c.PlanID, c.Holder)",
	}, sighting{"@N10", "N10 LS", "^FuzzClaims$", "TestClaims", true}},
	{mutation{
		name: "H5 subplans are merged in the order in which they end", file: "lifecycle/subplans/attempt.go",
		old: "\t\tc.plan, c.state, c.err = p, Complete, nil\n\t}\n\treturn err",
		new: "\t\tc.plan, c.state, c.err = p, Complete, nil\n\t\te.release(ctx, claim)\n\t\terr = e.mergeOne(ctx, c)\n\t}\n\treturn err",
	}, sighting{"@N9", "N9 LS", "^FuzzN9Ours$", "TestSubplans", true}},
	{mutation{
		name: "H6 the changes of an apply are counted before its last step", file: "lifecycle/memory_store.go",
		old: "\tstate, err := s.changePlan(next.ID, func(found planState) (planState, error) {\n\t\terr := s.changeable(found.plan, fence)\n\t\tswitch {\n\t\tcase err != nil && !errors.Is(err, ErrFinished): // finished is another version than the one held\n\t\t\treturn found, err\n\t\tcase found.plan.Version != held:\n\t\t\treturn found, errOtherVersion\n\t\t}\n\t\tnext := domain.Clone(next)\n\t\tif domain.CountsChanges(&next) {\n\t\t\tif err := domain.SettleApplied(&next, found.plan.Applied, found.newest.recorded()); err != nil {",
		new: "\tfirst, err := s.getPlan(next.ID)\n\tif err != nil {\n\t\treturn Plan{}, false, err\n\t}\n\tcounted := first.Value.Value.newest.recorded()\n\tstate, err := s.changePlan(next.ID, func(found planState) (planState, error) {\n\t\terr := s.changeable(found.plan, fence)\n\t\tswitch {\n\t\tcase err != nil && !errors.Is(err, ErrFinished): // finished is another version than the one held\n\t\t\treturn found, err\n\t\tcase found.plan.Version != held:\n\t\t\treturn found, errOtherVersion\n\t\t}\n\t\tnext := domain.Clone(next)\n\t\tif domain.CountsChanges(&next) {\n\t\t\tif err := domain.SettleApplied(&next, found.plan.Applied, counted); err != nil {",
	}, sighting{"@applies", "LS", "", inMemory, false}},
	{mutation{
		name: "H7 an engine is closed while it has one user left", file: "lifecycle/internal/engine/process.go",
		old: "last := e.uses == 0",
		new: "last := e.uses <= 1",
	}, sighting{"@shared", "LS", "", "TestPairs/^sqlite-memory$", false}},
	{mutation{
		name: "H8 subplans are found by their name, whoever their parent is", file: "lifecycle/subplans/adopt.go",
		old: "lifecycle.PlanFilter{ParentID: e.Parent.PlanID, Archived: true}",
		new: "lifecycle.PlanFilter{}",
	}, sighting{"@N9", "N9 LS", "^FuzzN9Ours$", "TestSubplans", false}},
	{mutation{
		name: "H9 error details are added to what was read, whatever came since", file: "lifecycle/error_details.go",
		old: "\tp, swapped, err := s.store.swapPlan(ctx, next, held.Version, n.Fence)",
		new: "\tif held, err = s.store.plan(ctx, n.PlanID); err != nil {\n\t\treturn Plan{}, false, err\n\t}\n\tnext.Version = held.Version + 1\n\tp, swapped, err := s.store.swapPlan(ctx, next, held.Version, n.Fence)",
	}, sighting{"@N6", "N6", "^FuzzN6Ours$", "", true}},
	{mutation{
		name: "H10 changes are in the order of their clocks, not of their commits", file: "lifecycle/changeset_repository.go",
		old: "ORDER BY c.seq, e.seq`",
		new: "ORDER BY c.seq, e.at, e.seq`",
	}, sighting{"@N7", "N7", "^FuzzN7Ours$|^FuzzDatabase$", onFile, true}},

	{mutation{
		name: "E1 an event in memory is put down without compare-and-swap", file: "lifecycle/internal/events/log.go",
		old: "if l.fresh.CompareAndSwap(n.next, n) {",
		new: "if l.fresh.Store(n); true {",
	}, sighting{"@events", "LS", "", "TestEventsAreComplete/^memory", false}},
	{mutation{
		name: "E2 an event in memory is put down before its change", file: "lifecycle/memory_store.go",
		old: "if _, ok := s.planCache.CompareAndSwap(id, p.Version, n); ok {\n\t\t\thistory.Took(s.history, n)\n\t\t\tif next.told != p.Value.Value.told {\n\t\t\t\ts.log.Add(next.told)\n\t\t\t}",
		new: "if next.told != p.Value.Value.told {\n\t\t\ts.log.Add(next.told)\n\t\t}\n\t\tif _, ok := s.planCache.CompareAndSwap(id, p.Version, n); ok {\n\t\t\thistory.Took(s.history, n)",
	}, sighting{"@events", "LS", "", "TestEventsAreComplete/^memory$", false}},
	{mutation{
		name: "E3 the events of a database are in the order of the plans", file: "lifecycle/internal/events/table.go",
		old: "\n\t\t\tORDER BY e.position`",
		new: "\n\t\t\tORDER BY e.plan_id DESC, e.position`",
	}, sighting{"@events", "LS", "", "TestEventsAreComplete/^sqlite-memory$", false}},
}
