package gateway

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"steno/messages"
	"steno/session/store"
)

// Damages implements store.Inspected.
func (s crampedStore) Damages() []store.Damage { return s.Store.(store.Inspected).Damages() }

// TestJournalShorterThanAcks cuts the end off the recording of a session while the gateway is down.
// If the client has seen the acks of the lost audio, silence replaces it and the loss is reported
// everywhere; otherwise the client sends the audio again.
func TestJournalShorterThanAcks(t *testing.T) {
	sound := speech(6, 3)
	for name, c := range map[string]struct {
		encoding string
		silence  byte
		sees     int64 // up to which the client has seen acks
		cut      int64
		missing  [2]int64
	}{
		"acks were seen":        {`"encoding":"wav/pcm","bit_depth":16`, 0, 64000, 40001, [2]int64{40001, 64000}},
		"of mu-law":             {`"encoding":"wav/ulaw","bit_depth":8`, 0xFF, 64000, 50000, [2]int64{50000, 64000}},
		"the last was not seen": {`"encoding":"wav/pcm","bit_depth":16`, 0, 32000, 50000, [2]int64{}},
		"all of it":             {`"encoding":"wav/pcm","bit_depth":16`, 0, 64000, 0, [2]int64{0, 64000}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := newTestServer(t, nil)
			id, url := r.create(`{` + c.encoding + `,"sample_rate":16000}`)
			client := call(t, url).mustConnect()
			for from := int64(0); from < 64000; from += 32000 {
				if err := client.send(sound[from : from+32000]); err != nil {
					t.Fatal(err)
				}
				client.ackedTo(from + 32000)
			}
			r.stop()
			client.hangUp()
			client.kept, client.acked = bytes.Clone(sound[c.sees:64000]), c.sees
			if err := os.Truncate(filepath.Join(r.dir, "sessions", id[:2], id, "audio"), c.cut); err != nil {
				t.Fatal(err)
			}
			r.start()
			client.url = "ws" + r.http.URL[len("http"):] + "/v2/live?" + afterQuestion(url)
			client.mustConnect()
			if err := client.send(sound[64000:96000]); err != nil {
				t.Fatal(err)
			}
			client.ackedTo(96000)
			finish(t, r, client, id)
			want := bytes.Clone(sound[:96000])
			for i := c.missing[0]; i < c.missing[1]; i++ {
				want[i] = c.silence
			}
			// the header may be longer
			if got := r.recording(id); !bytes.HasSuffix(got, want) || len(got) > len(want)+32 {
				t.Errorf("the recording has %d bytes, want %d, and is not what was kept and sent", len(got), len(want))
			}
			for what, warnings := range map[string][]messages.Warning{"record": r.job(id).Warnings,
				"result": r.result(id).Warnings} {
				if len(warnings) != 1 || warnings[0].Field != "audio" {
					t.Errorf("%s has warnings %v", what, warnings)
				}
			}
			if a := r.do("GET", "/readyz", ""); a.status != 200 || !strings.Contains(string(a.body), `"damaged":1`) {
				t.Errorf("readiness %d %s", a.status, a.body)
			}
			waitUntil(t, "the log tells", func() bool {
				text := r.lines.String()
				return strings.Contains(text, "stored data is damaged") &&
					strings.Contains(text, "audio that was acknowledged may be missing")
			})
		})
	}
}

// TestMissingFiles removes a recording and an upload: they are gone, not empty.
func TestMissingFiles(t *testing.T) {
	r := newTestServer(t, nil)
	id, url := r.create(`{}`)
	client := call(t, url).mustConnect()
	if err := client.send(speech(2, 1)); err != nil {
		t.Fatal(err)
	}
	finish(t, r, client, id)
	if err := os.Remove(filepath.Join(r.dir, "sessions", id[:2], id, "audio")); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{"/v2/live/" + id + "/file", "/v2/live/" + id + "/peaks"} {
		if a := r.do("GET", path, ""); a.status != 410 {
			t.Errorf("%s: %d %.100s", path, a.status, a.body)
		}
	}
	if a := r.do("GET", "/v2/live/"+id, ""); a.status != 200 {
		t.Errorf("record: %d %s", a.status, a.body)
	}
	silent, _ := r.create(`{}`)
	if a := r.do("GET", "/v2/live/"+silent+"/file", ""); a.status == 410 {
		t.Errorf("file of a session without audio: %d %s", a.status, a.body)
	}
}
