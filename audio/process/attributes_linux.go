package process

import (
	"os"
	"strconv"
	"syscall"
)

func attributes() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
}

// lead makes a process the first of a session, and so of a process group.
func lead(a *syscall.SysProcAttr) { a.Setpgid, a.Setsid = false, true }

// lower lowers the priority of the first process of a session. Where the kernel shares processors
// among sessions first (autogroup, see sched(7)) niceness counts within a session alone, and its
// own counts beside others.
func lower(pid, nice int) {
	if priority, err := syscall.Getpriority(syscall.PRIO_PROCESS, 0); err == nil { // 20 less the niceness
		_ = syscall.Setpriority(syscall.PRIO_PGRP, pid, 20-priority+nice)
	}
	_ = os.WriteFile("/proc/"+strconv.Itoa(pid)+"/autogroup", []byte(strconv.Itoa(nice)), 0)
}
