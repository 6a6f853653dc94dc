package gateway

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"steno/messages"
	"steno/session/store"
)

const noSuchID = "6a2f41a3-8a0e-4b1d-9b57-2d1f0c6de001"

func (r *testServer) addKey(key string) {
	r.t.Helper()
	hash := sha256.Sum256([]byte(key))
	if err := r.store.AddKey(r.t.Context(), store.Key{Hash: hash[:], Account: key, CreatedAt: time.Now()}); err != nil {
		r.t.Fatal(err)
	}
}

func TestUpload(t *testing.T) {
	r := recordedServer(t, nil)
	r.addKey("other")
	wav := wavOf(speech(2, 1), 16000, 1)
	up := r.uploadFile("a talk.wav", wav)
	m := up.AudioMetadata
	if m.Filename != "a talk.wav" || m.Extension != "wav" || m.Size != int64(len(wav)) || m.AudioDuration != 2 ||
		m.NumberOfChannels != 1 || m.Source != "" || up.AudioURL != r.http.URL+"/file/"+m.ID {
		t.Errorf("upload %+v", up)
	}
	path := strings.TrimPrefix(up.AudioURL, r.http.URL)
	whole := r.do("GET", path, "")
	if whole.status != 200 || !bytes.Equal(whole.body, wav) || whole.header.Get("Content-Type") != "audio/wav" ||
		whole.header.Get("X-Content-Type-Options") != "nosniff" ||
		whole.header.Get("Content-Disposition") != `attachment; filename="a talk.wav"` {
		t.Errorf("file: %d, %d bytes, %v", whole.status, len(whole.body), whole.header)
	}
	if part := r.do("GET", path, "", "Range", "bytes=8-11"); part.status != 206 || string(part.body) != "WAVE" {
		t.Errorf("range: %d %q", part.status, part.body)
	}
	checkError(t, r.do("GET", path, "", "x-service-key", ""), 401, path)
	checkError(t, r.do("GET", path, "", "x-service-key", "other"), 404, path)

	// An account's own upload is found again, another account's is not.
	again := r.do("POST", "/v2/upload", `{"audio_url":"`+up.AudioURL+`"}`)
	if !bytes.Contains(again.body, []byte(m.ID)) || again.status != 200 {
		t.Errorf("uploaded again: %d %s", again.status, again.body)
	}
	checkError(t, r.do("POST", "/v2/upload", `{"audio_url":"`+up.AudioURL+`"}`, "x-service-key", "other"), 422,
		"/v2/upload")

	// Fetched: the other account's server, so to speak, asks this one with a key in vain.
	video := encode(t, wav, "clip.mp4", "-c:a", "aac")
	server := fileServer(t, map[string][]byte{"/clip.mp4": video})
	fetched := r.do("POST", "/v2/upload", `{"audio_url":"`+server+`/clip.mp4?sig=x"}`)
	var got messages.Upload
	if err := json.Unmarshal(fetched.body, &got); err != nil || got.AudioMetadata.Filename != "clip.mp4" ||
		got.AudioMetadata.Source != server+"/clip.mp4?sig=x" || got.AudioMetadata.Extension != "mp4" {
		t.Errorf("fetched: %d %s", fetched.status, fetched.body)
	}
	if len(r.uploadFiles()) != 2 {
		t.Errorf("kept %q", r.uploadFiles())
	}
}

