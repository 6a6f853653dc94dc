package endtoend_test

import (
	"net/http"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"steno/session/store/valkey"
	"steno/session/store/valkeytest"
)

// sharing starts gateways that share a server and a folder of blobs.
func sharing(t *testing.T, gateways int) []*gateway {
	t.Helper()
	bin, server := build(t), valkeytest.Start(t)
	server.Must("ACL", "SETUSER", "steno", ">secret", valkey.DefaultRules())
	t.Cleanup(func() {
		if denied := server.Must("ACL", "LOG"); denied != "*0\r\n" {
			t.Errorf("the user was denied %s", denied)
		}
	})
	blobs := t.TempDir()
	var all []*gateway
	for range gateways {
		all = append(all, newGateway(t, bin, "scripted", "STENO_VALKEY_ADDRESS=valkey://steno:secret@"+server.Addr(),
			"STENO_BLOB="+blobs))
	}
	return all
}

// TestSharedStore has gateways that share a store do each other's work: a recording handed in at
// one is transcribed by any and read at the other, a session that was opened at one is carried on
// at the other, also after the first was killed.
func TestSharedStore(t *testing.T) {
	if testing.Short() {
		t.Skip("builds and starts the programs")
	}
	t.Parallel()
	g := sharing(t, 2)
	c := babble(t)
	path := g[0].submit(t, c.wav(t))
	recorded := g[1].await(t, path).Result.Transcription.FullTranscript
	if len(strings.Fields(recorded)) < 10 {
		t.Fatalf("transcript %q", recorded)
	}
	if got := g[0].await(t, path).Result.Transcription.FullTranscript; got != recorded {
		t.Errorf("transcript %q, at the other gateway %q", got, recorded)
	}

	s := g[0].openLive(t, "/v2/live", map[string]any{
		"encoding": "wav/pcm", "bit_depth": 16, "sample_rate": clipRate, "channels": 1,
		"messages_config": map[string]bool{"receive_acknowledgments": true},
	})
	half := len(c.pcm) / 4 * 2
	s.sendAudio(c.pcm[:half])
	s.receiveUntil(func(r message) bool {
		return r.Acknowledged != nil && *r.Acknowledged && r.Data.ByteRange[1] == int64(half)
	})
	if err := g[0].kill(); err != nil {
		t.Fatal(err)
	}
	_ = s.conn.CloseNow()
	s.url = strings.Replace(s.url, g[0].addr, g[1].addr, 1)
	s.connect()
	s.sendAudio(c.pcm[half:])
	s.stop()
	s.finals()
	live := g[1].awaitEnd(t, "/v2/live/"+s.id).Result.Transcription.FullTranscript
	if live != recorded {
		t.Errorf("the session's transcript is %q, of the recording %q", live, recorded)
	}

	if err := g[0].start(); err != nil {
		t.Fatal(err)
	}
	if got := g[0].awaitEnd(t, "/v2/live/"+s.id).Result.Transcription.FullTranscript; got != live {
		t.Errorf("after a restart the transcript is %q, was %q", got, live)
	}
	for _, path := range []string{path, "/v2/live/" + s.id} {
		if status, text, err := g[0].callOnce(t.Context(), "DELETE", path, ""); err != nil ||
			status != http.StatusAccepted {
			t.Errorf("deletion of %s: %d %s, %v", path, status, text, err)
		}
		if status, _, err := g[1].callOnce(t.Context(), "GET", path, ""); err != nil || status != http.StatusNotFound {
			t.Errorf("%s after its deletion: %d, %v", path, status, err)
		}
	}
	for deadline := time.Now().Add(readyWithin); ; time.Sleep(50 * time.Millisecond) {
		left, err := filepath.Glob(filepath.Join(strings.TrimPrefix(g[0].env[1], "STENO_BLOB="), "*", "*", "*"))
		if err != nil {
			t.Fatal(err)
		}
		if len(left) == 0 {
			break
		}
		if time.Now().After(deadline) {
			t.Fatalf("left are %v", left)
		}
	}
}
