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

// canYield is whether a thread can have a lower priority than others.
const canYield = true

// lowered is by how much nicer a thread is that computes for recordings: beside one for live speech
// on the same processor it gets a tenth of the time. With less it would keep Go's memory from being
// collected for too long.
const lowered = 10

// yield lowers the priority of the calling thread. If the system does not let it, recordings have
// the same priority as live speech.
func yield() {
	if priority, err := unix.Getpriority(unix.PRIO_PROCESS, 0); err == nil { // 20 less the niceness
		_ = unix.Setpriority(unix.PRIO_PROCESS, 0, 20-priority+lowered)
	}
}