func TestUploadErrors(t *testing.T) {
	r := recordedServer(t, func(c *Config) { c.Limits.Upload, c.Limits.Body = 100_000, 2000 })
	wav := wavOf(speech(2, 1), 16000, 1)
	broken := func(body string) answer {
		return r.do("POST", "/v2/upload", body, "Content-Type", "multipart/form-data; boundary=x")
	}
	head := "--x\r\nContent-Disposition: form-data; name=\"audio\"; filename=\"a.wav\"\r\n\r\n"
	for name, tc := range map[string]struct {
		got    answer
		status int
	}{
		"no audio":    {r.send("/v2/upload", filled{fields: []string{"sound", "x"}}), 400},
		"no boundary": {r.do("POST", "/v2/upload", string(wav), "Content-Type", "multipart/form-data"), 400},
		"no form":     {broken("hello"), 400},
		"cut off":     {broken(head + string(wav)), 400},
		"no samples":  {r.send("/v2/upload", filled{filename: "a.wav", content: wavOf(nil, 16000, 1)}), 422},
		"empty":       {r.send("/v2/upload", filled{filename: "a.wav", content: []byte{}}), 415},
		"no recording": {r.send("/v2/upload", filled{filename: "a.mp3", content: bytes.Repeat([]byte("text "),
			500)}), 415},
		"archive": {r.send("/v2/upload", filled{filename: "a.wav", content: append([]byte("PK\x03\x04"),
			wav...)}), 415},
		"damaged": {r.send("/v2/upload", filled{filename: "a.flac",
			content: []byte("fLaC" + strings.Repeat("\xff\x00", 99))}), 422},
		"too large":       {r.send("/v2/upload", filled{filename: "a.wav", content: bytes.Repeat(wav, 2)}), 413},
		"much too large":  {r.send("/v2/upload", filled{filename: "a.wav", content: bytes.Repeat(wav, 20)}), 413},
		"bad JSON":        {r.do("POST", "/v2/upload", `{`), 400},
		"bare recording":  {r.do("POST", "/v2/upload", "RIFF"), 400},
		"no URL":          {r.do("POST", "/v2/upload", `{"audio_url":"talk.mp3"}`), 400},
		"no such upload":  {r.do("POST", "/v2/upload", `{"audio_url":"`+r.http.URL+`/file/`+noSuchID+`"}`), 422},
		"no upload's id":  {r.do("POST", "/v2/upload", `{"audio_url":"`+r.http.URL+`/file/passwd"}`), 422},
		"nobody there":    {r.do("POST", "/v2/upload", `{"audio_url":"http://127.0.0.1:1/x.mp3"}`), 502},
		"long JSON":       {r.do("POST", "/v2/upload", `{"x":"`+strings.Repeat("x", 3000)+`"}`), 413},
		"method":          {r.do("GET", "/v2/upload", ""), 405},
		"other's method":  {r.do("DELETE", "/file/"+noSuchID, ""), 405},
		"no key":          {r.do("POST", "/v2/upload", "", "x-service-key", ""), 401},
		"no file":         {r.do("GET", "/file/"+noSuchID, ""), 404},
		"no file's id":    {r.do("GET", "/file/passwd", ""), 404},
		"path in file id": {r.do("GET", "/file/..%2fsteno.db", ""), 404},
	} {
		t.Run(name, func(t *testing.T) {
			var body messages.ErrorBody
			if err := json.Unmarshal(tc.got.body, &body); err != nil {
				t.Fatalf("%d %s", tc.got.status, tc.got.body)
			}
			checkError(t, tc.got, tc.status, body.Path)
			if tc.status == 400 && len(body.ValidationErrors) == 0 {
				t.Errorf("no validation errors: %s", tc.got.body)
			}
			if name == "bare recording" && !strings.Contains(body.ValidationErrors[0], "audio") {
				t.Errorf("it does not say how a recording is sent: %s", tc.got.body)
			}
		})
	}
	if left := r.uploadFiles(); len(left) > 0 {
		t.Errorf("left on disk: %q", left)
	}
}

func TestWithoutDecoder(t *testing.T) {
	r := newTestServer(t, nil)
	for path, body := range map[string]string{
		"/v2/upload": `{"audio_url":"http://a.example/x"}`, "/v2/pre-recorded": `{"audio_url":"http://a.example/x"}`,
		"/v2/bots/transcribe": ``,
	} {
		checkError(t, r.do("POST", path, body), 501, path)
	}
	r.server.uploads.NoMedia = "no sandbox works for it"
	if a := r.do("POST", "/v2/pre-recorded", `{"audio_url":"http://a.example/x"}`); !strings.Contains(string(a.body),
		"no sandbox works for it") {
		t.Errorf("does not tell why: %s", a.body)
	}
}

