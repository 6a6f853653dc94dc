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

// lowered is by how much nicer a process is than this one: beside one that is not, on the same
// processor, it gets a tenth of the time.
const lowered = 10

// lower lowers the priority of the first process of a session. Where the kernel shares processors
// among sessions first (autogroup, see sched(7)) niceness counts within a session alone, and its
// own counts beside others.
func lower(pid int) {
	_ = syscall.Setpriority(syscall.PRIO_PGRP, pid, lowered)
	_ = os.WriteFile("/proc/"+strconv.Itoa(pid)+"/autogroup", []byte(strconv.Itoa(lowered)), 0)
}
