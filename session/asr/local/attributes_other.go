//go:build unix && !linux

package local

import "syscall"

// attributes keep the terminal's interrupt from the child: when to end is this process's to say. If this process is
// killed, the end of its standard input tells the child.
func attributes() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setpgid: true} }
