package gateway

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

// A failed job that was to hide something keeps no recording, neither as its own nor under its
// upload's address, unless another job uses that.
func TestFailedRedactionDropsRecording(t *testing.T) {
	r := recordedServer(t, func(c *Config) { c.Limits.EngineGrace = 10 * time.Millisecond }, func(r *testServer) {
		r.engines.asr = noEngine{}
	})
	const redacted = `,"pii_redaction":true}`
	wav := wavOf(speech(6, 1), 16000, 1)
	up := r.uploadFile("a.wav", wav)
	plain := r.createJob(`{"audio_url":"` + up.AudioURL + `"}`)
	r.awaitJob(plain)
	for _, c := range []struct {
		what, url string
		left      int // status of the original by its address; 0: it is elsewhere
	}{
		{"used by another", up.AudioURL, 200},
		{"its own", r.uploadFile("b.wav", wav).AudioURL, 404},
		{"fetched", fileServer(t, map[string][]byte{"/c.wav": wav}) + "/c.wav", 0},
	} {
		id := r.createJob(`{"audio_url":"` + c.url + `"` + redacted)
		job := r.awaitJob(id)
		if job.ErrorCode == nil || *job.ErrorCode != 503 || *job.File.Source != c.url ||
			!strings.HasSuffix(job.PostSessionMetadata["error_message"].(string),
				"; its recording is not kept, since nothing was hidden in it") {
			t.Errorf("%s: job %+v, file %+v", c.what, job, job.File)
		}
		checkError(t, r.do("GET", "/v2/pre-recorded/"+id+"/file", ""), 404, "/v2/pre-recorded/"+id+"/file")
		if c.left == 0 {
			continue
		}
		status := func() int { return r.do("GET", strings.TrimPrefix(c.url, r.http.URL), "").status }
		waitUntil(t, fmt.Sprintf("%s: the original is answered with %d", c.what, c.left),
			func() bool { return status() == c.left })
	}
	waitUntil(t, "one file is left on disk", func() bool { return len(r.uploadFiles()) == 1 }) // a moment after the end
	if a := r.do("GET", "/v2/pre-recorded/"+plain+"/file", ""); a.status != 200 {
		t.Errorf("recording of the other job: %d", a.status)
	}
	if a := r.do("DELETE", "/v2/pre-recorded/"+plain, ""); a.status != 202 || len(r.uploadFiles()) != 0 {
		t.Errorf("delete: %d, left %q", a.status, r.uploadFiles())
	}
}

// The message about a dropped recording is absent if nothing was fetched.
func TestRedactionOfNothing(t *testing.T) {
	r := recordedServer(t, nil)
	job := r.awaitJob(r.createJob(`{"audio_url":"` + fileServer(t, nil) + `/x.wav","pii_redaction":true}`))
	if said, _ := job.PostSessionMetadata["error_message"].(string); *job.ErrorCode != 422 || said == "" ||
		strings.Contains(said, "kept") {
		t.Errorf("job %+v", job)
	}
}

// A request that names something that no provider finds is refused, or warned if it asks for that.
func TestRedactionWithoutFinder(t *testing.T) {
	r := recordedServer(t, nil)
	file := `{"audio_url":"` + r.uploadFile("a.wav", wavOf(speech(3, 2), 16000, 1)).AudioURL +
		`","pii_redaction":true,"pii_redaction_config":`
	refused := r.do("POST", "/v2/pre-recorded", file+`{"entity_types":["EVENT","PROJECT"]}}`)
	checkError(t, refused, 400, "/v2/pre-recorded")
	if !strings.Contains(string(refused.body),
		"pii_redaction_config.entity_types must not have what this server cannot find: EVENT, PROJECT in any language") {
		t.Errorf("%s", refused.body)
	}
	for _, accepted := range []string{`{"entity_types":["CVV","SSN"]}}`, `{"entity_types":"HIPAA_SAFE_HARBOR"}}`,
		`{}}`} {
		r.awaitJob(r.createJob(file + accepted))
	}
	warned := r.do("POST", "/v2/pre-recorded", file+`{"entity_types":["EVENT","SSN"],"best_effort":true}}`)
	if warned.status != 201 || !strings.Contains(string(warned.body), `"field":"pii_redaction_config.entity_types"`) ||
		warned.header.Get("X-Steno-Ignored") != "pii_redaction_config.entity_types" {
		t.Errorf("%d %s", warned.status, warned.body)
	}
}
