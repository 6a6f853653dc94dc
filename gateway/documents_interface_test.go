package gateway

import (
	"bytes"
	"encoding/json"
	"fmt"
	"mime/multipart"
	"net/http"
	"net/http/httptest"
	"regexp"
	"slices"
	"strings"
	"testing"

	"steno/audio"
	"steno/messages"
	"steno/session/store"
)

// adminKey permits no operation on jobs.
const adminKey = "admin-key-of-the-test"

// tenantKey is of an account that is none of an operator.
const tenantKey = "tenant-key-of-the-test"

// TestDescriptionsHold calls every operation in every described way, and runs sessions with
// everything enabled.
func TestDescriptionsHold(t *testing.T) {
	t.Parallel()
	d := newDescribed(t, func(c *Config) {
		c.Limits.Upload = 1 << 20
		c.Keys = append(c.Keys, Key{Text: adminKey, Scopes: store.ScopeAdmin},
			Key{Text: tenantKey, Account: "tenant", Scopes: store.ScopeAdmin})
	})
	var documented []string
	for path, item := range within(d.open, "paths") {
		for method, operation := range item.(map[string]any) {
			if !ofDialect(operation) {
				documented = append(documented, strings.ToUpper(method)+" "+path)
			}
		}
	}
	slices.Sort(documented)
	table := operationsOf(d.server)
	slices.Sort(table)
	if !slices.Equal(documented, table) {
		t.Fatalf("described are %v, of %v", documented, table)
	}
	h := newWebhook(d)
	d.keyless(table)
	d.scopeless(table)
	d.tokens()
	d.documents()
	d.accounts()
	live := d.live(h)
	d.streams(live)
	recorded := d.recorded(h)
	d.bot()
	d.lists(live, recorded)
	d.reading("/v2/live", live)
	d.reading("/v2/pre-recorded", recorded)
	for _, path := range []string{"/v2/sessions", "/v2/capacity", "/v2/records"} {
		d.ask("GET "+path, path, "")
	}
	d.ask("GET /v2/records", "/v2/records?limit=0", "")
	d.jobs("/v2/live", live)
	d.jobs("/v2/pre-recorded", recorded)
	d.twins(h)
	for _, status := range d.statusesOf(false) {
		if !d.seen[status] && !seenElsewhere(status) {
			t.Errorf("described and never seen: %s", status)
		}
	}
}

func (d *described) keyless(table []string) {
	for _, operation := range table {
		if method, path, _ := strings.Cut(operation, " "); within(d.open, "paths", path, strings.ToLower(method),
			"responses", "401") != nil {
			d.ask(operation, strings.Replace(path, "{id}", "x", 1), "", "x-service-key", "")
		}
	}
}

// scopeless calls every operation with a key that permits none of those that require a scope.
func (d *described) scopeless(table []string) {
	for _, operation := range table {
		if method, path, _ := strings.Cut(operation, " "); within(d.open, "paths", path, strings.ToLower(method),
			"responses", "403") != nil {
			d.ask(operation, strings.Replace(path, "{id}", "x", 1), "", "x-service-key", adminKey)
		}
	}
}

// tokens makes and uses tokens and tickets.
func (d *described) tokens() {
	id, _ := d.create(`{}`)
	const create, subscribe = "POST /v2/tokens", "POST /v2/live/{id}/subscribers"
	for _, body := range []string{`{`, `{"scopes":["all"]}`, `{"sessions":["none"]}`, `{"x":"` + strings.Repeat("x",
		2<<20) + `"}`} {
		d.ask(create, "/v2/tokens", body)
		d.ask(subscribe, "/v2/live/none/subscribers", body)
	}
	d.ask(create, "/v2/tokens", `{"scopes":["live"]}`, "x-service-key", adminKey)
	d.ask(subscribe, "/v2/live/none/subscribers", "")
	d.ask(subscribe, "/v2/live/"+id+"/subscribers", `{"name":"screen","receive_partial_transcripts":true}`)
	var got struct{ ID, Token string }
	if err := json.Unmarshal(d.ask(create, "/v2/tokens", `{"scopes":["read","live"],"cookie":true}`).body,
		&got); err != nil {
		d.t.Fatal(err)
	}
	own := bearer(d.token("/v2/tokens", `{"scopes":["read","jobs"],"sessions":["`+id+`"]}`).Token)
	d.ask("GET /v2/live", "/v2/live", "", own...)
	d.ask("POST /v2/pre-recorded", "/v2/pre-recorded", `{}`, own...)
	d.ask("GET /v2/pre-recorded/{id}", "/v2/pre-recorded/x", "", own...)
	d.ask("POST /v2/tickets", "/v2/tickets", "")
	d.ask("GET /v2/tokens", "/v2/tokens", "")
	d.ask("GET /v2/tokens", "/v2/tokens", "", "x-service-key", got.Token)
	d.ask("GET /v2/nodes", "/v2/nodes", "", "x-service-key", got.Token)
	d.ask("DELETE /v2/tokens/{id}", "/v2/tokens/"+got.ID, "", "x-service-key", got.Token)
	for range 2 {
		d.ask("DELETE /v2/tokens/{id}", "/v2/tokens/"+got.ID, "")
	}
}

