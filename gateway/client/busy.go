package client

import (
	"fmt"
	"syscall"
	"time"
)

const (
	// busyShare is the share of its processors that the process uses from which on it is busy.
	// Messages of speaking clients that accumulate take about half the time, so calmShare is well
	// below half.
	busyShare = 0.75
	// calmShare is the share below which the process is not busy any more.
	calmShare = 0.3
)

// processorUse decides whether the process is busy. It is used by one goroutine.
type processorUse struct {
	used time.Duration // processor time at the last call
	at   time.Time
	busy bool
}

// observe records the processor time used until now, and reports whether the process is busy.
func (u *processorUse) observe(now time.Time, used time.Duration, processors int64) (busy bool) {
	if elapsed := now.Sub(u.at); !u.at.IsZero() && elapsed > 0 {
		share := float64(used-u.used) / float64(elapsed) / float64(processors)
		u.busy = share >= busyShare || u.busy && share >= calmShare
	}
	u.used, u.at = used, now
	return u.busy
}

// processorTime returns the processor time that the process has used since its start.
func processorTime() (time.Duration, error) {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return 0, fmt.Errorf("processor time: %w", err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano()), nil
}
