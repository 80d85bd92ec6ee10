package lifecycle_test

import (
	"context"
	"errors"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/jackc/pgx/v5"

	"github.com/jacquard-go/jacquard/internal/postgres"
	"github.com/jacquard-go/jacquard/lifecycle"
	"github.com/jacquard-go/jacquard/lifecycle/internal/storetest"
)

// smallDisk mounts a file system of a size such as "2m".
func smallDisk(t *testing.T, size string) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "jacquard-disk-") // a server's user cannot enter the test's own folder
	check(t, err)
	t.Cleanup(func() { check(t, os.Remove(dir)) })
	if err := syscall.Mount("tmpfs", dir, "tmpfs", 0, "mode=777,size="+size); errors.Is(err, syscall.EPERM) {
		t.Skip("did not run: may not mount a small disk: ", err)
	} else {
		check(t, err)
	}
	t.Cleanup(func() { check(t, syscall.Unmount(dir, 0)) })
	return dir
}

// fill uses up all space on a disk until the file that it returns is removed.
func fill(t *testing.T, dir string) string {
	t.Helper()
	name := filepath.Join(dir, "filler")
	file, err := os.Create(name)
	check(t, err)
	for block := make([]byte, 4096); err == nil; {
		_, err = file.Write(block)
	}
	if !errors.Is(err, syscall.ENOSPC) {
		t.Fatalf("got %v, want no space left", err)
	}
	check(t, file.Close())
	return name
}

func TestSQLiteDiskFull(t *testing.T) {
	disk := smallDisk(t, "8m")
	url := "sqlite:///" + disk + "/plans.db"
	for _, relaxed := range []bool{false, true} {
		engines, err := lifecycle.NewEngines(lifecycle.EnginesConfig{RelaxedDurability: relaxed})
		check(t, err)
		s := open(t, lifecycle.Config{URL: url, Engines: engines})
		p, _ := populated(t, s)
		filler := fill(t, disk)
		full(t, s, url, p, func() { check(t, os.Remove(filler)) })
		before := state(t, s)
		check(t, engines.Close())
		if after := state(t, open(t, lifecycle.Config{URL: url})); after != before {
			t.Error("got acknowledged changes missing, want those of before and after all there")
		}
		check(t, os.Remove(disk+"/plans.db"))
	}
}

// A new database without space for it is not created, and the failure is not
// remembered.
func TestSQLiteDiskFullAtOpening(t *testing.T) {
	ctx := context.Background()
	disk := smallDisk(t, "1m")
	url := "sqlite:///" + disk + "/plans.db"
	engines := storetest.Engines(t)
	filler := fill(t, disk)
	_, err := lifecycle.Open(ctx, lifecycle.Config{URL: url, Engines: engines})
	failsAs(t, "open", url, err, lifecycle.ErrFull)
	check(t, os.Remove(filler))
	newPlan(t, open(t, lifecycle.Config{URL: url, Engines: engines}))
	check(t, engines.Close())
}

// On a read-only disk nothing can be opened, because SQLite writes an index of
// its log. Once the disk is writable everything is there.
func TestSQLiteDiskReadOnly(t *testing.T) {
	ctx := context.Background()
	disk := smallDisk(t, "2m")
	url := "sqlite:///" + disk + "/plans.db"
	s, err := lifecycle.Open(ctx, lifecycle.Config{URL: url})
	check(t, err)
	populated(t, s)
	before := state(t, s)
	check(t, s.Close())
	check(t, syscall.Mount("", disk, "", syscall.MS_REMOUNT|syscall.MS_RDONLY, ""))
	engines := storetest.Engines(t)
	_, err = lifecycle.Open(ctx, lifecycle.Config{URL: url, Engines: engines})
	failsAs(t, "open", url, err, lifecycle.ErrUnavailable)
	check(t, syscall.Mount("", disk, "", syscall.MS_REMOUNT, ""))
	s = open(t, lifecycle.Config{URL: url, Engines: engines})
	if after := state(t, s); after != before {
		t.Errorf("got %s\nwant %s", after, before)
	}
	newPlan(t, s)
	check(t, engines.Close())
}

// The server's disk is full: the database of the test is on a small one.
func TestPostgresDiskFull(t *testing.T) {
	ctx := context.Background()
	server := storetest.OwnServer(t)
	disk := smallDisk(t, "24m")
	space := filepath.Join(disk, "space")
	check(t, os.Mkdir(space, 0o700))
	giveTo(t, space, server)
	check(t, server.Exec(ctx, "CREATE TABLESPACE small LOCATION '"+space+"'"))
	t.Cleanup(func() { check(t, server.Exec(ctx, "DROP TABLESPACE small")) })
	address := storetest.PostgresURL(t)
	u, err := url.Parse(address)
	check(t, err)
	check(t, server.Exec(ctx, "ALTER DATABASE "+strings.TrimPrefix(u.Path, "/")+" SET TABLESPACE small"))

	s := open(t, lifecycle.Config{URL: address})
	p, _ := populated(t, s)
	last(t, s) // assigns the positions of the events, which needs space
	filler := fill(t, disk)
	full(t, s, address, p, func() { check(t, os.Remove(filler)) })
}

// giveTo makes the server's user the owner of a folder.
func giveTo(t *testing.T, dir string, server *postgres.Server) {
	t.Helper()
	address, drop, err := server.NewDatabase(context.Background())
	check(t, err)
	var data string
	storetest.WithPostgres(t, address, func(conn *pgx.Conn) {
		check(t, conn.QueryRow(context.Background(), "SHOW data_directory").Scan(&data))
	})
	check(t, drop(context.Background()))
	info, err := os.Stat(data)
	check(t, err)
	stat := info.Sys().(*syscall.Stat_t)
	check(t, os.Chown(dir, int(stat.Uid), int(stat.Gid)))
}
