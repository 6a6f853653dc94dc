package schedule_test

import (
	"math/rand/v2"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"steno/session/asr/schedule"
)

// overload puts three times the work that two slots can do, for a number of rounds: in each a
// final, a first partial, seven partials and three pieces of recordings come in a random order, of
// a millisecond each, while four can be decoded. It returns the median wait of the finals. Without
// classes all are alike, first come, first served.
func overload(rounds int, classes bool, took time.Duration) time.Duration {
	s := schedule.New(2)
	defer s.Close()
	random := rand.New(rand.NewPCG(1, 2))
	waits := make(chan time.Duration, rounds)
	q := s.Add(schedule.Model{Decode: func(batch []*schedule.Work) {
		if put, ok := batch[0].Task.(time.Time); ok {
			waits <- time.Since(put)
		}
		time.Sleep(took)
	}})
	round := []schedule.Class{schedule.Final, schedule.FirstPartial}
	for class, n := range map[schedule.Class]int{schedule.Partial: 7, schedule.Replay: 3} {
		round = append(round, slices.Repeat([]schedule.Class{class}, n)...)
	}
	s.Live("", 1)
	for range rounds {
		random.Shuffle(len(round), func(i, j int) { round[i], round[j] = round[j], round[i] })
		for _, c := range round {
			w := &schedule.Work{Class: c}
			if c == schedule.Final {
				w.Task = time.Now()
			}
			if !classes {
				w.Class = schedule.Partial
			}
			q.Put(w)
		}
		time.Sleep(2 * took)
	}
	all := make([]time.Duration, rounds)
	for i := range all {
		all[i] = <-waits
	}
	slices.Sort(all)
	return all[rounds/2]
}

func TestFinalsDoNotWaitInACrowd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		with, without := overload(100, true, ms), overload(100, false, ms)
		if with*50 > without {
			t.Errorf("finals waited %v in the middle, %v without classes", with, without)
		}
	})
}

// BenchmarkFinalsInACrowd prints how many times longer finals would wait without classes.
func BenchmarkFinalsInACrowd(b *testing.B) {
	var with, without time.Duration
	for b.Loop() {
		with += overload(100, true, 200*time.Microsecond)
		without += overload(100, false, 200*time.Microsecond)
	}
	b.ReportMetric(float64(with.Microseconds())/float64(b.N), "µs-wait")
	b.ReportMetric(float64(without)/float64(max(with, 1)), "times-longer-without")
	b.ReportMetric(0, "ns/op")
}

// BenchmarkPut is the cost of the way through the scheduler for one piece of work.
func BenchmarkPut(b *testing.B) {
	s := schedule.New(2)
	defer s.Close()
	done := make(chan struct{}, 1)
	q := s.Add(schedule.Model{Decode: func([]*schedule.Work) { done <- struct{}{} }})
	w := &schedule.Work{Class: schedule.Partial}
	b.ReportAllocs()
	for b.Loop() {
		q.Put(w)
		<-done
	}
}
