//go:build !linux

package schedule

import "time"

// threadTime returns 0: the processor time of a thread is not known here.
func threadTime() time.Duration { return 0 }

// canYield is whether a thread can have a lower priority than others.
const canYield = false

func yield() {}
