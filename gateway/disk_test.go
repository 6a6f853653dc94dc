package gateway

import (
	"bytes"
	"strings"
	"testing"
)

// Where the disk is nearly full no new work is taken, and what is under way goes on.
func TestDiskNearlyFull(t *testing.T) {
	r := recordedServer(t, func(c *Config) { c.Limits.FreeDisk = 1 })
	wav := wavOf(speech(2, 1), 16000, 1)
	up := r.uploadFile("a.wav", wav)
	job := r.createJob(`{"audio_url":"` + up.AudioURL + `"}`)
	r.awaitResult(job)
	id, url := r.create(`{}`)
	c := call(t, url).mustConnect()
	sound := speech(4, 5)
	if err := c.send(sound[:len(sound)/2]); err != nil {
		t.Fatal(err)
	}
	c.ackedTo(int64(len(sound) / 2))

	r.cramped.Store(true)
	again := `{"audio_url":"` + up.AudioURL + `"}` // changes nothing where it is taken
	waitUntil(t, "no upload is taken", func() bool { return r.do("POST", "/v2/upload", again).status == 507 })
	for path, a := range map[string]answer{
		"/v2/live":            r.do("POST", "/v2/live", `{}`),
		"/v2/upload":          r.send("/v2/upload", filled{filename: "b.wav", content: wav}),
		"/v2/pre-recorded":    r.do("POST", "/v2/pre-recorded", `{"audio_url":"`+up.AudioURL+`"}`),
		"/v2/transcription":   r.do("POST", "/v2/transcription", `{"audio_url":"`+up.AudioURL+`"}`),
		"/v2/bots/transcribe": r.send("/v2/bots/transcribe", filled{fields: []string{"sample_rate", "16000"}, filename: "b.wav", content: wav}),
	} {
		checkError(t, a, 507, path)
		if !strings.Contains(string(a.body), "disk is nearly full") {
			t.Errorf("%s: %s", path, a.body)
		}
	}
	if err := c.send(sound[len(sound)/2:]); err != nil {
		t.Fatal(err)
	}
	if err := c.stop(); err != nil || c.end() != 1000 {
		t.Fatal("the session that ran is not ended", err)
	}
	if !bytes.Equal(r.recording(id), sound) || r.do("GET", "/v2/pre-recorded/"+job+"/file", "").status != 200 {
		t.Error("what there is cannot be had")
	}
	if metrics := adminGet(t, r, "/metrics"); !strings.Contains(metrics, "\nsteno_disk_free_bytes ") {
		t.Error("operators are not shown the room there is")
	}
	r.restart() // nothing was asked of the health yet
	if a := r.do("GET", "/readyz", ""); a.status != 503 {
		t.Errorf("ready: %d %s", a.status, a.body)
	}
}
