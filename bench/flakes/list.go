package flakes

import (
	"embed"
	"path"
	"strings"
)

// A flake is a bug of a public module with a known repair, and the test that shows it.
type flake struct {
	name    string
	module  string // its path
	before  string // the version that has the bug
	after   string // the one that has the repair
	pkg     string // the package of the test, in the module
	test    string
	helpers string // other declarations of its file that the test needs, if it came with the repair; methods come with their type
	issue   string // the address of the report or of the repair
	kind    string // of bug
	bug     string // what goes wrong, according to the report
}

// laid holds tests written here, because the repair brought none that the version before
// could compile. They are named after their flakes.
//
//go:embed laid
var laid embed.FS

// ours returns the test of a flake if it is written here, and whether it is.
func (f flake) ours() ([]byte, bool) {
	text, err := laid.ReadFile(path.Join("laid", f.name+"_test.go.txt"))
	return text, err == nil
}

// needs returns the names of the declarations of the test's file that the test needs.
func (f flake) needs() []string { return append([]string{f.test}, strings.Fields(f.helpers)...) }

// flakes returns all flakes. The list was fixed before any of them was run, and none was
// removed since.
func flakes() []flake {
	return []flake{
		{
			name: "singleflight-forget", module: "golang.org/x/sync", before: "v0.0.0-20190227155943-e225da77a7e6", after: "v0.0.0-20190412183630-56d357773e84",
			pkg: "singleflight", test: "TestForget", issue: "https://github.com/golang/go/issues/31420", kind: "wrong result",
			bug: "a call that was forgotten deletes the key of the call that runs now, when it ends; a third call runs beside the second",
		},
		{
			name: "singleflight-goexit", module: "golang.org/x/sync", before: "v0.0.0-20200625203802-6e8e738ad208", after: "v0.0.0-20201020160332-67f06af15bc9",
			pkg: "singleflight", test: "TestGoexitDo", issue: "https://github.com/golang/go/issues/33519", kind: "deadlock",
			bug: "a call whose function panics or calls runtime.Goexit stays in the group; all others wait for it for ever",
		},
		{
			name: "semaphore-starve", module: "golang.org/x/sync", before: "v0.0.0-20190911185100-cd5d95a43a6e", after: "v0.0.0-20200317015054-43a5402ce75a",
			pkg: "semaphore", test: "TestAllocCancelDoesntStarve", issue: "https://github.com/golang/go/issues/37852", kind: "lost wake-up",
			bug: "the first waiter is cancelled and wakes nobody, though there is room for those behind it",
		},
		{
			name: "semaphore-cancelled", module: "golang.org/x/sync", before: "v0.6.0", after: "v0.7.0",
			pkg: "semaphore", test: "TestWeightedAcquireCanceled", issue: "https://github.com/golang/go/issues/63615", kind: "wrong result",
			bug: "Acquire succeeds though its context was done before there was room",
		},
		{
			name: "ants-capacity", module: "github.com/panjf2000/ants/v2", before: "v2.11.3", after: "v2.11.4",
			pkg: ".", test: "TestCapacity", issue: "https://github.com/panjf2000/ants/issues/374", kind: "atomicity",
			bug: "the lock is given back between the look at the number of workers and the start of a new one; two callers start one each",
		},
		{
			name: "puddle-construct", module: "github.com/jackc/puddle", before: "v1.1.1", after: "v1.1.3",
			pkg: ".", test: "TestFailedConstruct", issue: "https://github.com/jackc/puddle/pull/7", kind: "lost wake-up",
			bug: "who cannot construct a resource wakes nobody, though there is room for one again",
		},
		{
			name: "puddle-close", module: "github.com/jackc/puddle", before: "v1.1.3", after: "v1.2.0",
			pkg: ".", test: "TestCloseWhileCreating", issue: "https://github.com/jackc/puddle/issues/8", kind: "deadlock",
			bug: "CreateResource keeps the lock if the pool was closed meanwhile",
		},
		{
			name: "pond-purge", module: "github.com/alitto/pond", before: "v1.9.1", after: "v1.9.2",
			pkg: ".", test: "TestStopWithPurging", issue: "https://github.com/alitto/pond/issues/70", kind: "data race",
			bug: "the channel of tasks is closed while the purger may still send on it",
		},
		{
			name: "pond-submit-stop", module: "github.com/alitto/pond/v2", before: "v2.1.6", after: "v2.5.0",
			pkg: ".", test: "TestPoolSubmitWhileStoppingHasNoRace", issue: "https://github.com/alitto/pond/pull/105", kind: "data race",
			bug: "workers are added to a WaitGroup that Stop already waits for",
		},
		{
			name: "pond-cancel", module: "github.com/alitto/pond/v2", before: "v2.5.0", after: "v2.7.1",
			pkg: ".", test: "TestGroupOfCancelledPool", issue: "https://github.com/alitto/pond/issues/138", kind: "deadlock",
			bug: "a worker that sees the context done ends without the tasks in the queue; their group waits for ever",
		},
		{
			name: "logrus-hooks", module: "github.com/sirupsen/logrus", before: "v1.0.4", after: "v1.0.5",
			pkg: "hooks/test", test: "TestLoggingWithHooksRace", issue: "https://github.com/sirupsen/logrus/pull/707", kind: "data race",
			bug: "an entry fires hooks without the logger's lock while others are added",
		},
		{
			name: "logrus-caller", module: "github.com/sirupsen/logrus", before: "v1.3.0", after: "v1.4.0",
			pkg: ".", test: "TestSetReportCallerRace", issue: "https://github.com/sirupsen/logrus/issues/914", kind: "data race",
			bug: "getCaller reads the name of the package before the sync.Once that writes it",
		},
		{
			name: "logrus-formatter", module: "github.com/sirupsen/logrus", before: "v1.8.1", after: "v1.8.3",
			pkg: ".", test: "TestEntryFormatterRace", issue: "https://github.com/sirupsen/logrus/issues/1284", kind: "data race",
			bug: "an entry reads the formatter without the lock under which SetFormatter writes it",
		},
		{
			name: "resiliency-batcher", module: "github.com/eapache/go-resiliency", before: "v1.4.0", after: "v1.6.0",
			pkg: "batcher", test: "TestConcurrentRuns", issue: "https://github.com/eapache/go-resiliency/issues/46", kind: "data race",
			bug: "a batch reads its channel from the batcher without the lock, and may read that of the next one, or nil",
		},
		{
			name: "clock-afterfunc", module: "github.com/benbjohnson/clock", before: "v1.3.0", after: "v1.3.5",
			pkg: ".", test: "TestMock_AddAfterFuncRace", issue: "https://github.com/benbjohnson/clock/pull/52", kind: "data race",
			bug: "AfterFunc gives a timer its function when it may fire already",
		},
		{
			name: "clock-after", module: "github.com/benbjohnson/clock", before: "v1.3.0", after: "v1.3.5",
			pkg: ".", test: "TestMock_AfterRace", issue: "https://github.com/benbjohnson/clock/issues/57", kind: "data race",
			bug: "the time of the mock is read without its lock",
		},
		{
			name: "clock-reentrant", module: "github.com/benbjohnson/clock", before: "v1.1.0", after: "v1.3.0",
			pkg: ".", test: "TestMock_ReentrantDeadlock", issue: "https://github.com/benbjohnson/clock/issues/33", kind: "deadlock",
			bug: "the function of a timer runs under the lock of the clock, and stops another timer",
		},
		{
			name: "clockwork-ticker", module: "github.com/jonboulle/clockwork", before: "v0.2.0", after: "v0.2.2",
			pkg: ".", test: "TestFakeTicker_Race", issue: "https://github.com/jonboulle/clockwork/issues/17", kind: "order",
			bug: "a ticker's goroutine asks for the time when it first runs; an advance before that is lost",
		},
		{
			name: "clockwork-reset", module: "github.com/jonboulle/clockwork", before: "v0.3.0", after: "v0.4.0",
			pkg: ".", test: "TestFakeClockTimer_ResetRace", issue: "https://github.com/jonboulle/clockwork/issues/42", kind: "order",
			bug: "a timer that is reset again and again tells the same time twice",
		},
		{
			name: "zap-lazy", module: "go.uber.org/zap", before: "v1.27.0", after: "v1.28.0",
			pkg: "zapcore", test: "TestLazyCoreRace", issue: "https://github.com/uber-go/zap/issues/1426", kind: "data race",
			bug: "Enabled reads the core that the first use replaces under a sync.Once",
		},
		{
			name: "gocron-nextrun", module: "github.com/go-co-op/gocron/v2", before: "v2.19.0", after: "v2.19.1",
			pkg: ".", test: "TestJob_NextRun_ConcurrentCompletions", issue: "https://github.com/go-co-op/gocron/issues/904", kind: "wrong result",
			bug: "two places remove past times by different rules; after jobs that end at once, NextRun tells a time that is over",
		},
		{
			name: "mocktracer-context", module: "github.com/opentracing/opentracing-go", before: "v1.0.2", after: "v1.1.0",
			pkg: "mocktracer", test: "TestMockSpan_Races", issue: "https://github.com/opentracing/opentracing-go/pull/170", kind: "data race",
			bug: "Context reads the context of a span without its lock",
		},
		{
			name: "theine-close", module: "github.com/Yiling-J/theine-go", before: "v0.6.0", after: "v0.6.2",
			pkg: ".", test: "TestGetWhileClosing", issue: "https://github.com/Yiling-J/theine-go/issues/59", kind: "data race",
			bug: "Close replaces the map of a shard while others read and write it",
		},
		{
			name: "jsonrpc2-close", module: "github.com/sourcegraph/jsonrpc2", before: "v0.2.2", after: "v0.2.3",
			pkg: ".", test: "TestConn_CloseAfterResponseRead", helpers: "pauseAfterReadStream signalLogger", issue: "https://github.com/sourcegraph/jsonrpc2/issues/103", kind: "panic",
			bug: "Close closes the channel of a pending call, and the reader sends its response on it",
		},
		{
			name: "ristretto-clear", module: "github.com/dgraph-io/ristretto", before: "v0.0.2", after: "v0.1.0",
			pkg: ".", test: "TestSetWhileClearing", issue: "https://github.com/dgraph-io/ristretto/issues/132", kind: "data race",
			bug: "Clear replaces the channel that Set sends on",
		},
		{
			name: "workerpool-stop", module: "github.com/gammazero/workerpool", before: "v1.2.2", after: "v1.3.0",
			pkg: ".", test: "TestSubmitWhileStopping", issue: "https://github.com/gammazero/workerpool/issues/76", kind: "panic",
			bug: "Stop closes the channel that Submit sends on",
		},
		{
			name: "sentry-finish", module: "github.com/getsentry/sentry-go", before: "v0.18.0", after: "v0.25.0",
			pkg: ".", test: "TestSpanFinishConcurrentlyWithoutRaces", issue: "https://github.com/getsentry/sentry-go/issues/587", kind: "data race",
			bug: "two calls of Finish run the whole of it on one span",
		},
	}
}
