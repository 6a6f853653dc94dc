//go:build unix && !linux

package media

import "syscall"

// attributes make the program the first of a group, which can be killed as a whole.
func attributes() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setpgid: true} }
