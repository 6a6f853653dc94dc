package gateway

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"steno/gateway/tokens"
)

// deepgramAnswer is an answer of Deepgram's interface, as far as the tests read it.
type deepgramAnswer struct {
	Metadata struct {
		Request  string `json:"request_id"`
		SHA256   string
		Duration float64
		Channels int
	}
	Results struct {
		Channels []struct {
			Alternatives []struct {
				Transcript string
				Words      []struct {
					Word       string
					Start, End float64
					Punctuated string `json:"punctuated_word"`
				}
				Paragraphs *struct{ Transcript string }
			}
		}
		Utterances []struct{ Transcript string }
	}
}

// listen posts a file to Deepgram's interface.
func (r *testServer) listen(query string, file []byte, headers ...string) answer {
	r.t.Helper()
	return r.do("POST", "/v1/listen?"+query, string(file), append([]string{"Content-Type", "application/octet-stream",
		"x-service-key", "", "Authorization", "Token " + testKey}, headers...)...)
}

// words returns the transcript and words of the first channel.
func (a deepgramAnswer) words() (text string, words []timed) {
	if len(a.Results.Channels) == 0 {
		return "", nil
	}
	first := a.Results.Channels[0].Alternatives[0]
	for _, w := range first.Words {
		words = append(words, timedOf(w.Punctuated, w.Start, w.End))
	}
	return first.Transcript, words
}

func TestDeepgramFiles(t *testing.T) {
	r := recordedServer(t, nil)
	r.engines.languages = []string{"en"}
	sound := speech(4, 9)
	file := wavOf(sound, 16000, 1)
	want := r.transcribeFile("talk.wav", file).Transcription
	var plain deepgramAnswer
	r.listen("paragraphs=false&utterances=True&model=nova-3", file).decodeJSON(t, &plain)
	text := plain.Results.Channels[0].Alternatives[0].Transcript
	if strings.ContainsAny(text, ".,") || text != strings.ToLower(text) || text == "" ||
		len(plain.Results.Utterances) != len(want.Utterances) || len(plain.Metadata.SHA256) != 64 ||
		plain.Results.Channels[0].Alternatives[0].Words[0].Punctuated != "" {
		t.Errorf("plain: %+v", plain)
	}
	served := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "audio/wav")
		_, _ = w.Write(file)
	}))
	t.Cleanup(served.Close)
	for name, a := range map[string]answer{
		"by its address": r.listen("smart_format=true", []byte(`{"url":"`+served.URL+`/a.wav"}`), "Content-Type",
			"application/json"),
		"samples":                r.listen("smart_format=true&encoding=linear16&sample_rate=16000", sound),
		"a file said to be none": r.listen("smart_format=true&encoding=linear16&sample_rate=8000", file),
		"below its prefix": r.do("POST", "/deepgram/v1/listen?smart_format=true", string(file), "Content-Type",
			"audio/wav", "Authorization", "Bearer "+testKey),
	} {
		var got deepgramAnswer
		a.decodeJSON(t, &got)
		if text, words := got.words(); text != want.FullTranscript || !slices.Equal(words, nativeWords(want)) ||
			got.Results.Channels[0].Alternatives[0].Paragraphs == nil || got.Metadata.Channels != 1 {
			t.Errorf("%s: %s", name, a.body)
		}
	}
	var both deepgramAnswer
	stereo := make([]byte, 0, 2*len(sound))
	for i := 0; i+1 < len(sound); i += 2 {
		stereo = append(append(stereo, sound[i:i+2]...), 0, 0)
	}
	r.listen("multichannel=true&punctuate=true", wavOf(stereo, 16000, 2)).decodeJSON(t, &both)
	if text, _ := both.words(); text != want.FullTranscript {
		t.Errorf("of two channels: %+v", both)
	}
}

