package translate

import "syscall"

// attributes make the program the first of a group, which can be killed as a whole, and have it die with this process, even
// one that was killed.
func attributes() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
}
