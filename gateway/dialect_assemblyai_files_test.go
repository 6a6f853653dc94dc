package gateway

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"steno/session/addon/addontest"
)

// assembled is a transcript of AssemblyAI's interface, as far as the tests read it.
type assembled struct {
	ID, Status, Text, Error string
	AudioURL                string `json:"audio_url"`
	Duration                int    `json:"audio_duration"`
	Words                   []struct {
		Text       string
		Start, End int
	}
	Utterances []struct{ Text, Speaker string }
	Sentiments []struct{ Sentiment, Speaker string } `json:"sentiment_analysis_results"`
}

// checkUnshown checks that no answer about a job has a text.
func (r *testServer) checkUnshown(id, text string) {
	r.t.Helper()
	for _, path := range []string{"/v2/pre-recorded/" + id, "/v2/transcription/" + id, "/v2/pre-recorded",
		"/v2/transcription/" + id + "/callbacks"} {
		if a := r.do("GET", path, ""); strings.Contains(string(a.body), text) {
			r.t.Errorf("%s shows %s", path, a.body)
		}
	}
	if a := r.assemblyAI("GET", "/transcript/"+id, ""); strings.Contains(string(a.body), text) ||
		strings.Contains(r.lines.String(), text) {
		r.t.Errorf("the transcript or the log shows %s", text)
	}
}

// assemblyAI sends a request as clients of AssemblyAI do: with the bare key.
func (r *testServer) assemblyAI(method, path, body string) answer {
	r.t.Helper()
	return r.do(method, "/assemblyai/v2"+path, body, "x-service-key", "", "Authorization", testKey)
}

// assembled has a file transcribed, with members of the request as JSON.
func (r *testServer) assembled(file []byte, members string) (got assembled) {
	r.t.Helper()
	var up struct {
		URL string `json:"upload_url"`
	}
	r.assemblyAI("POST", "/upload", string(file)).decodeJSON(r.t, &up)
	var asked map[string]any
	if err := json.Unmarshal([]byte(members), &asked); err != nil {
		r.t.Fatal(err)
	}
	asked["audio_url"] = up.URL
	body, err := json.Marshal(asked)
	if err != nil {
		r.t.Fatal(err)
	}
	r.assemblyAI("POST", "/transcript", string(body)).decodeJSON(r.t, &got)
	if got.AudioURL != up.URL || got.Status != "queued" && got.Status != "processing" {
		r.t.Errorf("made %+v", got)
	}
	id := got.ID
	waitUntil(r.t, "the transcript is there", func() bool {
		r.assemblyAI("GET", "/transcript/"+id, "").decodeJSON(r.t, &got)
		return got.Status == "completed" || got.Status == "error"
	})
	return got
}