// streams follows a finished session, and all sessions.
func (d *described) streams(id string) {
	const one, all = "GET /v2/live/{id}/events", "GET /v2/events"
	path := "/v2/live/" + id + "/events"
	body := d.ask(one, path, "").body
	for _, data := range regexp.MustCompile("(?m)^data: (.*)$").FindAllSubmatch(body, -1) {
		d.heard("sendToSubscriber", data[1])
	}
	d.demand("SubscriptionEnd")
	ids := regexp.MustCompile("(?m)^id: (.*)$").FindAllSubmatch(body, -1)
	d.ask(one, path, "", "Last-Event-ID", string(ids[len(ids)-1][1]))
	d.ask(all, "/v2/events", "", bearer(d.token("/v2/tokens", `{"lifetime":1}`).Token)...) // ends with the token
	for _, bad := range []string{"from=x", "from=1&session=none"} {
		d.ask(one, "/v2/live/none/events?"+bad, "")
		d.ask(all, "/v2/events?"+bad, "")
	}
}

func (d *described) documents() {
	d.ask("GET /healthz", "/healthz", "")
	d.ask("GET /readyz", "/readyz", "")
	d.ask("GET /v2/models", "/v2/models", "")
	d.ask("GET /v2/nodes", "/v2/nodes", "", "x-service-key", adminKey)
	for _, path := range []string{"/openapi.json", "/asyncapi.json", "/docs", "/docs/dialects"} {
		a := d.ask("GET "+path, path, "")
		d.ask("GET "+path, path, "", "If-None-Match", a.header.Get("ETag"))
	}
}

// accounts calls the operations for those who run the service.
func (d *described) accounts() {
	const all, one = "/v2/admin/accounts", "/v2/admin/accounts/{account}"
	d.ask("GET "+all, all, "")
	d.ask("GET "+all, all, "", "x-service-key", tenantKey)
	for _, method := range []string{"GET ", "PUT ", "DELETE "} {
		d.ask(method+one, all+"/acme", `{}`, "x-service-key", tenantKey)
	}
	for _, name := range []string{"/acme", "/a%20b"} {
		d.ask("GET "+one, all+name, "")
		d.ask("PUT "+one, all+name, `{"sessions":3}`)
		d.ask("DELETE "+one, all+name, "")
	}
	d.ask("PUT "+one, all+"/acme", `{"sessions":-1}`)
	d.ask("DELETE "+one, all+"/acme", "")
	for _, query := range []string{"", "?group_by=model", "?format=csv", "?from=x"} {
		d.ask("GET /v2/usage", "/v2/usage"+query, "")
	}
}

// everythingLive is a request for a live session with everything enabled.
func everythingLive(webhook string) string {
	flags := `"receive_partial_transcripts":true,"receive_final_transcripts":true,"receive_speech_events":true,
		"receive_pre_processing_events":true,"receive_realtime_processing_events":true,"receive_post_processing_events":true,
		"receive_acknowledgments":true,"receive_errors":true,"receive_lifecycle_events":true`
	return `{"endpointing":0.3,"language_config":{"languages":["en"]},"custom_metadata":{"a":{"b":1}},
		"pre_processing":{"audio_enhancer":true},
		"realtime_processing":{"custom_vocabulary":true,"custom_vocabulary_config":{"vocabulary":["steno",{"value":"Ada","intensity":0.5}],"default_intensity":0.4},
			"custom_spelling":true,"custom_spelling_config":{"spelling_dictionary":{"Ada":["aida"]}},
			"translation":true,"translation_config":{"target_languages":["fr"]},"named_entity_recognition":true,"sentiment_analysis":true},
		"post_processing":{"summarization":true,"chapterization":true},
		"messages_config":{` + flags + `},
		"callback":true,"callback_config":{"url":"` + webhook + `/sendLiveCallback",` + flags + `}}`
}

