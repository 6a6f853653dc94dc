//go:build linux && cgo

package fakemodels

import (
	"testing"

	sherpa "github.com/k2-fsa/sherpa-onnx-go-linux"
)

// Streams that begin and end at different times are decoded in batches of those that are ready:
// each has its own words.
func TestStreamsOfABatchKeepApart(t *testing.T) {
	a := English()
	for name, r := range map[string]*sherpa.OnlineRecognizer{
		"ctc": streamingCTC(t, a), "greedy": streamingTransducer(t, a, ""), "beam": streamingTransducer(t, a, "echo"),
	} {
		t.Run(name, func(t *testing.T) {
			decodeTogether(t, r, talks(a))
		})
	}
}

// talks are of different lengths and words.
func talks(a Alphabet) []Speech {
	var all []Speech
	for i, words := range [][]string{{"alpha", "alpha", "no"}, {"no", "no", "no", "hotel"}, {"echo"},
		{"golf", "bravo", "delta", "alta", "echo"}} {
		var s Speech
		s.Pause(samplesTime(3200 + 1111*i))
		s.AddWords(a, words...)
		all = append(all, s)
	}
	return all
}

// decodeTogether decodes the talks, each of which begins 0.1 s after the one before it.
func decodeTogether(t *testing.T, r *sherpa.OnlineRecognizer, talks []Speech) {
	const step = SampleRate / 10
	streams := make([]*sherpa.OnlineStream, len(talks))
	left := make([][]float32, len(talks))
	for i, s := range talks {
		streams[i] = sherpa.NewOnlineStream(r)
		defer sherpa.DeleteOnlineStream(streams[i])
		left[i] = append(floats(s.Samples), padding...)
	}
	for now := 0; now < 20*10; now++ {
		for i, s := range streams[:min(now+1, len(streams))] {
			if n := min(step, len(left[i])); n > 0 {
				s.AcceptWaveform(SampleRate, left[i][:n])
				left[i] = left[i][n:]
			}
		}
		decodeReady(r, streams)
	}
	for i, s := range streams {
		got := r.GetResult(s)
		check(t, got.Tokens, got.Timestamps, talks[i].Tokens)
	}
}

func decodeReady(r *sherpa.OnlineRecognizer, streams []*sherpa.OnlineStream) {
	for {
		var ready []*sherpa.OnlineStream
		for _, s := range streams {
			if r.IsReady(s) {
				ready = append(ready, s)
			}
		}
		if len(ready) == 0 {
			return
		}
		r.DecodeStreams(ready)
	}
}
