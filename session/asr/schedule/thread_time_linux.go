package schedule

import (
	"time"

	"golang.org/x/sys/unix"
)

// threadTime returns the processor time of the calling thread so far; 0 if the system does not tell
// it.
func threadTime() time.Duration {
	var t unix.Timespec
	if err := unix.ClockGettime(unix.CLOCK_THREAD_CPUTIME_ID, &t); err != nil {
		return 0
	}
	return time.Duration(t.Nano())
}
