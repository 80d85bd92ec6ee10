package overlay

// testingEdits let a host decide when and how often a test runs; see
// testing/jacquard.go.txt. Without a host nothing changes.
func testingEdits() []edit {
	const tests, examples, fuzz = "testing/testing.go", "testing/example.go", "testing/fuzz.go"
	return []edit{
		replace(tests, "deadline time.Time) (ran, ok bool) {\n\tok = true\n\tfor _, procs := range cpuList {\n\t\truntime.GOMAXPROCS(procs)\n",
			"deadline time.Time) (ran, ok bool) {\n\treturn jqTests(matchString, tests, func(tests []InternalTest) (ran, ok bool) {\n"+
				"\tdeadline := jqDeadline(deadline)\n\tok = true\n\tfor _, procs := range cpuList {\n\t\tif *cpuListStr != \"\" { // else there are as many as there have been\n\t\t\truntime.GOMAXPROCS(procs)\n\t\t}\n"),
		replace(tests, "\t\t\tok = ok && !t.Failed()\n\t\t\tran = ran || t.ran\n\t\t}\n\t}\n\treturn ran, ok\n}\n",
			"\t\t\tok = ok && !t.Failed()\n\t\t\tran = ran || t.ran\n\t\t}\n\t}\n\treturn ran, ok\n\t})\n}\n"),
		replace(examples, "\t\tif !runExample(eg) {\n", "\t\tif jqHost.run == nil && !runExample(eg) || jqHost.run != nil && !jqExample(eg) {\n"),
		replace(fuzz, "deadline time.Time) (ran, ok bool) {\n\tok = true\n\tif len(fuzzTests) == 0 || *isFuzzWorker {\n",
			"deadline time.Time) (ran, ok bool) {\n\treturn jqFuzzTests(deps, fuzzTests, func(fuzzTests []InternalFuzzTarget) (ran, ok bool) {\n"+
				"\tdeadline := jqDeadline(deadline)\n\tok = true\n\tif len(fuzzTests) == 0 || *isFuzzWorker {\n"),
		replace(fuzz, "\tfor _, procs := range cpuList {\n\t\truntime.GOMAXPROCS(procs)\n\t\tfor i := uint(0); i < *count; i++ {\n\t\t\tif shouldFailFast() {\n",
			"\tfor _, procs := range cpuList {\n\t\tif *cpuListStr != \"\" {\n\t\t\truntime.GOMAXPROCS(procs)\n\t\t}\n\t\tfor i := uint(0); i < *count; i++ {\n\t\t\tif shouldFailFast() {\n"),
		replace(fuzz, "\t\t\t\t// This won't change, so no reason to keep trying.\n\t\t\t\tbreak\n\t\t\t}\n\t\t}\n\t}\n\n\treturn ran, ok\n}\n",
			"\t\t\t\t// This won't change, so no reason to keep trying.\n\t\t\t\tbreak\n\t\t\t}\n\t\t}\n\t}\n\n\treturn ran, ok\n\t})\n}\n"),
		before(fuzz, "\tf.start = highPrecisionTimeNow()\n\tf.resetRaces()\n", "\tjqBegins(&f.common)\n"),
		replace(fuzz, "doPanic := func(err any) {\n\t\t\tf.Fail()\n", "doPanic := func(err any) {\n\t\t\tf.jqFail()\n"),
		before(tests, "\tt.runner = callerName(0)\n", "\tjqBegins(&t.common)\n"),
		before(tests, "\t\tm.stopAlarm()\n", "\t\tjqLinger()\n"),
		// A helper's line is that of the call of Cleanup: it is looked for below this frame.
		replace(tests, "\t\tname := callerName(0)\n\t\tc.mu.Lock()\n\t\tc.cleanupName = name\n\t\tc.cleanupPc = cleanupPc\n\t\tc.mu.Unlock()\n\n\t\tf()\n",
			"\t\tc.mu.Lock()\n\t\tc.cleanupName = \"testing.jqCalls\"\n\t\tc.cleanupPc = cleanupPc\n\t\tc.mu.Unlock()\n\n\t\tjqCalls(f)\n"),
		after(tests, "\ts = n.callSite(3) + s\n", "\tjqLogged(s)\n"),
		before(tests, "\tc.mu.Lock()\n\tdefer c.mu.Unlock()\n\tif c.helperPCs == nil {\n", "\tif c.jqHelps() {\n\t\treturn\n\t}\n"),
		replace(tests, "\t\tif c.helperNames == nil {\n", "\t\tif c.jqHelpers() || c.helperNames == nil {\n"),
		// A panic is to be reported as a panic, not as a failed test.
		replace(tests, "doPanic := func(err any) {\n\t\t\tt.Fail()\n", "doPanic := func(err any) {\n\t\t\tt.jqFail()\n"),
		// A failing test marks its parents too.
		replace(tests, "func (c *common) Fail() {\n\tif c.parent != nil {\n\t\tc.parent.Fail()\n\t}\n",
			"func (c *common) Fail() {\n\tjqFailed(c)\n\tc.jqFail()\n}\n\nfunc (c *common) jqFail() {\n\tif c.parent != nil {\n\t\tc.parent.jqFail()\n\t}\n"),
	}
}
