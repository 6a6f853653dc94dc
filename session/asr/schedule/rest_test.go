//go:build linux

package schedule_test

import (
	"slices"
	"testing"
	"time"

	"steno/session/asr/schedule"
)

// A recording rests before each of its passes while live speech is decoded and no processor is
// free, for a while at most, and continues as soon as one is.
func TestRecordingsRest(t *testing.T) {
	for _, c := range []struct {
		name  string
		slots int
		live  int // open utterances
		own   bool
		want  []time.Duration // when passes of 10 ms begin
	}{
		{"none is free", 2, 1, true, []time.Duration{200 * ms, 300 * ms, 310 * ms}},
		{"one is free", 3, 1, true, []time.Duration{0, 10 * ms, 20 * ms}},
		{"nobody speaks any more", 2, 0, true, []time.Duration{0, 10 * ms, 20 * ms}},
		{"on a slot of live speech", 2, 1, false, []time.Duration{0, 10 * ms, 20 * ms}},
	} {
		run(t, c.slots, func(t *testing.T, s *schedule.Scheduler, _ *log) {
			start := time.Now()
			var passes []time.Duration
			done := make(chan struct{})
			live := s.Add(schedule.Model{Decode: func([]*schedule.Work) { time.Sleep(300 * ms) }})
			var recorded *schedule.Queue
			recorded = s.Add(schedule.Model{OneThread: c.own, Decode: func([]*schedule.Work) {
				for range 3 {
					recorded.Rest(200 * ms)
					passes = append(passes, time.Since(start))
					time.Sleep(10 * ms)
				}
				close(done)
			}})
			s.Live("", c.live)
			live.Put(&schedule.Work{Class: schedule.Final})
			time.Sleep(time.Nanosecond) // it has begun
			start = start.Add(time.Nanosecond)
			recorded.Put(&schedule.Work{Class: schedule.Replay})
			<-done
			if !slices.EqualFunc(passes, c.want, func(a, b time.Duration) bool {
				return (a - b).Abs() < ms
			}) {
				t.Errorf("%s: passes at %v, want %v", c.name, passes, c.want)
			}
			s.Live("", -c.live)
		})
	}
}
