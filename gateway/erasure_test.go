package gateway

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"steno/messages"
	"steno/session/store"
)

// marked is a word that stands nowhere else.
const marked = "zqmarkedwordqz"

// traces lists the files of a folder that hold a text.
func traces(t testing.TB, dir string, texts ...[]byte) (found []string) {
	t.Helper()
	err := filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		content, err := os.ReadFile(path)
		for i, text := range texts {
			if bytes.Contains(content, text) {
				found = append(found, entry.Name()+" has mark "+string(rune('0'+i)))
			}
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// awaitNoTraces waits until no file of the server's folder holds a text.
func (r *testServer) awaitNoTraces(texts ...[]byte) {
	r.t.Helper()
	var left []string
	defer func() {
		if r.t.Failed() {
			r.t.Logf("left are %q", left)
		}
	}()
	waitUntil(r.t, "nothing is left", func() bool {
		left = traces(r.t, r.dir, texts...)
		return len(left) == 0
	})
}

// transientServer forgets soon, and recognizes the marked word in each of some utterances.
func transientServer(t *testing.T,
	start func(*testing.T, func(*Config), ...func(*testServer)) *testServer) *testServer {
	r := start(t, func(c *Config) {
		c.Limits.ResumeWindow = 200 * time.Millisecond
		c.Callbacks.FirstRetry = time.Millisecond
	})
	r.engines.asr = recite(marked, marked, marked, marked)
	return r
}

const keepsNothing = `"store_audio":false,"store_transcripts":false`

// Of a session that is not to be kept nothing is left on the disk once it has ended and its
// callbacks are delivered, but its record.
func TestSessionLeavesNothing(t *testing.T) {
	t.Parallel()
	r, hook := transientServer(t, recordedServer), newReceiver(t)
	sound := speech(6, 3)
	sample := sound[40000:40064]
	id, url := r.create(`{` + keepsNothing + `,"callback":true,"callback_config":{"url":"` + hook.url + `"}}`)
	client := call(t, url).mustConnect()
	if err := client.send(sound); err != nil {
		t.Fatal(err)
	}
	client.await("a final", func(f frame) bool { return f.final() != "" })
	if found := strings.Join(traces(t, r.dir, sample, []byte(marked)), " "); !strings.Contains(found, "mark 0") ||
		!strings.Contains(found, "mark 1") {
		t.Fatalf("while the session lives its folder has %s", found)
	}
	if err := client.stop(); err != nil {
		t.Fatal(err)
	}
	client.end()
	heard := false
	for _, c := range hook.await(t, "live.end_session") {
		heard = heard || bytes.Contains(c.Payload, []byte(marked))
	}
	if !heard {
		t.Error("no callback has the words")
	}
	r.awaitNoTraces(sample, []byte(marked))
	job := r.job(id)
	if job.Status != messages.StatusDone || string(job.Result) != "null" || job.File == nil ||
		*job.File.AudioDuration < 1 {
		t.Errorf("the record is %+v", job)
	}
	if a := r.do("GET", "/v2/live/"+id+"/file", ""); a.status != 410 {
		t.Errorf("the file: %d %s", a.status, a.body)
	}
}

// The same holds where the process dies while the session lives: its client does not come back to
// the process that follows.
func TestKilledSessionLeavesNothing(t *testing.T) {
	t.Parallel()
	r := transientServer(t, newTestServer)
	sound := speech(6, 3)
	sample := sound[40000:40064]
	id, url := r.create(`{` + keepsNothing + `}`)
	client := call(t, url).mustConnect()
	if err := client.send(sound[:96000]); err != nil {
		t.Fatal(err)
	}
	client.await("a final", func(f frame) bool { return f.final() != "" })
	copied := filepath.Join(t.TempDir(), "copy") // what a process that is killed leaves
	if err := os.CopyFS(copied, os.DirFS(r.dir)); err != nil {
		t.Fatal(err)
	}
	r.stop()
	r.dir = copied
	if len(traces(t, r.dir, sample)) == 0 {
		t.Fatal("the copy has no audio")
	}
	r.start()
	r.endedJob(id)
	r.awaitNoTraces(sample, []byte(marked))
	client.hangUp()
}

// Of a recorded file neither the file nor the words are left; without a callback its client has
// some time for the result.
func TestJobLeavesNothing(t *testing.T) {
	t.Parallel()
	r, hook := transientServer(t, recordedServer), newReceiver(t)
	sound := speech(6, 3)
	sample := sound[40000:40064]
	for _, callback := range []string{`,"callback":true,"callback_config":{"url":"` + hook.url + `"}`, ``} {
		r.engines.asr = recite(marked, marked, marked, marked)
		file := r.uploadFile("talk-"+marked+".wav", wavOf(sound, 16000, 1))
		id := r.createJob(`{"audio_url":"` + file.AudioURL + `",` + keepsNothing + callback + `}`)
		if callback != "" {
			if got := hook.await(t, messages.EventSuccess); !bytes.Contains(got[0].Payload, []byte(marked)) {
				t.Errorf("the callback is %s", got[0].Payload)
			}
		}
		r.awaitJob(id)
		r.awaitNoTraces(sample, []byte(marked))
		if job := r.recordedJob(id); job.Status != messages.StatusDone || string(job.Result) != "null" {
			t.Errorf("the record is %+v", job)
		}
		if a := r.do("GET", "/v2/pre-recorded/"+id+"/file", ""); a.status != 410 {
			t.Errorf("the file: %d %s", a.status, a.body)
		}
	}
}

// An operator decides for an account, and a request may decide otherwise.
func TestAccountsKeepNothing(t *testing.T) {
	t.Parallel()
	r := newTestServer(t, func(c *Config) {
		c.Transient = func(string) store.Parts { return store.PartAudio }
	})
	for body, want := range map[string]store.Parts{
		`{}`:                         store.PartAudio,
		`{"store_audio":true}`:       0,
		`{"store_transcripts":true}`: store.PartAudio,
		`{"store_audio":true,"store_transcripts":false}`: store.PartTranscripts | store.PartMessages,
	} {
		id, _ := r.create(body)
		record, err := r.store.Get(t.Context(), "default", id)
		if err != nil || record.Transient != want {
			t.Errorf("of %s %s is not to be kept, %v", body, record.Transient, err)
		}
	}
}
