package gateway

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"steno/messages"
)

// stallingServer is a server that sends the start of a file and the rest after release. It reports
// each request.
func stallingServer(t *testing.T) (url string, asked chan string, release func()) {
	t.Helper()
	asked, gate := make(chan string, 64), make(chan struct{})
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		wav := wavOf(speech(1, 1), 16000, 1)
		_, _ = w.Write(wav[:1000])
		_ = http.NewResponseController(w).Flush()
		asked <- r.URL.Path
		select {
		case <-gate:
			_, _ = w.Write(wav[1000:])
		case <-r.Context().Done():
		}
	}))
	t.Cleanup(server.Close)
	return server.URL, asked, func() { close(gate) }
}

// createJobBy creates a job for a key and returns its id.
func (r *testServer) createJobBy(key, body string) string {
	r.t.Helper()
	a := r.do("POST", "/v2/pre-recorded", body, "x-service-key", key)
	var got messages.Created
	if err := json.Unmarshal(a.body, &got); err != nil || a.status != http.StatusCreated {
		r.t.Fatalf("create: %d %s", a.status, a.body)
	}
	return got.ID
}

// Servers that send nothing hold neither workers nor all fetches.
func TestSlowFetchesDelayNoOtherJob(t *testing.T) {
	r := recordedServer(t, func(c *Config) { c.Jobs.Workers, c.Jobs.Fetches, c.Jobs.AccountFetches = 1, 3, 2 })
	r.addKey("other")
	slow, asked, release := stallingServer(t)
	var held []string
	for i := range 4 {
		held = append(held, r.createJob(fmt.Sprintf(`{"audio_url":"%s/%d.wav"}`, slow, i)))
	}
	<-asked
	<-asked
	wav := wavOf(speech(2, 1), 16000, 1)
	r.transcribeFile("a.wav", wav)
	at := fileServer(t, map[string][]byte{"/b.wav": wav})
	fast := r.createJobBy("other", `{"audio_url":"`+at+`/b.wav"}`)
	waitUntil(t, "the other account's job has ended", func() bool {
		a := r.do("GET", "/v2/pre-recorded/"+fast, "", "x-service-key", "other")
		var job messages.Job
		if err := json.Unmarshal(a.body, &job); err != nil || a.status != 200 {
			t.Fatalf("%d %s %v", a.status, a.body, err)
		}
		return job.CompletedAt != nil
	})
	if len(asked) > 0 {
		t.Errorf("an account had a third file fetched: %s", <-asked)
	}
	if job := r.recordedJob(held[0]); job.Status != messages.StatusProcessing {
		t.Errorf("job %+v", job)
	}
	release()
	for _, id := range held {
		r.awaitResult(id)
	}
}

// An account with many jobs does not delay a later one of another account.
func TestFetchesOfAccounts(t *testing.T) {
	r := recordedServer(t, func(c *Config) { c.Jobs.Workers = 1 })
	r.addKey("other")
	g := newGatedRecognizer()
	r.engines.asr = g
	r.restart()
	wav := wavOf(speech(12, 1), 16000, 1)
	body := `{"audio_url":"` + r.uploadFile("a.wav", wav).AudioURL + `"}`
	var many []string
	for range 5 {
		many = append(many, r.createJob(body))
	}
	var up messages.Upload
	a := r.send("/v2/upload", filled{filename: "b.wav", content: wav}, "x-service-key", "other")
	if err := json.Unmarshal(a.body, &up); err != nil {
		t.Fatal(err)
	}
	id := r.createJobBy("other", `{"audio_url":"`+up.AudioURL+`"}`)
	close(g.gate)
	var ends []time.Time
	for _, id := range many {
		ends = append(ends, r.awaitJob(id).CompletedAt.Time)
	}
	record, err := r.store.Get(t.Context(), "other", id)
	if err != nil || record.CompletedAt == nil {
		t.Fatalf("not ended when all others had: %v", err)
	}
	slices.SortFunc(ends, time.Time.Compare)
	if !record.CompletedAt.Before(ends[2]) {
		t.Errorf("ended at %v, the others at %v", record.CompletedAt, ends)
	}
}

// Slow fetches of an account delay only its own.
func TestUploadFetchLimit(t *testing.T) {
	r := recordedServer(t, func(c *Config) { c.Jobs.Fetches, c.Jobs.AccountFetches = 2, 1 })
	r.addKey("other")
	slow, asked, release := stallingServer(t)
	answers := make(chan int, 2)
	for i := range 2 {
		go func() {
			answers <- r.do("POST", "/v2/upload", fmt.Sprintf(`{"audio_url":"%s/%d.wav"}`, slow, i)).status
		}()
	}
	<-asked
	at := fileServer(t, map[string][]byte{"/b.wav": wavOf(speech(2, 1), 16000, 1)})
	if a := r.do("POST", "/v2/upload", `{"audio_url":"`+at+`/b.wav"}`, "x-service-key", "other"); a.status != 200 {
		t.Errorf("another account's: %d %s", a.status, a.body)
	}
	if len(asked) > 0 {
		t.Error("two files of an account were fetched at a time")
	}
	release()
	for range 2 {
		if status := <-answers; status != 200 {
			t.Errorf("answered with %d", status)
		}
	}
}

// User and password of an address are used, but not shown, stored or logged.
func TestPasswordOfAnAddress(t *testing.T) {
	r := recordedServer(t, nil)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
		if user, password, _ := q.BasicAuth(); user != "ann" || password != "hunter2" {
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		_, _ = w.Write(wavOf(speech(2, 1), 16000, 1))
	}))
	defer server.Close()
	address := strings.Replace(server.URL, "http://", "http://ann:hunter2@", 1) + "/a.wav"
	id := r.createJob(`{"audio_url":"` + address + `"}`)
	if job := r.awaitJob(id); job.Status != messages.StatusDone {
		t.Errorf("job %s", job.Status)
	}
	upload := r.do("POST", "/v2/upload", `{"audio_url":"`+address+`"}`)
	for name, text := range map[string]string{
		"job": string(r.do("GET", "/v2/pre-recorded/"+id, "").body), "log": r.lines.String(),
		"upload": string(upload.body),
	} {
		if strings.Contains(text, "hunter2") {
			t.Errorf("%s: %s", name, text)
		}
	}
	if upload.status != http.StatusOK {
		t.Errorf("upload: %d %s", upload.status, upload.body)
	}
	wrong := strings.Replace(address, "hunter2", "hunter3", 1)
	if a := r.do("POST", "/v2/pre-recorded", `{"audio_url":"`+wrong+`"}`); a.status !=
		http.StatusUnprocessableEntity || strings.Contains(string(a.body), "hunter3") {
		t.Errorf("another password: %d %s", a.status, a.body)
	}
}
