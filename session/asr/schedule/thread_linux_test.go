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

// TestRecordingsHaveSlotsOfTheirOwn decodes live speech on all slots while recordings are decoded,
// as many and one fewer while live speech is open, and then on threads of lower priority that
// nothing else runs on afterwards.
func TestRecordingsHaveSlotsOfTheirOwn(t *testing.T) {
	const slots = 2
	s := schedule.New(slots)
	defer s.Close()
	type call struct {
		class schedule.Class
		nicer int // than the test
	}
	own, err := unix.Getpriority(unix.PRIO_PROCESS, 0)
	if err != nil || own <= 20-19 {
		t.Skipf("priority %d, %v", own, err)
	}
	began, end := make(chan call), make(chan struct{})
	q := s.Add(schedule.Model{OneThread: true, Batch: 1, Decode: func(batch []*schedule.Work) {
		priority, err := unix.Getpriority(unix.PRIO_PROCESS, 0)
		if err != nil {
			t.Error(err)
		}
		began <- call{batch[0].Class, own - priority}
		<-end
	}})
	put := func(c schedule.Class, n int) {
		for range n {
			q.Put(&schedule.Work{Class: c})
		}
	}
	count := func(n int) map[call]int {
		calls := map[call]int{}
		for range n {
			calls[<-began]++
		}
		return calls
	}
	alone, recorded, live := call{schedule.Replay, 0}, call{schedule.Replay, min(10, own-1)}, call{schedule.Final, 0}
	put(schedule.Replay, 4)
	if got := count(slots); got[alone] != slots {
		t.Errorf("recordings alone: %v", got)
	}
	s.Live("", 1)
	put(schedule.Final, 3)
	if got := count(slots); got[live] != slots {
		t.Errorf("beside recordings: %v", got)
	}
	if all, busy := s.Slots(); all != slots || busy != slots {
		t.Errorf("%d of %d slots", busy, all)
	}
	for range 2 * slots { // the last final, and one recording: the other slot is left
		end <- struct{}{}
	}
	if got := count(2); got[live] != 1 || got[recorded] != 1 {
		t.Errorf("next: %v", got)
	}
	select {
	case c := <-began:
		t.Errorf("beside live speech: %v", c)
	default:
	}
	s.Live("", -1)
	if got := count(1); got[alone] != 1 {
		t.Errorf("when live speech is over: %v", got)
	}
	for range 3 {
		end <- struct{}{}
	}
}
