package loadtest

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"steno/audio"
	"steno/messages"
)

func TestWordErrorsOfWholeRecordings(t *testing.T) {
	a, b := noise("a", mono16, time.Second, 1), noise("b", mono16, time.Second, 2)
	a.Transcript, b.Transcript = "One, two.", "three four"
	// b's second half, a, b, and a's first half are played.
	track := loopTrack([]*Clip{a, b}, 0, 3*time.Second)
	track.startAt(0.75)
	h := newHeardWords(track)
	for _, w := range []messages.Word{{Word: "four", End: 0.4}, {Word: " one", Start: 0.6, End: 0.9},
		{Word: "too", Start: 1, End: 1.4}, {Word: "Three", Start: 1.6, End: 2}} {
		h.add(messages.Utterance{Words: []messages.Word{w}})
	}
	if got, want := h.errors(), (wordErrors{Recordings: 2, Words: 4, Errors: 2}); got != want {
		t.Errorf("%+v, not %+v", got, want)
	}
}

func TestTranscriptsLieBesideRecordings(t *testing.T) {
	dir := t.TempDir()
	for name, data := range map[string]string{
		"x/a.wav": "", "x/b.wav": "", "x/b.txt": " beside \n",
		"manifest.jsonl": `{"file":"x/a.wav","transcript":"listed"}` + "\n\n" +
			`{"file":"x/c.wav","transcript":null}` + "\n\r\n",
	} {
		if err := os.MkdirAll(filepath.Join(dir, "x"), 0o755); err != nil {
			t.Fatal(err)
		}
		if filepath.Ext(name) == ".wav" {
			data = string(audio.WAVHeader(mono16, 640)) + string(make([]byte, 640))
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte(data), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	clips, _, err := LoadClips(dir)
	if err != nil || len(clips) != 2 || clips[0].Transcript != "listed" || clips[1].Transcript != "beside" {
		t.Errorf("%+v, error %v", clips, err)
	}
}

func TestPausesHaveTheirShare(t *testing.T) {
	for _, f := range []audio.Format{{Encoding: audio.PCM, BitDepth: 16, SampleRate: 8000, Channels: 2}, telephone} {
		var clips []*Clip
		for i := range 40 {
			clips = append(clips, noise("n", f, time.Second, uint64(i)))
		}
		speech, silence := 0, 0
		for _, c := range withPauses(clips, 0.6, 1) {
			speech += len(c.Data)
			for _, b := range c.pause {
				silence += len(b)
			}
		}
		if share := float64(silence) / float64(speech+silence); share < 0.5 || share > 0.7 {
			t.Errorf("%s: %.2f of silence", f, share)
		}
	}
}

func TestAcksAreReadWithoutDecoding(t *testing.T) {
	for text, ok := range map[string]bool{
		`{"acknowledged":true,"type":"audio_chunk","data":{"byte_range":[12,345]}}`:  true,
		`{"acknowledged":false,"type":"audio_chunk","data":{"byte_range":[12,345]}}`: false,
		`{"acknowledged":true,"type":"audio_chunk","data":{"byte_range":[12, 345]}}`: false,
		`{"type":"x","text":"\"type\":\"audio_chunk\" \"acknowledged\":true"}`:       false,
		`{"acknowledged":true,"type":"audio_chunk","data":{"byte_range":[-1,345]}}`:  false,
		`{"acknowledged":true,"type":"audio_chunk","data":{"byte_range":[,345]}}`:    false,
		`{"acknowledged":true,"type":"audio_chunk","data":{"byte_range":[12,345`:     false,
	} {
		if from, to, got := ackOf([]byte(text)); got != ok || ok && (from != 12 || to != 345) {
			t.Errorf("%s: %d to %d, %t", text, from, to, got)
		}
	}
}
