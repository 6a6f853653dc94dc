package gateway

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"testing"

	"steno/messages"
)

// textsByChannel returns the texts of a result's utterances by channel.
func textsByChannel(result messages.PreRecordedResult) map[int][]string {
	heard := map[int][]string{}
	for _, u := range result.Transcription.Utterances {
		heard[u.Channel] = append(heard[u.Channel], u.Text)
	}
	return heard
}

// Channels with the same audio are transcribed and billed as one, the first of them; silent ones
// not at all.
func TestEqualChannels(t *testing.T) {
	t.Parallel()
	r := recordedServer(t, nil)
	a, b := speech(6, 12), speech(6, 13)
	none := make([]byte, len(a))
	first := textsByChannel(r.transcribeFile("a.wav", wavOf(a, 16000, 1)))[0]
	other := textsByChannel(r.transcribeFile("b.wav", wavOf(b, 16000, 1)))[0]
	if len(first) < 2 || slices.Equal(first, other) {
		t.Fatalf("heard %q and %q", first, other)
	}
	twice := wavOf(interleaved(a, a), 16000, 2)
	encoded := encodeAll(t, twice, []string{"a.flac"}, []string{"-b:a", "64k", "a.mp3"})
	for name, test := range map[string]struct {
		content  []byte
		channels int
		want     map[int][]string // nil: of channel 0 only, whatever is heard of what a codec has made of it
	}{
		"a.wav":       {twice, 2, map[int][]string{0: first}},
		"a.flac":      {encoded["a.flac"], 2, map[int][]string{0: first}},
		"a.mp3":       {encoded["a.mp3"], 2, nil},
		"two.wav":     {wavOf(interleaved(a, b), 16000, 2), 2, map[int][]string{0: first, 1: other}},
		"three.wav":   {wavOf(interleaved(a, a, b), 16000, 3), 3, map[int][]string{0: first, 2: other}},
		"left.wav":    {wavOf(interleaved(a, none), 16000, 2), 2, map[int][]string{0: first}},
		"right.wav":   {wavOf(interleaved(none, a), 16000, 2), 2, map[int][]string{1: first}},
		"silence.wav": {wavOf(interleaved(none, none), 16000, 2), 2, map[int][]string{}},
	} {
		id := r.createJob(`{"audio_url":"` + r.uploadFile(name, test.content).AudioURL + `"}`)
		result := r.awaitResult(id)
		heard, want := textsByChannel(result), test.want
		if want == nil {
			want = map[int][]string{0: heard[0]}
		}
		if fmt.Sprint(heard) != fmt.Sprint(want) {
			t.Errorf("%s: heard %v, want %v", name, heard, want)
		}
		m, distinct := result.Metadata, max(len(want), 1)
		if m.NumberOfDistinctChannels != distinct || m.BillingTime != m.AudioDuration*float64(distinct) {
			t.Errorf("%s: %+v, want %d channels", name, m, distinct)
		}
		if f := r.recordedJob(id).File; f == nil || f.NumberOfChannels == nil || *f.NumberOfChannels != test.channels {
			t.Errorf("%s: file %+v, want %d channels", name, f, test.channels)
		}
	}
}

// Redacted text is silent on each channel that contains it.
func TestRedactEqualChannels(t *testing.T) {
	r := addonServer(t, services(), "my card is 4111 1111 1111 1111", "and my card is 4111 1111 1111 1111")
	a := speech(5, 5)
	up := r.uploadFile("a.wav", wavOf(interleaved(a, a), 16000, 2))
	id := r.createJob(`{"audio_url":"` + up.AudioURL + `","language_config":{"languages":["en"]},"pii_redaction":true,
		"pii_redaction_config":{"entity_types":["CREDIT_CARD"]}}`)
	result := r.awaitResult(id)
	if result.Metadata.NumberOfDistinctChannels != 1 {
		t.Fatalf("%+v", result.Metadata)
	}
	sound := r.redactedCopy(id)
	var hidden int
	for i := 0; i+3 < len(sound); i += 4 {
		if !bytes.Equal(sound[i:i+2], sound[i+2:i+4]) {
			t.Fatalf("frame %d: %v", i/4, sound[i:i+4])
		}
		if was := a[i/2 : i/2+2]; !bytes.Equal(sound[i:i+2], was) {
			hidden++
		}
	}
	if hidden < 8000 {
		t.Errorf("%d frames are hidden of %q", hidden, result.Transcription.FullTranscript)
	}
}

// A recording whose channels have the same audio is diarized as one channel.
func TestSpeakersOfEqualChannels(t *testing.T) {
	r := addonServer(t, services(), "one two three four five six", "seven eight nine ten eleven twelve")
	d := &halvesDiarizer{}
	r.diarizer = d
	r.restart()
	a := speech(5, 5)
	up := r.uploadFile("a.wav", wavOf(interleaved(make([]byte, len(a)), a, a), 16000, 3))
	result := r.awaitResult(r.createJob(`{"audio_url":"` + up.AudioURL +
		`","diarization":true,"diarization_config":{"number_of_speakers":2}}`))
	for _, u := range result.Transcription.Utterances {
		if u.Channel != 1 || u.Speaker == nil {
			t.Errorf("%+v", u)
		}
	}
	if len(d.want) != 1 || len(result.Transcription.Utterances) < 2 {
		body, _ := json.Marshal(result)
		t.Errorf("asked %v: %s", d.want, body)
	}
}
