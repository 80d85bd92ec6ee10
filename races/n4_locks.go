package races

import (
	"context"
	"errors"

	"github.com/jacquard-go/jacquard/lifecycle/locks"
)

// Lockers is the subject of N4: one SQLite file with the lock service's table, and two instances of the service. The lock
// of one resource, [ExpiredResource], has expired; other resources have no lock.
type Lockers interface {
	A() Locker
	B() Locker
	Close() error
}

// ExpiredResource is the resource whose lock has expired before the race begins.
const ExpiredResource = "loom"

// Locker is one instance of the lock service.
type Locker interface {
	// Acquire gives a resource to an owner, for longer than the race lasts. The error of a loser is a [*locks.HeldError].
	Acquire(ctx context.Context, owner, resource string) error
	// Release releases all locks of an owner.
	Release(ctx context.Context, owner string) error
}

func locksRace() Race {
	return race(Race{
		ID:    "N4",
		Issue: 7406,
		Title: "one resource is locked by two owners",
		Must:  "of several callers one gets a resource whose lock has expired; the others get an error that names the holder",
	}, lockedTwice,
		subject[Lockers]{Reported, Violated, KindCheck, "the lock is read, found to have expired, and overwritten", reportedLockers},
		subject[Lockers]{Ours, Holds, "", "one statement of the database looks whether the lock has expired and takes it", ourLockers},
	)
}

const ownerA, ownerB = "owner A", "owner B"

func lockedTwice(t T, s Lockers) error {
	ctx := t.Context()
	var errA, errB error
	acquire := func(l Locker, owner string) error {
		err := l.Acquire(ctx, owner, ExpiredResource)
		t.Logf("acquire %s: %s", ExpiredResource, result(err))
		return err
	}
	t.Go(ownerA, func() { errA = acquire(s.A(), ownerA) })
	t.Go(ownerB, func() { errB = acquire(s.B(), ownerB) })
	t.Wait()
	switch {
	case errA == nil && errB == nil:
		t.Fatalf("both owners were given the resource %s", ExpiredResource)
	case errA != nil && errB != nil:
		t.Fatalf("nobody was given the resource %s, whose lock had expired: owner A got %v; owner B got %v", ExpiredResource, errA, errB)
	case errA == nil && !heldBy(errB, ownerA), errB == nil && !heldBy(errA, ownerB):
		t.Fatalf("the loser got %v, want an error that names the other owner", errors.Join(errA, errB))
	}
	if errA == nil {
		return handedOver(t, s.A(), s.B(), ownerA, ownerB)
	}
	return handedOver(t, s.B(), s.A(), ownerB, ownerA)
}

// handedOver makes the winner release the resource and the loser acquire it.
func handedOver(t T, winner, loser Locker, winnersName, losersName string) error {
	ctx := t.Context()
	if err := winner.Release(ctx, winnersName); err != nil {
		t.Fatalf("release by %s: got %v, want no error", winnersName, err)
	}
	if err := loser.Acquire(ctx, losersName, ExpiredResource); err != nil {
		t.Fatalf("%s has released the resource, and %s got %v; want it", winnersName, losersName, err)
	}
	if err := winner.Acquire(ctx, winnersName, ExpiredResource); !heldBy(err, losersName) {
		t.Errorf("%s has the resource, and %s got %v; want an error that names the holder", losersName, winnersName, err)
	}
	return nil
}

// heldBy reports whether err names this owner as the holder of a resource.
func heldBy(err error, owner string) bool {
	var held *locks.HeldError
	return errors.As(err, &held) && held.Lock.Owner == owner
}
