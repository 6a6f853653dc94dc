package valkey

import (
	"bytes"
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"steno/messages"
	"steno/session/store"
	"steno/session/store/valkeytest"
)

// holds tells whether any file of a folder has a text.
func holds(t *testing.T, dir, text string) (found bool) {
	t.Helper()
	must(t, filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return nil // gone meanwhile
		}
		content, err := os.ReadFile(path)
		found = found || err == nil && bytes.Contains(content, []byte(text))
		return nil
	}))
	return found
}

// TestStripLeavesNothing erases a session's parts before and after they have moved to blob storage,
// and looks for them in all files of both.
func TestStripLeavesNothing(t *testing.T) {
	running := valkeytest.Start(t, "--appendonly", "yes")
	for name, moved := range map[string]bool{"on the server": false, "in blob storage": true} {
		t.Run(name, func(t *testing.T) {
			blobs, ctx := t.TempDir(), t.Context()
			s, err := Open(ctx, Options{
				Addr: running.Addr(), Node: "node", Blobs: blobs, Spool: t.TempDir(), Erase: time.Millisecond,
			})
			must(t, err)
			defer func() { must(t, s.Close()) }()
			id := strings.ReplaceAll(name, " ", "-")
			word, sound := "zqword"+id+"qz", "zqsound"+id+"qz"
			r := fullRecord(id)
			r.Transient = store.PartTranscripts
			must(t, s.Create(ctx, r))
			l, err := s.Claim(ctx, id, store.IfFree)
			must(t, err)
			must(t, l.AppendAudio(ctx, bytes.Repeat([]byte(sound), (300<<10)/len(sound))))
			for range 3 {
				key := messages.Key{Kind: messages.KindFinal, Subject: "1"}
				e := messages.Event{Key: key, Body: []byte(`"` + word + `"`)}
				_, _, err = l.AppendEvent(ctx, e, 0, []byte(word))
				must(t, err)
			}
			must(t, l.Finish(ctx, store.Outcome{Result: json.RawMessage(`"` + strings.Repeat(word, 100) + `"`)}))
			d := store.Delivery{Account: "acme", Job: id, Seq: 1, Event: "one", URL: "https://host", Method: "POST"}
			d.Body = []byte(word)
			must(t, s.Enqueue(ctx, d))
			must(t, l.Close())
			if moved {
				settle(t, s)
			}
			if !running.Holds(word) || !running.Holds(sound) || moved && !holds(t, blobs, sound) {
				t.Fatal("what is looked for was nowhere")
			}
			must(t, s.Strip(ctx, "acme", id, store.PartTranscripts|store.PartMessages|store.PartAudio))
			claimed, err := s.ClaimDeliveries(ctx, time.Minute, 1)
			must(t, err)
			if len(claimed) != 1 || string(claimed[0].Body) != word {
				t.Fatalf("claimed are %+v", claimed)
			}
			must(t, s.Dead(ctx, claimed[0], 500, word))
			eventually(t, "nothing is left", func() bool {
				settle(t, s)
				return !running.Holds(word) && !running.Holds(sound) && !holds(t, blobs, word) &&
					!holds(t, blobs, sound)
			})
			got, err := s.Get(ctx, "acme", id)
			must(t, err)
			if got.Stripped != store.AllParts || got.Result != nil || string(got.Params) != string(r.Params) {
				t.Errorf("the record is %+v", got)
			}
		})
	}
}
