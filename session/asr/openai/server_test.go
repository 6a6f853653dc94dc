package openai_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"mime"
	"mime/multipart"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/go-audio/wav"
	"go.uber.org/goleak"

	"steno/session/asr"
	"steno/session/asr/asrtest"
	"steno/session/asr/openai"
	"steno/session/asr/scripted"
	"steno/session/internal/fakeapi"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// api behaves like a transcription server: it takes requests apart strictly, and answers with
// scripted words of the audio.
type api struct {
	fakeapi.Log[request]
	t    *testing.T
	tell string // what answers tell: "words", "parts", "segments" or "text"
	// textAs is the media type of answers that are nothing but text.
	textAs string
	// before is asked first; true: it has answered. It may be nil.
	before func(w http.ResponseWriter, r *http.Request, q request) bool
}

// request is one taken apart.
type request struct {
	fields  map[string][]string
	samples []int16
	header  http.Header
}

func (a *api) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	q, ok := a.Take(a.t, w, r, take)
	if !ok || a.before != nil && a.before(w, r, q) {
		return
	}
	if q.format() == "text" {
		w.Header().Set("Content-Type", a.textAs+"; charset=utf-8")
		_, _ = io.WriteString(w, a.answer(q)["text"].(string)+"\n")
		return
	}
	w.Header().Set("Content-Type", "application/json")
	if err := json.NewEncoder(w).Encode(a.answer(q)); err != nil && r.Context().Err() == nil {
		a.t.Errorf("answer: %v", err)
	}
}

// format returns the form of answer that is asked for; empty: none.
func (q request) format() string { return strings.Join(q.fields["response_format"], "") }

// take parses a request as the interface documents it, and refuses anything else.
func take(r *http.Request) (request, error) {
	q := request{fields: map[string][]string{}, header: r.Header}
	kind, parameters, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if err != nil || kind != "multipart/form-data" || r.Method != http.MethodPost || r.URL.Path !=
		"/v1/audio/transcriptions" {
		return q, fmt.Errorf("%s %s of %q: %w", r.Method, r.URL.Path, kind, err)
	}
	for parts := multipart.NewReader(r.Body, parameters["boundary"]); ; {
		part, err := parts.NextPart()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return q, err
		}
		b, err := io.ReadAll(part)
		if err != nil {
			return q, err
		}
		if part.FormName() != "file" {
			q.fields[part.FormName()] = append(q.fields[part.FormName()], string(b))
		} else if q.samples, err = decodeWAV(b); err != nil || part.FileName() != "audio.wav" {
			return q, fmt.Errorf("file %q: %w", part.FileName(), err)
		}
	}
	known := []string{"model", "response_format", "timestamp_granularities[]", "temperature", "language", "prompt"}
	for field := range maps.Keys(q.fields) {
		if !slices.Contains(known, field) {
			return q, fmt.Errorf("unknown field %q", field)
		}
	}
	if q.samples == nil || len(q.fields["model"]) != 1 {
		return q, errors.New("no file or no model")
	}
	return q, nil
}

func decodeWAV(b []byte) ([]int16, error) {
	d := wav.NewDecoder(bytes.NewReader(b))
	pcm, err := d.FullPCMBuffer()
	if err != nil {
		return nil, err
	}
	if d.WavAudioFormat != 1 || d.BitDepth != 16 || d.NumChans != 1 || d.SampleRate != asr.Rate || d.AvgBytesPerSec !=
		2*asr.Rate ||
		len(b) != 44+2*len(pcm.Data) || int(b[4])|int(b[5])<<8|int(b[6])<<16 != len(b)-8 {
		return nil, fmt.Errorf("not plain 16-kHz mono PCM: %v", d)
	}
	samples := make([]int16, len(pcm.Data))
	for i, s := range pcm.Data {
		samples[i] = int16(s)
	}
	return samples, nil
}

func (a *api) answer(q request) map[string]any {
	language := "english"
	if asked := q.fields["language"]; len(asked) > 0 {
		language = asked[0]
	}
	var texts []string
	var words, parts, segments []map[string]any
	for _, w := range scriptedWords(a.t, q.samples) {
		start, end := float64(w.Start)/asr.Rate, float64(w.End)/asr.Rate
		texts = append(texts, w.Text)
		words = append(words, map[string]any{"word": w.Text, "start": start, "end": end})
		half := len(w.Text) / 2
		parts = append(parts,
			map[string]any{"word": " " + w.Text[:half], "start": start, "end": start, "probability": 1},
			map[string]any{"word": w.Text[half:], "start": start, "end": end, "probability": w.Confidence})
		segments = append(segments, map[string]any{
			"start": start, "end": end, "text": " " + w.Text, "avg_logprob": math.Log(w.Confidence),
			"no_speech_prob": 0.1,
		})
	}
	text := strings.Join(texts, " ")
	if q.format() != "verbose_json" || a.tell == "text" {
		return map[string]any{"text": text}
	}
	all := map[string]any{"task": "transcribe", "language": language, "duration": 1.5, "text": text,
		"segments": segments}
	switch a.tell {
	case "words":
		all["words"] = words
	case "parts":
		all["segments"] = []map[string]any{{"start": 0, "end": 1e9, "text": text, "words": parts}}
	}
	return all
}

func scriptedWords(t *testing.T, samples []int16) []asr.Word {
	u, err := scripted.New(scripted.Config{}).Open(t.Context(), asr.Params{})
	if err == nil {
		err = errors.Join(u.Write(samples), u.End())
	}
	if err != nil {
		t.Error(err)
		return nil
	}
	result, err := u.Recv()
	if err != nil && t.Context().Err() == nil {
		t.Error(err)
	}
	return result.Words
}

// serve serves over loopback.
func serve(t *testing.T, handler http.Handler, c openai.Config) *openai.Recognizer {
	t.Helper()
	server := httptest.NewServer(handler)
	t.Cleanup(server.Close)
	c.URL = server.URL + "/v1"
	return create(t, c)
}

func create(t *testing.T, c openai.Config) *openai.Recognizer {
	t.Helper()
	if c.Model == "" {
		c.Model = "whisper-1"
	}
	r, err := openai.New(c)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = r.Close() })
	return r
}

// direct serves without a network, so that time can be faked.
func direct(t *testing.T, handler http.Handler, c openai.Config) *openai.Recognizer {
	t.Helper()
	c.URL = "http://server/v1"
	c.Client = fakeapi.Direct(handler)
	return create(t, c)
}

func open(t *testing.T, r asr.Recognizer, p asr.Params) asr.Stream {
	t.Helper()
	u, err := r.Open(t.Context(), p)
	if err != nil {
		t.Fatal(err)
	}
	return u
}

// speak writes a second of speech, then ends.
func speak(t *testing.T, u asr.Stream) {
	t.Helper()
	if err := errors.Join(u.Write(asrtest.Ramp(asr.Rate, 1)), u.End()); err != nil {
		t.Fatal(err)
	}
}

func recognize(t *testing.T, r asr.Recognizer, p asr.Params) (asr.Result, error) {
	t.Helper()
	u := open(t, r, p)
	speak(t, u)
	return u.Recv()
}

func texts(words []asr.Word) string {
	var out []string
	for _, w := range words {
		out = append(out, w.Text)
	}
	return strings.Join(out, " ")
}
