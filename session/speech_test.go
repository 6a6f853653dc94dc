package session

import (
	"context"
	"encoding/json"
	"fmt"
	"testing"

	"steno/messages"
	"steno/session/asr"
	"steno/session/asr/scripted"
)

// wideRecognizer is a recognizer whose words span all its audio, the silence around speech
// included, and a second beyond.
type wideRecognizer struct{ asr.Recognizer }

func (w wideRecognizer) Open(ctx context.Context, p asr.Params) (asr.Stream, error) {
	u, err := w.Recognizer.Open(ctx, p)
	return wideStream{u}, err
}

type wideStream struct{ asr.Stream }

func (u wideStream) Recv() (asr.Result, error) {
	r, err := u.Stream.Recv()
	if n := len(r.Words); n > 0 {
		r.Words[0].Start = 0
		r.Words[n-1].End += asr.Rate
	}
	return r, err
}

// stretch is a stretch of speech, as reported by the events of a channel, and the utterances in it.
type stretch struct {
	start, end float64
	utterances []messages.Utterance
}

// speeches reads the stretches of each channel's speech from the log; after forced cuts one has
// several utterances.
func speeches(t *testing.T, m *Memory, channels int) [][]stretch {
	t.Helper()
	times, finals := map[string]float64{}, map[string]messages.Utterance{}
	for _, e := range m.events {
		var body struct {
			Data struct {
				Time      float64
				Utterance messages.Utterance
			}
		}
		if err := json.Unmarshal(e.Body, &body); err != nil {
			continue // of another kind, with data that is none
		}
		times[e.Key.String()], finals[e.Key.String()] = body.Data.Time, body.Data.Utterance
	}
	all := make([][]stretch, channels)
	for c := range all {
		for number := int64(0); ; number++ {
			id := messages.UtteranceID(c, number)
			if at, ok := times["speech_start/"+id]; ok {
				all[c] = append(all[c], stretch{start: at})
			}
			if len(all[c]) == 0 || all[c][len(all[c])-1].end > 0 {
				break
			}
			last := &all[c][len(all[c])-1]
			if u, ok := finals["final/"+id]; ok {
				last.utterances = append(last.utterances, u)
			}
			last.end = times["speech_end/"+id]
		}
	}
	return all
}

// Speech events enclose the words between them, even if the recognizer's times lie outside, and do
// not overlap.
func TestSpeechEventsEncloseTheirWords(t *testing.T) {
	sound := scene(2, 10, 9)
	for _, request := range []string{
		`{"channels":2,"endpointing":0.05}`,
		`{"channels":2,"endpointing":10,"pre_processing":{"audio_enhancer":true}}`,
		`{"channels":2,"endpointing":1,"pre_processing":{"speech_threshold":0}}`, // cut at the longest duration
	} {
		var m Memory
		s := openWith(t, &m, request, asr.Replay, wideRecognizer{scripted.New(scripted.Config{})})
		write(t, s, sound)
		stopAndWait(t, s)
		words := 0
		for c, list := range speeches(t, &m, 2) {
			at := 0.0
			step := func(what string, to float64) {
				t.Helper()
				if to < at {
					t.Errorf("%s: channel %d: %s at %.3f, after %.3f", request, c, what, to, at)
				}
				at = to
			}
			for _, sp := range list {
				step("speech_start", sp.start)
				for _, u := range sp.utterances {
					step("utterance", u.Start)
					for _, w := range u.Words {
						step(fmt.Sprintf("word%s", w.Word), w.Start)
						step(fmt.Sprintf("end of word%s", w.Word), w.End)
						words++
					}
				}
				step("speech_end", sp.end)
			}
		}
		if words < 20 {
			t.Errorf("%s: %d words: nothing is tested", request, words)
		}
	}
}

// No event's time is after the end of the recording, wherever in a tick that is and however much
// the front end lags.
func TestSpeechEndsWithTheRecording(t *testing.T) {
	pcm := interleave(voice(3.0051, 4))
	pcm = append(pcm, pcm...)
	pcm = pcm[:len(pcm)/2+32000+2*33] // to a vowel, two milliseconds into a tick
	for _, request := range []string{
		`{}`,
		`{"sample_rate":8000}`,
		`{"sample_rate":48000,"pre_processing":{"audio_enhancer":true,"speech_threshold":0}}`,
		`{"pre_processing":{"speech_threshold":0}}`,
	} {
		var m Memory
		s := openWith(t, &m, request, asr.Replay, wideRecognizer{scripted.New(scripted.Config{})})
		write(t, s, pcm)
		if request == `{}` {
			hush(t, s)
		}
		stopAndWait(t, s)
		list := speeches(t, &m, 1)[0]
		if len(list) == 0 || len(list[len(list)-1].utterances) == 0 {
			t.Fatalf("%s: no words: nothing is tested", request)
		}
		last := list[len(list)-1]
		end := m.Outcome().Seconds
		if u := last.utterances[len(last.utterances)-1]; u.End > end || last.end > end {
			t.Errorf("%s: words until %.3f, speech until %.3f, recording until %.3f", request, u.End, last.end, end)
		}
	}
}
