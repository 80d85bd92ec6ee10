package goker

// causes returns the causes according to the reports of the bugs: the comments in the
// kernels and their README, which describe the original issues, and the fixes. The
// lines are those of the kernels.
func causes() map[string]cause {
	return map[string]cause{
		"Cockroach10214": one("store.sendQueuedHeartbeats 61 r.raftMu", "rp1.tick 93 s.coalescedMu"),
		"Cockroach1055": one("Cockroach1055.func2.1 96 a value from s.ShouldStop()", "Cockroach1055.func2.2 48 wait group s.drain").
			or("Cockroach1055.func2.1 96 a value from s.ShouldStop()", "Cockroach1055.func2.2 56 wait group s.drain").
			or("Cockroach1055.func2.1 63 s.mu", "Cockroach1055.func2.2 58 wait group s.stop").
			besides("Cockroach1055.func2 112 a value from done", "Cockroach1055.func2.1 96 a value from s.ShouldStop()"),
		"Cockroach10790": one("(*Replica_cockroach10790).beginCmds.func1 42 a value from ch"),
		"Cockroach13197": one("tx.awaitDone 45 a value from tx.ctx.Done()"),
		"Cockroach13755": one("rs.awaitDone 36 a value from ctx.Done()"),
		"Cockroach1462": one("(*Stopper_cockroach1462).RunWorker.func1 130 a receiver on lt.Events", "Cockroach1462.func2 93 wait group s.stop").
			or("(*Stopper_cockroach1462).RunWorker.func1 130 a receiver on ch", "Cockroach1462.func2 93 wait group s.stop"), // if the receiver, who calls it ch, came first
		"Cockroach16167": one("Cockroach16167.func2 72 a lock on e.systemConfigMu for reading", "e.Start 77 e.systemConfigMu"),
		"Cockroach18101": one("restore_cockroach18101.func1 45 room in readyForImportCh"),
		"Cockroach2448":  one("s.processRaft 65 one case of a select: s.callbackChan | s.stopper.ShouldStop()", "st.start 38 one case of a select: s.multiraft.Events | s.stopper.ShouldStop()"),
		"Cockroach24808": one("Cockroach24808.func2 48 room in compactor.ch"),
		"Cockroach25456": one("Cockroach25456.func2 52 a value from repl.store.Stopper().ShouldQuiesce()"),
		"Cockroach35073": one("Cockroach35073.func2 58 room in rc.dataChan", "Cockroach35073.func2.1 58 room in rc.dataChan"),
		"Cockroach35931": one("Cockroach35931.func2 34 room in rc.dataChan"),
		"Cockroach3710":  one("store.ForceRaftLogScanAndProcess 47 a lock on s.mu for reading", "(*Store_cockroach3710).processRaft.func1 55 s.mu"),
		"Cockroach584":   one("Cockroach584.func2 36 g.mu"),
		"Cockroach6181": one("testRangeCacheCoalescedRequests_cockroach6181.func1.1 49 a lock on rdc.rangeCacheMu for reading", "testRangeCacheCoalescedRequests_cockroach6181.func1.1 44 rdc.rangeCacheMu").
			besides("testRangeCacheCoalescedRequests_cockroach6181.func1.1 40 a lock on rdc.rangeCacheMu for reading"),
		"Cockroach7504": one("Cockroach7504.func2.1 88 s.mu", "Cockroach7504.func2.2 93 c.mu"),
		"Cockroach9935": one("l.outputLogEntry 49 l.mu"),

		"Etcd10492": one("Etcd10492.func2 29 le.mu"),
		"Etcd5509":  one("Etcd5509.func2 29 r.client.mu"),
		"Etcd6708":  one("Etcd6708.func2 59 a lock on c for reading"),
		"Etcd6857":  one("n.Status 34 a receiver on n.status"),
		"Etcd6873":  one("newWatchBroadcasts_etcd6873.func1 48 wbs.mu", "wbs.stop 56 a value from wbs.donec"),
		"Etcd7492": one("stk.run 109 t.simpleTokensMu", "Etcd7492.func2.1 81 room in tm.addSimpleTokenCh").
			besides("Etcd7492.func2 160 wait group wg", "Etcd7492.func2.1 102 t.simpleTokensMu"),
		"Etcd7902": one("doRounds_etcd7902.func1 49 a value", "doRounds_etcd7902.func1 69 mu", "runElectionFunc_etcd7902 75 wait group wg").
			besides("doRounds_etcd7902.func1 64 mu"),

		"Grpc1275": one("testInflightStreamClosing_grpc1275.func1 39 a value from r.recv.get()"),
		"Grpc1424": one("DialContext_grpc1424.func1 91 a value from doneChan"),
		"Grpc1460": one("client.keepalive 37 a value from t.awakenKeepalive", "client.NewStream 46 t.mu"),

		"Grpc3017": one("(*lbCacheClientConn_grpc3017).RemoveSubConn.func1 79 ccc.mu").
			or("Grpc3017.func2.1 58 ccc.mu").or("Grpc3017.func2.1 45 ccc.mu").
			besides("(*lbCacheClientConn_grpc3017).RemoveSubConn.func1 79 ccc.mu", "Grpc3017.func2 120 a value from done"),
		"Grpc660": one("(*benchmarkClient_grpc660).doCloseLoopUnary.func1 37 a receiver on done").
			or("(*benchmarkClient_grpc660).doCloseLoopUnary.func1 34 a receiver on done"),
		"Grpc795": one("testServerGracefulStopIdempotent_grpc795 26 s.mu").besides("s.Serve 33 s.mu"),
		"Grpc862": one("DialContext_grpc862.func2 63 a value from ac.ctx.Done()"),

		"Hugo3251": one("Hugo3251.func2.1 37 a lock on l for reading", "Hugo3251.func2.1 30 l.m[…]").
			besides("Hugo3251.func2.1 26 l", "Hugo3251.func2 77 wait group wg"),
		// The lock is taken twice, by one goroutine or by two of which one waits
		// for the other's Once.
		"Hugo5379": one("(*Page_hugo5379).initContentPlainAndMeta.(*Page_hugo5379).initContent.func1.1 75 p.contentInitMu").
			or("pageRenderer_hugo5379 75 p.contentInitMu", "(*Page_hugo5379).initContentPlainAndMeta.(*Page_hugo5379).initContent.func1.1 72 Once.Do of p.plainInit").
			besides("pageRenderer_hugo5379 72 Once.Do of p.plainInit", "pageRenderer_hugo5379 101 Once.Do of p.contentInit", "Hugo5379.func2 192 wait group wg"),

		"Istio16224": one("controller.Run 114 a receiver on done", "Istio16224.func2 122 lock").
			// The other bug, which the kernel's comment describes.
			or("controller.Run 38 a value from m.eventCh"),
		"Istio17860": one("a.runWait 79 a receiver on a.statusCh"),
		"Istio18454": one("(*Worker_istio18454).Start.func1 68 a value from s.timer.C").
			besides("(*Worker_istio18454).Start.func1 53 room in s.resetChan"),

		"Kubernetes10182": one("(*statusManager_kubernetes10182).Start.func1 46 s.podStatusesLock", "s.SetPodStatus 53 a receiver on s.podStatusChannel"),
		"Kubernetes11298": one("After_kubernetes11298.func1 65 a signal on n.cond", "After_kubernetes11298.func1 70 a value").
			besides("Kubernetes11298.func2 115 a value from notifyDone"),
		"Kubernetes13135": one("Util_kubernetes13135 121 w", "c.watchCache.Add 76 c"),
		"Kubernetes1321":  one("m.loop 70 a receiver on w.result", "testMuxWatcherClose_kubernetes1321 76 m.lock"),
		"Kubernetes25331": one("wc.run 43 a receiver on wc.resultChan"),
		"Kubernetes26980": one("pl.pop 48 a value from stopCh", "Kubernetes26980.func2.1 79 p.lock", "Kubernetes26980.func2 83 a value from resultCh"),
		"Kubernetes30872": one("f.clusterInformer.controller.Run 103 f", "(*DelayingDeliverer_kubernetes30872).StartWithHandler.func1 169 f.lock").
			besides("(*NamespaceController_kubernetes30872).Run.func1 117 f"),
		"Kubernetes38669": one("watcher.process 43 a receiver on c.result"),
		"Kubernetes5316": one("finishRequest_kubernetes5316.func1 33 a receiver on errCh").
			or("finishRequest_kubernetes5316.func1 35 a receiver on ch"),
		"Kubernetes58107": one("rq.worker 40 a signal on q.cond").
			besides("rq.worker 55 a lock on rq.workerLock for reading", "resourceQuotaController.Sync 74 rq.workerLock"),
		"Kubernetes62464": one("m.reconcileState 50 a lock on s for reading", "p.RemoveContainer 65 s").
			or("m.reconcileState 60 a lock on s for reading", "p.RemoveContainer 65 s"),
		"Kubernetes6632":  one("i.monitor 41 i.writeLock", "i.WriteFrame 56 a receiver on i.resetChan"),
		"Kubernetes70277": one("Kubernetes70277.func2 94 a value from done"),

		"Moby17176": one("testDevmapperLockReleasedDeviceDeletion_moby17176.func1 48 devices"),
		"Moby21233": one("testTransfer_moby21233 65 a value", "(*Transfer_moby21233).Watch.func1 52 a receiver on progressChan").
			or("testTransfer_moby21233 65 a value", "(*Transfer_moby21233).Watch.func1 52 a receiver on out"). // which is progressChan
			or("testTransfer_moby21233 134 a value from progressDone").
			besides("(*Transfer_moby21233).Watch.func1 52 a receiver on progressChan", "(*Transfer_moby21233).Watch.func1 90 one case of a select: chan | w.signalChan", "(*Transfer_moby21233).Watch.func1 90 one case of a select: w.releaseChan | w.signalChan"),
		"Moby25348": one("pm.init 38 wait group group"),
		"Moby27782": one("l.readLogs 112 a signal on w.cv", "w.readEvents 82 one case of a select: fileWatcher.Events() | w.done"),
		"Moby28462": one("monitor_moby28462 99 c", "d.StateChanged 82 a receiver on stop"),
		"Moby30408": one("Moby30408.func2 48 a value from done", "testActive_moby30408.func1 32 a signal on p.activateWait"),
		"Moby33781": one("monitor_moby33781.func1 37 a receiver on results"),
		"Moby36114": one("s.hotAddVHDsAtStart 36 svm"),
		"Moby4951":  one("ds.DeleteDevice 61 devices", "ds.DeleteDevice 38 info.lock"),
		"Moby7559":  one("(…).Run 32 proxy.connTrackLock"),

		"Serving2137": one("Serving2137.func2 95 a value from req.accepted", "(*Breaker_serving2137).concurrentRequest.func1 40 room in b.activeRequests", "(*Breaker_serving2137).concurrentRequest.func1 64 mu"),

		"Syncthing4829": one("Syncthing4829.func2 40 a lock on m.mut for reading"),
		"Syncthing5795": one("c.dispatcherLoop 75 a value from c.dispatcherLoopStopped", "Syncthing5795.func2 101 a value from c.dispatcherLoopStopped"),
	}
}
