package local

import "syscall"

// attributes let the child die with this process, even a killed one, and keep the terminal's interrupt from it: this
// process decides when the child ends.
func attributes() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
}
