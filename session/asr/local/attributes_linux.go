package local

import "syscall"

// attributes have the child die with this process, even one that was killed, and keep the terminal's interrupt from
// it: when to end is this process's to say.
func attributes() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
}