// live runs a session and returns its id.
func (d *described) live(h *webhook) string {
	const create = "POST /v2/live"
	for _, body := range []string{`{`, `{"channels":9}`, `{"model":"stt-3"}`, `{"x":"` + strings.Repeat("x", 2<<20) +
		`"}`} {
		d.ask(create, "/v2/live", body)
	}
	var got struct{ ID, URL string }
	if err := json.Unmarshal(d.ask(create, "/v2/live", everythingLive(h.url)).body, &got); err != nil {
		d.t.Fatal(err)
	}
	d.ask("GET /v2/live/{id}", "/v2/live/"+got.ID, "")
	d.ask("DELETE /v2/live/{id}", "/v2/live/"+got.ID, "")
	c := call(d.t, got.URL).mustConnect()
	if err := c.text(`{"type":"audio_chunk","data":{"chunk":"!"}}`); err != nil {
		d.t.Fatal(err)
	}
	sent := int64(0)
	for piece := range slices.Chunk(speech(6, 5), 3200) { // as they are spoken, so that there are partial transcripts
		if err := c.send(piece); err != nil {
			d.t.Fatal(err)
		}
		sent += int64(len(piece))
		c.ackedTo(sent)
	}
	if err := c.stop(); err != nil {
		d.t.Fatal(err)
	}
	if code := c.end(); code != 1000 {
		d.t.Fatalf("closed with %d", code)
	}
	for _, f := range c.all() {
		d.heard("sendToClient", []byte(f.text))
	}
	h.await("live.end_session")
	var job struct{ Result struct{ Messages []string } }
	if err := json.Unmarshal(d.ask("GET /v2/live/{id}", "/v2/live/"+got.ID, "").body, &job); err != nil {
		d.t.Fatal(err)
	}
	if len(job.Result.Messages) == 0 {
		d.t.Fatal("the job has no messages")
	}
	begin := pointer("/asyncapi.json", "components", "messages", "StartSession", "payload")
	if err := d.fits(begin, []byte(job.Result.Messages[0])); err != nil {
		d.t.Error(err)
	}
	for _, text := range job.Result.Messages[1:] {
		d.heard("sendToClient", []byte(text))
	}
	d.demand("AudioAck", "StopAck", "FailedAck", "StartRecording", "EndRecording", "EndSession", "SpeechStart",
		"SpeechEnd",
		"PartialTranscript", "FinalTranscript", "PostTranscript", "PostFinalTranscript",
		"StartSessionCallback", "EndSessionCallback", "FinalTranscriptCallback")
	return got.ID
}

// sample is a recorded file.
func sample() string {
	sound := speech(4, 7)
	header := audio.WAVHeader(audio.Format{Encoding: audio.PCM, BitDepth: 16, SampleRate: 16000, Channels: 1},
		int64(len(sound)))
	return string(header) + string(sound)
}

// form is a multipart form and its type.
func form(name, content string, fields ...string) (body, kind string) {
	var b bytes.Buffer
	w := multipart.NewWriter(&b)
	for i := 0; i+1 < len(fields); i += 2 {
		_ = w.WriteField(fields[i], fields[i+1]) // a buffer takes all
	}
	if name != "" {
		part, _ := w.CreateFormFile(name, "talk.wav")
		_, _ = part.Write([]byte(content))
	}
	_ = w.Close()
	return b.String(), w.FormDataContentType()
}

// uploaded uploads a file in every way and returns its address.
func (d *described) uploaded() string {
	const upload = "POST /v2/upload"
	send := func(name, content string) answer {
		body, kind := form(name, content)
		return d.ask(upload, "/v2/upload", body, "Content-Type", kind)
	}
	send("other", "x")
	send("audio", strings.Repeat("no recording", 100))
	send("audio", strings.Repeat("x", 2<<20))
	d.ask(upload, "/v2/upload", `{"audio_url":1}`)
	d.ask(upload, "/v2/upload", `{"audio_url":"`+d.http.URL+`/file/6a2f41a3-8a0e-4b1d-9b57-2d1f0c6de001"}`)
	var got messages.Upload
	if err := json.Unmarshal(send("audio", sample()).body, &got); err != nil || got.AudioURL == "" {
		d.t.Fatalf("not uploaded: %v", err)
	}
	d.ask(upload, "/v2/upload", `{"audio_url":"`+got.AudioURL+`"}`)
	path := strings.TrimPrefix(got.AudioURL, d.http.URL)
	d.file("GET /file/{id}", path)
	d.ask("GET /file/{id}", "/file/6a2f41a3-8a0e-4b1d-9b57-2d1f0c6de001", "")
	return got.AudioURL
}