func TestRecordedErrors(t *testing.T) {
	r := recordedServer(t, func(c *Config) { c.Limits.KeyJobs = 1 })
	r.engines.languages = []string{"en", "de"}
	g := newGatedRecognizer()
	defer close(g.gate)
	r.engines.asr = g
	r.restart()
	r.addKey("other")
	url := r.uploadFile("a.wav", wavOf(speech(3, 2), 16000, 1)).AudioURL
	id := r.createJob(`{"audio_url":"` + url + `"}`)
	file := `"audio_url":"` + url + `"`
	for name, tc := range map[string]struct {
		method, path, body string
		headers            []string
		status             int
		fault              string
	}{
		"no URL":  {body: `{}`, status: 400, fault: "audio_url"},
		"bad URL": {body: `{"audio_url":"x"}`, status: 400, fault: "audio_url"},
		"enum":    {body: `{` + file + `,"model":"stt-9"}`, status: 400, fault: "model"},
		"nested": {body: `{` + file + `,"subtitles_config":{"formats":[]}}`, status: 400,
			fault: "subtitles_config.formats"},
		"stt-3 in Chinese": {body: `{` + file + `,"model":"stt-3","language_config":{"languages":["zh"]}}`,
			status: 422},
		"stt-3 switching": {body: `{` + file + `,"model":"stt-3","language_config":{"code_switching":true}}`,
			status: 422},
		"no engine for French": {body: `{` + file + `,"language_config":{"languages":["fr"]}}`, status: 422},
		"other's upload":       {body: `{` + file + `}`, headers: []string{"x-service-key", "other"}, status: 422},
		"no upload":            {body: `{"audio_url":"` + r.http.URL + `/file/` + noSuchID + `"}`, status: 422},
		"no scheme we fetch": {body: `{"audio_url":"ftp://a.example/x.mp3"}`, headers: []string{"x-service-key",
			"other"}, status: 400},
		"one too many":       {body: `{` + file + `}`, status: 429},
		"not finished":       {method: "DELETE", path: "/v2/pre-recorded/" + id, status: 403},
		"not finished, twin": {method: "DELETE", path: "/v2/transcription/" + id, status: 403},
		"not live":           {method: "GET", path: "/v2/live/" + id, status: 404},
		"not to be patched":  {method: "PATCH", path: "/v2/pre-recorded/" + id, status: 405},
		"no job":             {method: "GET", path: "/v2/pre-recorded/" + noSuchID, status: 404},
		"no file":            {method: "GET", path: "/v2/pre-recorded/" + noSuchID + "/file", status: 404},
		"nothing to delete":  {method: "DELETE", path: "/v2/pre-recorded/" + noSuchID, status: 404},
		"other's job": {method: "GET", path: "/v2/pre-recorded/" + id, headers: []string{"x-service-key",
			"other"}, status: 404},
		"list": {method: "GET", path: "/v2/pre-recorded?limit=101", status: 400, fault: "limit"},
	} {
		t.Run(name, func(t *testing.T) {
			method, path := "POST", "/v2/pre-recorded"
			if tc.method != "" {
				method, path = tc.method, tc.path
			}
			got := r.do(method, path, tc.body, tc.headers...)
			bare, _, _ := strings.Cut(path, "?")
			checkError(t, got, tc.status, bare)
			if tc.fault != "" && !bytes.Contains(got.body, []byte(`"`+tc.fault+` must `)) {
				t.Errorf("%s is not named: %s", tc.fault, got.body)
			}
			if tc.status == 429 && got.header.Get("Retry-After") == "" {
				t.Error("no Retry-After")
			}
		})
	}
}

// Addresses that must not be reached are refused when the job is created, as far as they are known
// then.
func TestRecordedAddressesAreGuarded(t *testing.T) {
	r := recordedServer(t, nil, func(r *testServer) { r.outbound = nil })
	for _, host := range []string{
		"127.0.0.1", "localhost", "10.0.0.1", "192.168.1.1", "169.254.169.254", "[::1]", "[::ffff:127.0.0.1]",
		"2130706433", "0x7f.1",
	} {
		for _, body := range []string{
			`{"audio_url":"http://` + host + `:1/x.mp3"}`,
			`{"audio_url":"https://a.example/x.mp3","callback":true,"callback_config":{"url":"http://` + host + `/"}}`,
			`{"audio_url":"https://a.example/x.mp3","callback_url":"http://` + host + `/"}`,
		} {
			checkError(t, r.do("POST", "/v2/pre-recorded", body), 422, "/v2/pre-recorded")
		}
		checkError(t, r.do("POST", "/v2/upload", `{"audio_url":"http://`+host+`:1/x.mp3"}`), 422, "/v2/upload")
	}
}

