package schedule_test

import (
	"testing"
	"time"

	"steno/session/asr/schedule"
)

// Processor time is what a decode computed, not what it waited, and is measured for models that ask for it.
func TestProcessorTime(t *testing.T) {
	compute := func() {
		for began := time.Now(); time.Since(began) < 20*time.Millisecond; {
		}
	}
	wait := func() { time.Sleep(100 * time.Millisecond) }
	for _, c := range []struct {
		name      string
		oneThread bool
		decode    func()
		holds     func(f schedule.ClassFigures) bool
	}{
		{"computes", true, compute, func(f schedule.ClassFigures) bool { return f.Processor > 0 && f.Processor <= f.Decoding }},
		{"waits", true, wait, func(f schedule.ClassFigures) bool { return f.Processor < f.Decoding/2 }},
		{"computes on any threads", false, compute, func(f schedule.ClassFigures) bool { return f.Processor == 0 && f.Decoding > 0 }},
	} {
		s := schedule.New(1)
		done := make(chan struct{})
		q := s.Add(schedule.Model{OneThread: c.oneThread, Decode: func([]*schedule.Work) { c.decode(); close(done) }})
		q.Put(&schedule.Work{Class: schedule.Final, Samples: 1})
		<-done
		s.Close()
		if f := q.Figures().Classes[schedule.Final]; !c.holds(f) {
			t.Errorf("%s: %v of processors, %v in all", c.name, f.Processor, f.Decoding)
		}
	}
}
