package sphinx

import (
	"testing"
	"testing/synctest"
	"time"

	"steno/session/asr"
)

// countsLoads takes 400 ms for a live decoder, and counts them.
type countsLoads struct {
	constantTime
	loads *int
}

func (l countsLoads) Live() (liveDecoder, error) {
	time.Sleep(400 * ms)
	*l.loads++
	return l.constantTime.Live()
}

// Of the live decoders one is loaded at first and one more than speak from then on; who finds none
// has partials later, and who finds none in three seconds has none.
func TestLiveDecodersAreLoadedWhenNeeded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := Config{Slots: 2, Decoders: 6, FinalDecoders: 3}
		try(t, c.fill())
		loads := 0
		r, err := newRecognizer(t.Context(), c, countsLoads{constantTime{slow{whole: 15 * ms, chunk: 5 * ms}}, &loads})
		try(t, err)
		if loads != 1 {
			t.Errorf("%d are loaded at first", loads)
		}
		speak := func(speakers int) []asr.Stream {
			var all []asr.Stream
			for range speakers {
				all = append(all, opened(t, r, asr.Params{Partials: true}))
			}
			for range 40 {
				for _, u := range all {
					try(t, u.Write(make([]int16, tenth)))
				}
				time.Sleep(100 * ms)
			}
			return all
		}
		end := func(all []asr.Stream) (partials int) {
			for _, u := range all {
				try(t, u.End())
				if _, n := outcome(t, u); n > 0 {
					partials++
				}
			}
			return partials
		}
		if n := end(speak(1)); n != 1 || loads != 2 {
			t.Errorf("%d of one speaker has partials, %d decoders are loaded", n, loads)
		}
		four := speak(4)
		if s := settled(r); s.LiveIdle != 0 || s.Dropped[DropNoDecoder] != 1 {
			t.Errorf("four speakers: %+v", s)
		}
		if n := end(four); n != 3 || loads != 3 {
			t.Errorf("%d of four speakers have partials, %d decoders are loaded", n, loads)
		}
		if s := settled(r); s.LiveIdle != 3 {
			t.Errorf("%d are idle at the end", s.LiveIdle)
		}
		try(t, r.Close())
	})
}
