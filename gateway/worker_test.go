package gateway

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"steno/messages"
)

// fileServer returns the address of a server that has these files, and answers 500 at /500.
func fileServer(t *testing.T, files map[string][]byte) string {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		content, ok := files[r.URL.Path]
		switch {
		case r.URL.Path == "/500":
			w.WriteHeader(http.StatusInternalServerError)
		case !ok:
			w.WriteHeader(http.StatusNotFound)
		default:
			_, _ = w.Write(content) // a client that has gone is the test's matter
		}
	}))
	t.Cleanup(server.Close)
	return server.URL
}

// wide converts 16-bit samples to 32-bit ones.
func wide(pcm []byte) (b []byte) {
	for i := 0; i+1 < len(pcm); i += 2 {
		b = binary.LittleEndian.AppendUint32(b, uint32(binary.LittleEndian.Uint16(pcm[i:]))<<16)
	}
	return b
}

// A recording yields the same utterances, to the byte, live and as a file, however it is cut, in
// any container, and with any number of concurrent jobs.
func TestLiveEqualsRecorded(t *testing.T) {
	t.Parallel()
	r := recordedServer(t, nil)
	mono, both := speech(8, 11), interleaved(speech(6, 12), speech(6, 13))
	slow := resampled(mono, 8000)
	fast := interleaved(resampled(speech(6, 12), 44100), resampled(speech(6, 13), 44100))
	random := rand.New(rand.NewPCG(1, 2))
	files := encodeAll(t, wavOf(mono, 16000, 1), []string{"a.flac"}, []string{"-sample_fmt", "s32",
		"-bits_per_raw_sample", "24", "b.flac"}, []string{"-c:a", "flac", "a.ogg"})
	for name, tc := range map[string]struct {
		request string
		live    []byte
		file    string
		content []byte
	}{
		"wav":           {`{}`, mono, "a.wav", wavOf(mono, 16000, 1)},
		"two channels":  {`{"channels":2}`, both, "a.wav", wavOf(both, 16000, 2)},
		"8 kHz":         {`{"sample_rate":8000}`, slow, "a.wav", wavOf(slow, 8000, 1)},
		"44.1 kHz":      {`{"sample_rate":44100,"channels":2}`, fast, "a.wav", wavOf(fast, 44100, 2)},
		"flac":          {`{}`, mono, "a.flac", files["a.flac"]},
		"flac, 24 bit":  {`{"bit_depth":32}`, wide(mono), "a.flac", files["b.flac"]},
		"ogg, lossless": {`{}`, mono, "a.ogg", files["a.ogg"]},
		"matroska": {`{"channels":2}`, both, "a.mka", encode(t, wavOf(both, 16000, 2), "a.mka", "-c:a",
			"pcm_s16le")},
	} {
		t.Run(name, func(t *testing.T) {
			recorded := r.transcribeFile(tc.file, tc.content)
			want, err := json.Marshal(recorded.Transcription)
			if err != nil || len(recorded.Transcription.Utterances) < 2 {
				t.Fatalf("%v, transcription %s", err, want)
			}
			id, url := r.create(tc.request)
			c := call(t, url).mustConnect()
			for rest := tc.live; len(rest) > 0; {
				n := min(1+random.IntN(40_000), len(rest))
				if err := c.send(rest[:n]); err != nil {
					t.Fatal(err)
				}
				rest = rest[n:]
			}
			if err := c.stop(); err != nil || c.end() != 1000 {
				t.Fatal("not ended", err)
			}
			live := r.result(id)
			got, err := json.Marshal(live.Transcription)
			if err != nil || string(got) != string(want) {
				t.Errorf("%v\nlive     %s\nrecorded %s", err, got, want)
			}
			if live.Metadata.AudioDuration != recorded.Metadata.AudioDuration {
				t.Errorf("%v s live, %v s recorded", live.Metadata.AudioDuration, recorded.Metadata.AudioDuration)
			}
		})
	}
}

