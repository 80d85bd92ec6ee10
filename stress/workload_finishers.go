package stress

import "fmt"

// finisherWorkloads returns R5's: half of the goroutines record changes while the other half finish the one open changeset.
func finisherWorkloads() []Workload {
	return onBothStores("recorders and finishers of one changeset",
		func(t *tally, g *ground) (site, error) { return newChangesetSite(t, g, finisherRound) })
}

// finisherRound lets recorders continue until they are told that the changeset is finished.
func finisherRound(t *tally, s *changesetSite, planID string) {
	id, err := s.of(0).StartChangeset(t.ctx, planID)
	if !t.done("start a changeset", err) {
		return
	}
	books := make([]book, t.size)
	t.together(t.size, func(i int, m *member) {
		svc := s.of(i / 2)
		if i%2 == 0 {
			for k := 0; k < atMost && len(books[i].refused) == 0; k++ {
				books[i].record(t, svc, planID, fmt.Sprint(i, "/", k), m)
			}
			return
		}
		m.did(svc.FinishChangeset(t.ctx, planID, id), nil)
		books[i].close(list(t, svc, planID, m), "")
	})
	s.check(t, planID, books, []string{id})
}
