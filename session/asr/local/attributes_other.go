//go:build unix && !linux

package local

import "syscall"

// attributes keep the terminal's interrupt from the child: this process decides when the child ends. If this process is
// killed, the end of the child's standard input tells it.
func attributes() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setpgid: true} }