func TestManyJobs(t *testing.T) {
	r := recordedServer(t, func(c *Config) { c.Jobs.Workers = 4 })
	var ids [6]string
	var alone [6]string
	for i := range ids {
		content := wavOf(speech(4, uint64(20+i)), 16000, 1)
		alone[i] = fmt.Sprint(texts(r.transcribeFile("a.wav", content).Transcription.Utterances))
		ids[i] = r.uploadFile("a.wav", content).AudioURL
	}
	for i, url := range ids {
		ids[i] = r.createJob(`{"audio_url":"` + url + `"}`)
	}
	for i, id := range ids {
		if got := fmt.Sprint(texts(r.awaitResult(id).Transcription.Utterances)); got != alone[i] {
			t.Errorf("job %d gave %s among others, %s alone", i, got, alone[i])
		}
	}
}

// The answer names everything that was asked for and cannot be done.
func TestAddonsUnavailable(t *testing.T) {
	r := recordedServer(t, nil)
	url := r.uploadFile("a.wav", wavOf(speech(2, 1), 16000, 1)).AudioURL
	id := r.createJob(everythingRecorded(url, "http://127.0.0.1:1"))
	job := r.awaitJob(id)
	var result map[string]json.RawMessage
	if err := json.Unmarshal(job.Result, &result); err != nil {
		t.Fatal(err)
	}
	type wrapper struct {
		Success *bool
		IsEmpty *bool    `json:"is_empty"`
		Time    *float64 `json:"exec_time"`
		Error   *messages.AddonError
	}
	check := func(name string, text json.RawMessage) {
		var w wrapper
		if err := json.Unmarshal(text, &w); err != nil || w.Success == nil || *w.Success || w.IsEmpty == nil ||
			*w.IsEmpty ||
			w.Time == nil || w.Error == nil || w.Error.StatusCode != 501 || !strings.Contains(w.Error.Message, name) {
			t.Errorf("%s: %s", name, text)
		}
	}
	for _, name := range []string{
		"translation", "summarization", "named_entity_recognition", "name_consistency", "structured_data_extraction",
		"sentiment_analysis", "audio_to_llm",
	} {
		check(name, result[name])
	}
	plain := r.transcribeFile("a.wav", wavOf(speech(2, 1), 16000, 1))
	if text, err := json.Marshal(plain); err != nil || strings.Contains(string(text), "success") {
		t.Errorf("answers without a question: %s", text)
	}
}

func TestRecordedCallbacks(t *testing.T) {
	r := recordedServer(t, nil)
	hook := newReceiver(t)
	url := r.uploadFile("a.wav", wavOf(speech(3, 1), 16000, 1)).AudioURL
	good := r.createJob(`{"audio_url":"` + url + `","callback":true,"callback_config":{"url":"` + hook.url +
		`"},"custom_metadata":{"n":1}}`)
	sent := hook.await(t, messages.EventSuccess)
	if len(sent) != 1 || sent[0].ID != good {
		t.Fatalf("sent %+v", sent)
	}
	var result, payload any
	if json.Unmarshal(r.awaitJob(good).Result, &result) != nil || json.Unmarshal(sent[0].Payload, &payload) != nil ||
		fmt.Sprint(result) != fmt.Sprint(payload) {
		t.Errorf("sent %s", sent[0].Payload)
	}
	bad := r.createJob(`{"audio_url":"` + fileServer(t, nil) + `/x.mp3","callback_url":"` + hook.url + `"}`)
	sent = hook.await(t, messages.EventError)
	if last := sent[len(sent)-1]; last.ID != bad || last.Payload != nil {
		t.Errorf("sent %+v", last)
	}
	if a := r.do("DELETE", "/v2/pre-recorded/"+bad, ""); a.status != 202 {
		t.Errorf("delete: %d", a.status)
	}
}