// everythingRecorded is the part of a request that enables everything for a recorded file.
func everythingRecorded(url, webhook string) string {
	return `{"audio_url":"` + url + `","language_config":{"languages":["en"]},"custom_metadata":{"a":{"b":1}},
		"custom_vocabulary":true,"custom_vocabulary_config":{"vocabulary":["steno",{"value":"Ada","pronunciations":["aida"],"language":"en"}]},
		"callback":true,"callback_config":{"url":"` + webhook + `/sendResultCallback","method":"PUT"},
		"subtitles":true,"subtitles_config":{"formats":["srt","vtt"],"maximum_rows_per_caption":2},
		"diarization":true,"diarization_config":{"min_speakers":1,"max_speakers":3},
		"translation":true,"translation_config":{"target_languages":["fr"]},"summarization":true,"named_entity_recognition":true,
		"custom_spelling":true,"custom_spelling_config":{"spelling_dictionary":{"Ada":["aida"]}},"sentiment_analysis":true,
		"audio_to_llm":true,"audio_to_llm_config":{"prompts":[["Who speaks?"],[{"role":"user","content":"Why?"}]]},
		"pii_redaction":true,"pii_redaction_config":{"entity_types":"GDPR","processed_text_type":"MASK"},
		"sentences":true,"punctuation_enhanced":true,"name_consistency":true,"display_mode":true,"chapterization":true,
		"structured_data_extraction":true,"structured_data_extraction_config":{"classes":["names"]}}`
}

// recorded runs the job of a recorded file and returns its id. It also has one fail.
func (d *described) recorded(h *webhook) string {
	const create = "POST /v2/pre-recorded"
	url := d.uploaded()
	d.refused(create)
	id := d.job(create, everythingRecorded(url, h.url))
	h.await("transcription.success")
	d.job(create, `{"audio_url":"http://127.0.0.1:1/talk.mp3","callback_url":"`+h.url+`/sendResultCallback"}`)
	h.await("transcription.error")
	d.unfinished()
	return id
}

// unfinished checks that a job cannot be deleted while its file is being fetched.
func (d *described) unfinished() {
	gate := make(chan struct{})
	far := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		select {
		case <-gate:
		case <-r.Context().Done():
		}
	}))
	defer far.Close()
	defer close(gate)
	var got messages.Created
	a := d.ask("POST /v2/pre-recorded", "/v2/pre-recorded", `{"audio_url":"`+far.URL+`/talk.mp3"}`)
	if err := json.Unmarshal(a.body, &got); err != nil {
		d.t.Fatal(err)
	}
	d.ask("DELETE /v2/pre-recorded/{id}", "/v2/pre-recorded/"+got.ID, "")
	d.ask("DELETE /v2/pre-recorded/{id}", "/v2/pre-recorded/"+got.ID+andCancel, "")
}

func (d *described) refused(create string) {
	_, path, _ := strings.Cut(create, " ")
	for _, body := range []string{
		`{`, `{"audio_url":1,"subtitles_config":{"formats":[]}}`,
		`{"audio_url":"http://x.example/a","model":"stt-3","language_config":{"code_switching":true}}`,
		`{"x":"` + strings.Repeat("x", 2<<20) + `"}`,
	} {
		d.ask(create, path, body)
	}
}

// job creates a job and returns its id once it is finished.
func (d *described) job(create, body string) string {
	_, path, _ := strings.Cut(create, " ")
	var got messages.Created
	a := d.ask(create, path, body)
	if err := json.Unmarshal(a.body, &got); err != nil || got.ID == "" {
		d.t.Fatalf("not created: %d %s", a.status, a.body)
	}
	waitUntil(d.t, "the job has ended", func() bool {
		var job messages.Job
		a := d.ask("GET "+path+"/{id}", path+"/"+got.ID, "")
		if err := json.Unmarshal(a.body, &job); err != nil {
			d.t.Fatal(err)
		}
		return job.Status == messages.StatusDone || job.Status == messages.StatusError
	})
	return got.ID
}

func (d *described) bot() {
	const transcribe = "POST /v2/bots/transcribe"
	ask := func(name, content string, fields ...string) {
		body, kind := form(name, content, fields...)
		d.ask(transcribe, "/v2/bots/transcribe", body, "Content-Type", kind)
	}
	ask("audio", string(speech(3, 9)), "sample_rate", "16000", "enable_code_switching", "true")
	ask("audio", sample())
	ask("", "")
	ask("audio", strings.Repeat("no recording", 100))
	ask("audio", strings.Repeat("x", 2<<20))
	ask("audio", sample(), "enable_code_switching", "true", "code_switching_languages", "fr,es")
}