func TestRecordedJob(t *testing.T) {
	r := recordedServer(t, nil)
	wav := wavOf(interleaved(speech(3, 1), speech(3, 2)), 16000, 2)
	up := r.uploadFile("two sides.wav", wav)
	id := r.createJob(`{"audio_url":"` + up.AudioURL + `","custom_metadata":{"call":17}}`)
	job := r.awaitJob(id)
	if job.Status != messages.StatusDone || job.ErrorCode != nil || job.Kind != messages.JobPreRecorded ||
		job.Version != 2 ||
		job.RequestID != messages.RequestID(id) || fmt.Sprint(job.CustomMetadata) != "map[call:17]" ||
		len(job.PostSessionMetadata) != 0 {
		t.Errorf("job %+v", job)
	}
	f := job.File
	if f == nil || f.ID != up.AudioMetadata.ID || f.Filename == nil || *f.Filename != "two sides.wav" || f.Source !=
		nil ||
		f.AudioDuration == nil || *f.AudioDuration != 3 || f.NumberOfChannels == nil || *f.NumberOfChannels != 2 {
		t.Errorf("file %+v", f)
	}
	var params messages.PreRecordedRequest
	if err := json.Unmarshal(job.RequestParams, &params); err != nil || params.AudioURL != up.AudioURL ||
		params.Model != "stt-1" {
		t.Errorf("request_params %s", job.RequestParams)
	}
	m := r.awaitResult(id).Metadata
	if m.AudioDuration != 3 || m.NumberOfDistinctChannels != 2 || m.BillingTime != 6 || m.TranscriptionTime < 0 {
		t.Errorf("metadata %+v", m)
	}
	for _, path := range []string{"/v2/pre-recorded/", "/v2/transcription/"} {
		if a := r.do("GET", path+id+"/file", ""); a.status != 200 || !bytes.Equal(a.body, wav) {
			t.Errorf("%s: %d, %d bytes", path, a.status, len(a.body))
		}
	}
	one := r.do("GET", "/v2/pre-recorded/"+id, "")
	if twin := r.do("GET", "/v2/transcription/"+id, ""); !bytes.Equal(one.body, twin.body) {
		t.Errorf("the twin differs: %s", twin.body)
	}
	if a := r.do("DELETE", "/v2/pre-recorded/"+id, ""); a.status != http.StatusAccepted || len(a.body) > 0 {
		t.Errorf("delete: %d %s", a.status, a.body)
	}
	path := strings.TrimPrefix(up.AudioURL, r.http.URL)
	checkError(t, r.do("GET", path, ""), 404, path)
	checkError(t, r.do("GET", "/v2/pre-recorded/"+id, ""), 404, "/v2/pre-recorded/"+id)
	if left := r.uploadFiles(); len(left) > 0 {
		t.Errorf("left on disk: %q", left)
	}
	if strings.Contains(r.lines.String(), testKey) || strings.Contains(r.lines.String(), "two sides") {
		t.Error("the log holds what it must not")
	}
}

func TestListBothKinds(t *testing.T) {
	r := recordedServer(t, nil)
	url := r.uploadFile("a.wav", wavOf(speech(1, 1), 16000, 1)).AudioURL
	live, _ := r.create(`{"custom_metadata":{"n":"1"}}`)
	a := r.do("POST", "/v2/transcription", `{"audio_url":"`+url+`","custom_metadata":{"n":"1"}}`)
	var made messages.Created
	if err := json.Unmarshal(a.body, &made); err != nil || a.status != 201 || !strings.HasSuffix(made.ResultURL,
		"/v2/pre-recorded/"+made.ID) {
		t.Fatalf("%d %s", a.status, a.body)
	}
	r.awaitJob(made.ID)
	for query, want := range map[string][]string{
		"/v2/transcription":                              {made.ID, live},
		"/v2/transcription?kind=live&kind=pre-recorded":  {made.ID, live},
		"/v2/transcription?kind=live":                    {live},
		"/v2/transcription?kind=pre-recorded":            {made.ID},
		"/v2/pre-recorded":                               {made.ID},
		"/v2/pre-recorded?custom_metadata[n]=1":          {made.ID},
		"/v2/pre-recorded?custom_metadata[n]=2":          nil,
		"/v2/pre-recorded?status=queued":                 nil,
		"/v2/pre-recorded?status=done&status=processing": {made.ID},
		"/v2/pre-recorded?date=2001-01-01":               nil,
		"/v2/live":                                       {live},
	} {
		var page messages.Page
		var ids []string
		a := r.do("GET", query, "")
		if err := json.Unmarshal(a.body, &page); err != nil {
			t.Fatalf("%s: %d %s", query, a.status, a.body)
		}
		for _, job := range page.Items {
			ids = append(ids, job.ID)
		}
		if !slices.Equal(ids, want) {
			t.Errorf("%s: %q, want %q", query, ids, want)
		}
	}
}