// A callback has what the request would have been answered with.
func TestDeepgramCallback(t *testing.T) {
	bodies := make(chan []byte, 1)
	server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, req *http.Request) {
		body, _ := io.ReadAll(req.Body)
		bodies <- body
	}))
	t.Cleanup(server.Close)
	r := recordedServer(t, nil)
	r.engines.languages = []string{"en"}
	file := wavOf(speech(4, 9), 16000, 1)
	var want deepgramAnswer
	r.listen("punctuate=true", file).decodeJSON(t, &want)
	var accepted struct {
		ID string `json:"request_id"`
	}
	r.listen("punctuate=true&callback="+server.URL+"/hook", file).decodeJSON(t, &accepted)
	var got deepgramAnswer
	if err := json.Unmarshal(<-bodies, &got); err != nil {
		t.Fatal(err)
	}
	if got.Metadata.Request != accepted.ID || got.Metadata.SHA256 != want.Metadata.SHA256 {
		t.Errorf("%+v, want %+v", got.Metadata, want.Metadata)
	}
	text, words := got.words()
	if wantText, wantWords := want.words(); text != wantText || text == "" || !slices.Equal(words, wantWords) {
		t.Errorf("%q, want %q", text, wantText)
	}
}

func TestDeepgramErrors(t *testing.T) {
	r := recordedServer(t, nil)
	r.engines.languages = []string{"en"}
	file := wavOf(speech(1, 9), 16000, 1)
	for name, c := range map[string]struct {
		answer answer
		status int
		code   string
	}{
		"key":          {r.listen("", file, "Authorization", "Token no"), 401, "INVALID_AUTH"},
		"nothing":      {r.listen("", nil), 400, "BAD_REQUEST"},
		"no recording": {r.listen("", []byte("no recording at all")), 415, "UNSUPPORTED_MEDIA_TYPE"},
		"model":        {r.listen("model=gpt", file), 400, "BAD_REQUEST"},
		"language":     {r.listen("language=de", file), 422, "UNPROCESSABLE_ENTITY"},
		"no language":  {r.listen("language=xx", file), 400, "BAD_REQUEST"},
		"switch":       {r.listen("punctuate=perhaps", file), 400, "BAD_REQUEST"},
		"redact":       {r.listen("redact=everything", file), 400, "BAD_REQUEST"},
		"callback":     {r.listen("callback=x", file), 400, "BAD_REQUEST"},
		"address":      {r.listen("", []byte(`{"url":""}`), "Content-Type", "application/json"), 400, "BAD_REQUEST"},
		"gone": {r.listen("", []byte(`{"url":"`+r.http.URL+`/v2/models"}`), "Content-Type", "application/json"), 422,
			"UNPROCESSABLE_ENTITY"},
		"unreachable": {r.listen("", []byte(`{"url":"http://127.0.0.1:1/"}`), "Content-Type", "application/json"), 400,
			"REMOTE_CONTENT_ERROR"},
	} {
		var got struct {
			Code    string `json:"err_code"`
			Message string `json:"err_msg"`
		}
		if err := json.Unmarshal(c.answer.body, &got); err != nil || c.answer.status != c.status ||
			got.Code != c.code || got.Message == "" {
			t.Errorf("%s: %d %s", name, c.answer.status, c.answer.body)
		}
	}
	a := r.listen("search=cat&profanity_filter=false", file)
	if got := a.header.Get("X-Steno-Ignored"); a.status != http.StatusOK || got != "search" {
		t.Errorf("ignored %q: %s", got, a.body)
	}
}

// A token that was granted is as good as the key for a while, and makes no further ones.
func TestDeepgramGrant(t *testing.T) {
	r := newTestServer(t, nil)
	var got struct {
		Token   string  `json:"access_token"`
		Expires float64 `json:"expires_in"`
	}
	r.do("POST", "/v1/auth/grant", `{"ttl_seconds":120}`, "x-service-key", "", "Authorization", "Token "+testKey).
		decodeJSON(t, &got)
	if !strings.HasPrefix(got.Token, tokens.Prefix) || got.Expires > 120 || got.Expires < 60 {
		t.Errorf("granted %+v", got)
	}
	bearer := []string{"x-service-key", "", "Authorization", "Bearer " + got.Token}
	if a := r.do("POST", "/v2/live", "{}", bearer...); a.status != http.StatusCreated {
		t.Errorf("a session by the token: %d %s", a.status, a.body)
	}
	if a := r.do("POST", "/v1/auth/grant", "", bearer...); a.status != http.StatusForbidden {
		t.Errorf("a token by the token: %d %s", a.status, a.body)
	}
	if a := r.do("POST", "/v1/auth/grant", `{"ttl_seconds":1e9}`); a.status != http.StatusBadRequest {
		t.Errorf("a token for ever: %d %s", a.status, a.body)
	}
}