func (d *described) lists(ids ...string) {
	var many strings.Builder
	for i := range messages.MaxFilterValues + 1 {
		fmt.Fprintf(&many, "%%22%d%%22:0,", i)
	}
	for _, path := range []string{"/v2/live", "/v2/pre-recorded", "/v2/transcription"} {
		for _, query := range []string{
			"", "?limit=0", "?limit=1&kind=live", "?status=done&status=error&date=2026-01-01",
			"?custom_metadata[a][b]=1",
			`?custom_metadata=%7B%22a%22%3A%7B%22b%22%3A1%7D%7D`, "?custom_metadata=%7B" +
				strings.TrimSuffix(many.String(), ",") + "%7D",
		} {
			d.ask("GET "+path, path+query, "")
		}
	}
	for _, id := range ids {
		d.ask("GET /v2/transcription/{id}", "/v2/transcription/"+id, "")
		d.file("GET /v2/transcription/{id}/file", "/v2/transcription/"+id+"/file")
	}
}

func (d *described) file(operation, path string) {
	d.ask(operation, path, "")
	d.ask(operation, path, "", "Range", "bytes=0-9")
	d.ask(operation, path, "", "Range", "bytes=0-9,20-29")
	d.ask(operation, path, "", "If-None-Match", "*")
	d.ask(operation, path, "", "Range", "bytes=99999999-")
}

// reading calls the operations with which pages read one finished job.
func (d *described) reading(path, id string) {
	one := path + "/{id}"
	for name, bad := range map[string]string{
		"/outline": "", "/utterances": "?limit=0", "/transcript": "?format=doc", "/peaks": "?points=0",
		"/callbacks": "",
	} {
		d.ask("GET "+one+name, path+"/"+id+name, "")
		d.ask("GET "+one+name, path+nobody+name, "")
		if bad != "" {
			d.ask("GET "+one+name, path+"/"+id+name+bad, "")
		}
	}
	if strings.HasSuffix(path, "live") {
		d.ask("GET "+one+"/delays", path+"/"+id+"/delays", "")
		d.ask("GET "+one+"/delays", path+nobody+"/delays", "")
	}
	const redeliver = "/callbacks/{delivery}/redeliver"
	d.ask("POST "+one+redeliver, path+"/"+id+"/callbacks/none/redeliver", "")
}

// seenElsewhere reports whether an answer without a body of its own requires more than this test
// has: a callback that was dropped, or waits (see TestCallbackLog), or a file that cannot be drawn.
func seenElsewhere(status string) bool {
	return strings.HasSuffix(status, "/redeliver 202") || strings.HasSuffix(status, "/redeliver 409") ||
		strings.HasSuffix(status, "/peaks 422")
}

const nobody = "/6a2f41a3-8a0e-4b1d-9b57-2d1f0c6de001"

// jobs calls the operations on one finished job, and deletes it.
func (d *described) jobs(path, id string) {
	one := path + "/{id}"
	if path == "/v2/live" {
		d.ask("PATCH "+one, path+"/"+id, `{"note":{"x":[1,null]}}`)
		d.ask("PATCH "+one, path+"/"+id, `[]`)
		d.ask("PATCH "+one, path+"/"+id, `{"x":"`+strings.Repeat("x", 70_000)+`"}`)
		d.ask("PATCH "+one, path+nobody, `{}`)
	}
	d.ask("GET "+one, path+"/"+id, "")
	d.file("GET "+one+"/file", path+"/"+id+"/file")
	d.ask("DELETE "+one, path+"/"+id+"?cancel=perhaps", "")
	d.ask("DELETE "+one, path+"/"+id, "")
	d.ask("GET "+one, path+nobody, "")
	d.ask("GET "+one+"/file", path+nobody+"/file", "")
	d.ask("DELETE "+one, path+nobody, "")
}

// twins calls the deprecated operations.
func (d *described) twins(h *webhook) {
	const path = "/v2/transcription"
	d.refused("POST " + path)
	id := d.job("POST "+path, everythingRecorded(d.uploaded(), h.url))
	live, _ := d.create(`{}`)
	d.ask("DELETE "+path+"/{id}", path+"/"+live, "")
	d.jobs(path, id)
	d.ask("GET "+path, path+"?kind="+fmt.Sprint(messages.JobLive), "")
}
