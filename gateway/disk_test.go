package gateway

import (
	"bytes"
	"context"
	"encoding/json"
	"strings"
	"testing"

	"steno/messages"
	"steno/session/store"
)

// When the disk is nearly full no new work is accepted, and running work continues.
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
		"/v2/live":          r.do("POST", "/v2/live", `{}`),
		"/v2/upload":        r.send("/v2/upload", filled{filename: "b.wav", content: wav}),
		"/v2/pre-recorded":  r.do("POST", "/v2/pre-recorded", `{"audio_url":"`+up.AudioURL+`"}`),
		"/v2/transcription": r.do("POST", "/v2/transcription", `{"audio_url":"`+up.AudioURL+`"}`),
		"/v2/bots/transcribe": r.send("/v2/bots/transcribe", filled{fields: []string{"sample_rate", "16000"},
			filename: "b.wav", content: wav}),
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

// smallStore is a store on a disk of a size, which uploads and recordings use.
type smallStore struct {
	store.Store
	size int64
}

func (s smallStore) Free(ctx context.Context) (int64, error) {
	held, err := s.Held(ctx)
	free := s.size
	for _, bytes := range held {
		free -= bytes
	}
	return free, err
}

// One key sends until it is refused. Another key of the same account still has room, space that the
// first one frees can be used again, and meanwhile jobs can be read and deleted.
func TestOneKeyLeavesRoom(t *testing.T) {
	const size, reserve = 2 << 20, 256 << 10
	r := newTestServer(t, nil)
	r.stop()
	r.media = newDecoder(t)
	r.wrap = func(s store.Store) store.Store { return smallStore{s, size} }
	r.change = func(c *Config) {
		c.Keys = append(c.Keys, Key{Text: "key-of-another"})
		c.Limits.FreeDisk, c.Limits.KeyDisk = reserve, 80
	}
	r.start()
	wav := wavOf(speech(8, 1), 16000, 1) // 256 KiB
	var jobs []string
	refused := answer{}
	for range 2 * size / len(wav) {
		refused = r.send("/v2/upload", filled{filename: "a.wav", content: wav})
		if refused.status != 200 {
			break
		}
		var up messages.Upload
		if err := json.Unmarshal(refused.body, &up); err != nil {
			t.Fatal(err)
		}
		jobs = append(jobs, r.createJob(`{"audio_url":"`+up.AudioURL+`"}`))
	}
	checkError(t, refused, 507, "/v2/upload")
	if held := len(jobs) * len(wav); held < size/2 || held > (size-reserve)*4/5 {
		t.Errorf("the first key holds %d bytes", held)
	}
	checkError(t, r.do("POST", "/v2/live", `{}`), 507, "/v2/live")
	checkError(t, r.do("POST", "/v2/pre-recorded", `{"audio_url":"https://example.com/a.wav"}`), 507,
		"/v2/pre-recorded")
	other := []string{"x-service-key", "key-of-another"}
	if a := r.do("POST", "/v2/live", `{}`, other...); a.status != 201 {
		t.Errorf("a session of another key: %d %s", a.status, a.body)
	}
	if a := r.send("/v2/upload", filled{filename: "b.wav", content: wav}, other...); a.status != 200 {
		t.Errorf("another key: %d %s", a.status, a.body)
	}
	for _, id := range jobs[:len(jobs)/2] {
		r.awaitResult(id)
		if a := r.do("DELETE", "/v2/pre-recorded/"+id, ""); a.status != 202 {
			t.Errorf("deletion: %d %s", a.status, a.body)
		}
	}
	waitUntil(t, "the first key may send again", func() bool {
		return r.send("/v2/upload", filled{filename: "a.wav", content: wav}).status == 200
	})
}

// An upload that would reach into the reserve fails where the reserve starts.
func TestUploadsEndAtTheReserve(t *testing.T) {
	const size, reserve = 1 << 20, 512 << 10
	r := newTestServer(t, nil)
	r.stop()
	r.media = newDecoder(t)
	r.wrap = func(s store.Store) store.Store { return smallStore{s, size} }
	r.change = func(c *Config) { c.Limits.FreeDisk, c.Limits.KeyDisk = reserve, 100 }
	r.start()
	large := wavOf(speech(24, 1), 16000, 1) // 750 KiB
	checkError(t, r.send("/v2/upload", filled{filename: "a.wav", content: large}), 507, "/v2/upload")
	if n := len(r.uploadFiles()); n != 0 {
		t.Errorf("%d files are left", n)
	}
	r.uploadFile("b.wav", wavOf(speech(8, 1), 16000, 1))
}
