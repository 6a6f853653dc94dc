package schedule_test

import (
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"steno/session/asr/schedule"
)

// processorTime is the processor time of this thread so far.
func processorTime(t *testing.T) time.Duration {
	t.Helper()
	var now unix.Timespec
	if err := unix.ClockGettime(unix.CLOCK_THREAD_CPUTIME_ID, &now); err != nil {
		t.Error(err)
	}
	return time.Duration(now.Nano())
}

// compute takes 20 ms of processor time on this thread, and returns what it took.
func compute(t *testing.T) time.Duration {
	before := processorTime(t)
	for {
		if took := processorTime(t) - before; took >= 20*time.Millisecond {
			return took
		}
	}
}

// decodeOnce has a model decode, and returns the figures of that.
func decodeOnce(oneThread bool, decode func()) schedule.ClassFigures {
	s := schedule.New(1)
	done := make(chan struct{})
	q := s.Add(schedule.Model{OneThread: oneThread, Decode: func([]*schedule.Work) { decode(); close(done) }})
	q.Put(&schedule.Work{Class: schedule.Final, Samples: 1})
	<-done
	s.Close()
	return q.Figures().Classes[schedule.Final]
}

// Processor time is what a decode computed, not what it waited, and is measured for models that ask
// for it. One clock measures both; it stands still while something else has the processor.
func TestProcessorTime(t *testing.T) {
	var least time.Duration
	f := decodeOnce(true, func() { least = compute(t) })
	if f.Processor < least {
		t.Errorf("computes: %v, want %v at least", f.Processor, least)
	}
	f = decodeOnce(true, func() {
		computed := make(chan struct{})
		go func() {
			compute(t)
			close(computed)
		}()
		<-computed
	})
	if f.Processor >= 20*time.Millisecond || f.Decoding == 0 {
		t.Errorf("waits: %v of %v", f.Processor, f.Decoding)
	}
	if f = decodeOnce(false, func() { compute(t) }); f.Processor != 0 || f.Decoding == 0 {
		t.Errorf("computes on any threads: %v of %v", f.Processor, f.Decoding)
	}
}
