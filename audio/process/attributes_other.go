//go:build unix && !linux

package process

import "syscall"

func attributes() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setpgid: true} }

func lead(*syscall.SysProcAttr) {}

func lower(pid, nice int) { _ = syscall.Setpriority(syscall.PRIO_PGRP, pid, nice) }