// An upload may be used by any number of jobs, and is removed with the last.
func TestUploadOfSeveralJobs(t *testing.T) {
	r := recordedServer(t, nil)
	body := `{"audio_url":"` + r.uploadFile("a.wav", wavOf(speech(1, 1), 16000, 1)).AudioURL + `"}`
	first, second := r.createJob(body), r.createJob(body)
	for i, id := range []string{first, second} {
		r.awaitJob(id)
		if a := r.do("DELETE", "/v2/pre-recorded/"+id, ""); a.status != 202 {
			t.Fatalf("%d %s", a.status, a.body)
		}
		if got := len(r.uploadFiles()); got != 1-i {
			t.Errorf("%d files after %d deletions", got, i+1)
		}
	}
}

func TestSweep(t *testing.T) {
	r := recordedServer(t, nil)
	wav := wavOf(speech(1, 1), 16000, 1)
	used := r.uploadFile("used.wav", wav)
	id := r.createJob(`{"audio_url":"` + used.AudioURL + `"}`)
	r.awaitJob(id)
	r.uploadFile("unused.wav", wav)
	if err := sweeper(r.server).SweepUploads(t.Context(), time.Now().Add(-time.Hour)); err != nil ||
		len(r.uploadFiles()) != 2 {
		t.Errorf("%v, kept %q: an hour is not over", err, r.uploadFiles())
	}
	if err := sweeper(r.server).SweepUploads(t.Context(), time.Now().Add(time.Hour)); err != nil {
		t.Fatal(err)
	}
	if left := r.uploadFiles(); len(left) != 1 || !strings.HasSuffix(left[0], used.AudioMetadata.ID) {
		t.Errorf("kept %q", left)
	}
	if a := r.do("GET", "/v2/pre-recorded/"+id+"/file", ""); !bytes.Equal(a.body, wav) {
		t.Error("the file of a job was swept away")
	}
}

// The name or media type of a file decides its format if its content does not, wherever it is read.
// Without these it is no recording.
func TestFilesKnownByTheirNames(t *testing.T) {
	t.Parallel()
	r := recordedServer(t, nil)
	g722 := encode(t, wavOf(speech(2, 1), 16000, 1), "call.g722")
	typed := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "audio/G722")
		_, _ = w.Write(g722) // a client that has gone is the test's matter
	}))
	defer typed.Close()
	named := fileServer(t, map[string][]byte{"/a/call.g722": g722, "/call": g722})
	up := r.uploadFile("A CALL.G722", g722)
	if m := up.AudioMetadata; m.Extension != "g722" || m.AudioDuration != 2 || m.NumberOfChannels != 1 {
		t.Errorf("upload %+v", m)
	}
	for _, url := range []string{up.AudioURL, named + "/a/call.g722?x=1", typed.URL} {
		id := r.createJob(`{"audio_url":"` + url + `"}`)
		if result := r.awaitResult(id); result.Metadata.AudioDuration != 2 ||
			len(result.Transcription.Utterances) == 0 {
			t.Errorf("%s: %+v", url, result.Metadata)
		}
		if peaks := r.do("GET", "/v2/pre-recorded/"+id+"/peaks", ""); peaks.status != 200 {
			t.Errorf("%s: peaks %d %s", url, peaks.status, peaks.body)
		}
	}
	if a := r.send("/v2/upload", filled{filename: "call.bin", content: g722}); a.status != 415 {
		t.Errorf("without a name that says so: %d %s", a.status, a.body)
	}
	if a := r.send("/v2/upload", filled{filename: "call", kind: "audio/g722", content: g722}); a.status != 200 {
		t.Errorf("with a media type: %d %s", a.status, a.body)
	}
	if job := r.awaitJob(r.createJob(`{"audio_url":"` + named + `/call"}`)); job.Status != messages.StatusError ||
		*job.ErrorCode != 415 {
		t.Errorf("fetched without a name that says so: %+v", job)
	}
}
