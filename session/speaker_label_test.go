package session

import (
	"encoding/binary"
	"fmt"
	"slices"
	"testing"
	"time"

	"steno/session/asr"
	"steno/session/asr/asrtest/corpus"
)

// speakersOf lists the speakers of the finals; -1 for a final without one.
func speakersOf(m *Memory) (list []int) {
	for _, u := range m.Outcome().Result.Transcription.Utterances {
		who := -1
		if u.Speaker != nil {
			who = *u.Speaker
		}
		list = append(list, who)
	}
	return list
}

// Two voices alternate; restarts do not change their numbers.
func TestSpeakersKeepTheirNumbers(t *testing.T) {
	var x []float64
	for i := range uint64(6) {
		x = append(x, whiteNoise(0.8, -75, i)...)
		v := voice(3, 20)
		if i%2 == 1 {
			v = lower(voice(2, 21))
		}
		x = append(x, v...)
	}
	audio := interleave(append(x, whiteNoise(1, -75, 9)...))
	const request = `{"endpointing":0.3,"realtime_processing":{"diarization":true}}`
	whole := playReplay(t, request, audio)
	got := speakersOf(whole)
	if slices.Contains(got, -1) || len(got) < 6 || !slices.Contains(got, 1) || got[0] != 0 {
		t.Fatalf("speakers %v, want two", got)
	}
	want := utterancesText(t, whole)
	for seed := range 2 {
		cuts := []int{len(audio) / (seed + 2), len(audio) * 3 / 4}
		if got := utterancesText(t, playCut(t, request, audio, cuts, 5000, 10*time.Millisecond)); got != want {
			t.Errorf("cut at %v: got  %s\nwant %s", cuts, got, want)
		}
	}
}

// lower changes a voice: a third slower, with all resonances lower.
func lower(x []float64) []float64 {
	out := make([]float64, 0, len(x)*3/2)
	for i := 0.0; int(i)+1 < len(x); i += 0.75 {
		at := int(i)
		out = append(out, x[at]+(x[at+1]-x[at])*(i-float64(at)))
	}
	return out
}

// A man who speaks alone, with long pauses, is one speaker, wherever his utterances end.
func TestOneManIsOneSpeaker(t *testing.T) {
	for _, c := range corpus.Read(t, func(e corpus.Entry) bool { return e.File == "jfk/jfk.wav" }) {
		var audio []byte
		for _, x := range c.Samples {
			audio = binary.LittleEndian.AppendUint16(audio, uint16(x))
		}
		for _, request := range []string{
			`"endpointing":0.05`, `"endpointing":0.5`, `"endpointing":2`,
			`"endpointing":0.5,"maximum_duration_without_endpointing":60`,
			`"endpointing":0.05,"pre_processing":{"audio_enhancer":true}`,
		} {
			m := playReplay(t, `{"realtime_processing":{"diarization":true},`+request+`}`, audio)
			if got := speakersOf(m); len(got) < 2 || slices.Max(got) != 0 || slices.Min(got) != 0 {
				t.Errorf("%s: speakers %v", request, got)
			}
		}
	}
}

func TestChannelsAreSpeakers(t *testing.T) {
	audio := scene(2, 6, 2)
	for _, asked := range []bool{false, true} {
		var m Memory
		s := open(t, &m, fmt.Sprintf(`{"channels":2,"endpointing":0.3,"realtime_processing":{"diarization":%v}}`,
			asked), asr.Live)
		write(t, s, audio)
		stopAndWait(t, s)
		for _, u := range m.Outcome().Result.Transcription.Utterances {
			if told := u.Speaker != nil; told != asked || told && *u.Speaker != u.Channel {
				t.Errorf("asked %v: speaker %v of channel %d", asked, u.Speaker, u.Channel)
			}
		}
	}
}
