package client

import (
	"fmt"
	"syscall"
	"time"
)

const (
	// busyShare is the share of its processors that the process uses from which on it is busy.
	// Messages of speaking clients that are gathered take about half the time, so it is not busy
	// any more only when the share is well below half of that.
	busyShare = 0.75
	// calmShare is the share below which it is not.
	calmShare = 0.3
)

// processorUse tells whether the process is busy. It is used by one goroutine.
type processorUse struct {
	used time.Duration // of processor time, when it was last looked at
	at   time.Time
	busy bool
}

// observe takes in the processor time that the process has used until now, and reports whether it
// is busy.
func (u *processorUse) observe(now time.Time, used time.Duration, processors int64) (busy bool) {
	if elapsed := now.Sub(u.at); !u.at.IsZero() && elapsed > 0 {
		share := float64(used-u.used) / float64(elapsed) / float64(processors)
		u.busy = share >= busyShare || u.busy && share >= calmShare
	}
	u.used, u.at = used, now
	return u.busy
}

// processorTime is the processor time that the process has used since its start.
func processorTime() (time.Duration, error) {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return 0, fmt.Errorf("processor time: %w", err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano()), nil
}
