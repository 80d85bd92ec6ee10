//go:build unix

package postgres

import (
	"fmt"
	"os"
	"os/exec"
	"os/user"
	"strconv"
	"syscall"
)

// An owner is the user who owns a server's processes and files. PostgreSQL refuses to
// run as root, so root runs it as another user.
type owner struct{ credential *syscall.Credential }

func serverOwner() (owner, error) {
	if os.Geteuid() != 0 {
		return owner{}, nil
	}
	for _, name := range []string{"postgres", "nobody"} {
		u, err := user.Lookup(name)
		if err != nil {
			continue
		}
		uid, err1 := strconv.ParseUint(u.Uid, 10, 32)
		gid, err2 := strconv.ParseUint(u.Gid, 10, 32)
		if err1 == nil && err2 == nil {
			return owner{&syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}}, nil
		}
	}
	return owner{}, fmt.Errorf("%w: postgres does not run as root, and there is no user postgres or nobody", ErrMissing)
}

// give changes the owner of a folder.
func (o owner) give(dir string) error {
	if o.credential == nil {
		return nil
	}
	return os.Chown(dir, int(o.credential.Uid), int(o.credential.Gid))
}

// run makes a command run as the owner.
func (o owner) run(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: o.credential, Setpgid: true}
}
