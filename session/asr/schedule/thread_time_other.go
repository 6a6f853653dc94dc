//go:build !linux

package schedule

import "time"

// threadTime returns 0: the processor time of a thread is not known here.
func threadTime() time.Duration { return 0 }