func TestAssemblyAIFiles(t *testing.T) {
	r := recordedServer(t, nil, func(r *testServer) {
		r.engines.languages = []string{"en"}
		r.providers = addontest.Embedded()
	})
	file := wavOf(speech(4, 9), 16000, 1)
	hooks := make(chan string, 1)
	server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, req *http.Request) {
		body, _ := io.ReadAll(req.Body)
		hooks <- string(body) + req.Header.Get("X-Hook-Key")
	}))
	t.Cleanup(server.Close)
	got := r.assembled(file, `{"speaker_labels":true,"sentiment_analysis":true,"webhook_url":"`+server.URL+`/hook",
		"webhook_auth_header_name":"X-Hook-Key","webhook_auth_header_value":"hunter2"}`)
	if got.Status != "completed" || got.Text == "" || len(got.Utterances) == 0 || got.Utterances[0].Speaker != "A" ||
		got.Duration == 0 || len(got.Sentiments) == 0 || got.Sentiments[0].Sentiment != "NEUTRAL" ||
		got.Sentiments[0].Speaker != "A" {
		t.Fatalf("%+v", got)
	}
	if hook := <-hooks; hook != `{"transcript_id":"`+got.ID+`","status":"completed"}hunter2` {
		t.Errorf("webhook %s", hook)
	}
	r.checkUnshown(got.ID, "hunter2")
	of := "/transcript/" + got.ID
	var pieces struct {
		Sentences, Paragraphs []struct {
			Text  string
			Start int
			Words []struct{ Text string }
		}
	}
	r.assemblyAI("GET", of+"/sentences", "").decodeJSON(t, &pieces)
	r.assemblyAI("GET", of+"/paragraphs", "").decodeJSON(t, &pieces)
	if len(pieces.Sentences) == 0 || len(pieces.Paragraphs) == 0 || len(pieces.Paragraphs[0].Words) == 0 {
		t.Errorf("%+v", pieces)
	}
	first := pieces.Paragraphs[0].Words[:2]
	var found struct {
		Total   int `json:"total_count"`
		Matches []struct {
			Count      int
			Timestamps [][2]int
			Indexes    []int
		}
	}
	phrase := url.QueryEscape(strings.ToUpper(first[0].Text) + " " + first[1].Text)
	r.assemblyAI("GET", of+"/word-search?words="+phrase+",nowhere", "").decodeJSON(t, &found)
	if len(found.Matches) != 1 || found.Total < 1 || found.Matches[0].Count != found.Total ||
		found.Matches[0].Indexes[0] != 0 || found.Matches[0].Timestamps[0][1] <= found.Matches[0].Timestamps[0][0] {
		t.Errorf("found %+v", found)
	}
	if a := r.assemblyAI("GET", of+"/word-search?words=,", ""); a.status != http.StatusBadRequest {
		t.Errorf("a search for nothing: %d %s", a.status, a.body)
	}
	srt := r.assemblyAI("GET", of+"/srt?chars_per_caption=20", "")
	for line := range strings.Lines(string(srt.body)) {
		if len(strings.TrimSpace(line)) > 20 && !strings.Contains(line, "-->") {
			t.Errorf("a caption is long: %q", line)
		}
	}
	vtt := r.assemblyAI("GET", of+"/vtt", "")
	if srt.status != http.StatusOK || !strings.HasPrefix(string(vtt.body), "WEBVTT") {
		t.Errorf("%s\n%s", srt.body, vtt.body)
	}
	var list struct {
		Details struct {
			Count    int    `json:"result_count"`
			Previous string `json:"prev_url"`
		} `json:"page_details"`
		Transcripts []struct{ ID, Status string }
	}
	r.assembled(file, "{}")
	r.assemblyAI("GET", "/transcript?limit=1&status=completed", "").decodeJSON(t, &list)
	_, older, _ := strings.Cut(list.Details.Previous, "/assemblyai/v2")
	if list.Details.Count != 1 || list.Transcripts[0].ID == got.ID || older == "" {
		t.Errorf("list %+v", list)
	}
	r.assemblyAI("GET", older, "").decodeJSON(t, &list)
	if len(list.Transcripts) != 1 || list.Transcripts[0].ID != got.ID {
		t.Errorf("older %+v", list)
	}
	var deleted assembled
	r.assemblyAI("DELETE", of, "").decodeJSON(t, &deleted)
	if a := r.assemblyAI("GET", of, ""); a.status != http.StatusNotFound || deleted.ID != got.ID {
		t.Errorf("deleted %+v, then %d %s", deleted, a.status, a.body)
	}
}

func TestAssemblyAIErrors(t *testing.T) {
	r := recordedServer(t, nil)
	r.engines.languages = []string{"en"}
	for name, c := range map[string]struct {
		answer answer
		status int
	}{
		"key":          {r.do("GET", "/assemblyai/v2/transcript", "", "x-service-key", "", "Authorization", "no"), 401},
		"nothing sent": {r.assemblyAI("POST", "/upload", ""), 400},
		"no recording": {r.assemblyAI("POST", "/upload", "not a recording"), 415},
		"no address":   {r.assemblyAI("POST", "/transcript", "{}"), 400},
		"no JSON":      {r.assemblyAI("POST", "/transcript", "x"), 400},
		"model":        {r.assemblyAI("POST", "/transcript", `{"audio_url":"http://a","speech_model":"gpt"}`), 400},
		"language":     {r.assemblyAI("POST", "/transcript", `{"audio_url":"http://a","language_code":"xx"}`), 400},
		"a part":       {r.assemblyAI("POST", "/transcript", `{"audio_url":"http://a","audio_end_at":5}`), 400},
		"header": {r.assemblyAI("POST", "/transcript", `{"audio_url":"http://a","webhook_url":"http://b",
			"webhook_auth_header_name":"Host","webhook_auth_header_value":"x"}`), 400},
		"policy": {r.assemblyAI("POST", "/transcript", `{"audio_url":"http://a","redact_pii":true,
			"redact_pii_policies":["x"]}`), 400},
		"unknown job":     {r.assemblyAI("GET", "/transcript/x", ""), 404},
		"unknown cursor":  {r.assemblyAI("GET", "/transcript?before_id=x", ""), 404},
		"caption of none": {r.assemblyAI("GET", "/transcript/x/srt?chars_per_caption=0", ""), 400},
	} {
		var got struct{ Error string }
		if err := json.Unmarshal(c.answer.body, &got); err != nil || c.answer.status != c.status || got.Error == "" {
			t.Errorf("%s: %d %s", name, c.answer.status, c.answer.body)
		}
	}
	failed := r.assembled(wavOf(speech(1, 9), 16000, 1), `{"language_code":"en_us"}`)
	if failed.Status != "completed" {
		t.Errorf("%+v", failed)
	}
}
