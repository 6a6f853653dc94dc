package endtoend_test

import (
	"bufio"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"slices"
	"testing"
)

// findSDK returns the folder with the public client library, or skips the test.
func findSDK(t *testing.T) string {
	t.Helper()
	dir, err := filepath.Abs("testdata/sdk")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := exec.LookPath("node"); err != nil {
		t.Skip("node is not installed")
	}
	if _, err := os.Stat(filepath.Join(dir, "node_modules", "@gladiaio", "sdk", "package.json")); err != nil {
		t.Skip("the client library is not installed: make deps")
	}
	return dir
}

// conversation is what a client of the library experienced.
type conversation struct {
	connections int // sockets opened
	code        int // of the close
	messages    []json.RawMessage
	errors      []string
	refused     bool // no session was created
	outcome     outcome
}

// outcome is what the REST routes tell afterwards.
type outcome struct {
	ID  string
	Job struct {
		Status    string
		ErrorCode *int `json:"error_code"`
		Result    struct {
			Transcription struct {
				FullTranscript string `json:"full_transcript"`
				Utterances     []json.RawMessage
			}
			Messages []string
		}
	}
	File struct {
		RIFF   string
		Bytes  int
		SHA256 string
	}
	List []string
}

// event is a line of the client's output.
type event struct {
	Event   string
	Message json.RawMessage
	Code    int
	Error   string
}

// converse streams a clip through the library in real time. Every event is also given to watch, if
// set, as it comes.
func converse(t *testing.T, sdk, url string, c clip, watch func(event)) conversation {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 2*c.duration()+readyWithin)
	defer cancel()
	task, err := json.Marshal(map[string]any{
		"url": url, "key": testKey, "audio": c.file(t), "chunk_ms": 50,
		"request": map[string]any{
			"encoding": "wav/pcm", "bit_depth": 16, "sample_rate": clipRate, "channels": 1, "endpointing": 0.3,
			"messages_config": map[string]any{
				"receive_partial_transcripts": true, "receive_acknowledgments": true, "receive_lifecycle_events": true,
			},
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(ctx, "node", "client.mjs", string(task))
	cmd.Dir = sdk
	complaints := new(lockedBuffer)
	cmd.Stderr = complaints
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	said, readErr := readEvents(out, watch)
	if err := cmd.Wait(); err != nil || readErr != nil {
		t.Fatalf("client: %v, %v\nconnections %d, close code %d, messages %d, errors %q\n%s",
			err, readErr, said.connections, said.code, len(said.messages), said.errors, complaints)
	}
	return said
}

func readEvents(out interface{ Read([]byte) (int, error) }, watch func(event)) (conversation, error) {
	var said conversation
	lines := bufio.NewScanner(out)
	lines.Buffer(nil, 64<<20)
	for lines.Scan() {
		var e event
		if err := json.Unmarshal(lines.Bytes(), &e); err != nil {
			return said, fmt.Errorf("line %q: %w", lines.Text(), err)
		}
		switch e.Event {
		case "connected":
			said.connections++
		case "message":
			said.messages = append(said.messages, e.Message)
		case "error":
			said.errors = append(said.errors, e.Error)
		case "ended":
			said.code = e.Code
		case "refused":
			said.refused = true
		case "outcome":
			if err := json.Unmarshal(lines.Bytes(), &said.outcome); err != nil {
				return said, fmt.Errorf("outcome: %w", err)
			}
		}
		if watch != nil {
			watch(e)
		}
	}
	return said, lines.Err()
}

// transcript is a transcript message as far as the tests look at it. All is the whole message, for
// comparisons.
type transcript struct {
	ID    string
	Final bool
	All   any
	Said  any // the utterance
}

// transcriptsOf picks the transcripts out of messages.
func transcriptsOf[M ~[]byte | ~string](t *testing.T, messages []M) []transcript {
	t.Helper()
	var list []transcript
	for _, m := range messages {
		var head struct {
			Type string
			Data json.RawMessage
		}
		var data struct {
			ID        string
			IsFinal   bool `json:"is_final"`
			Utterance any
		}
		x := transcript{}
		err := errors.Join(json.Unmarshal([]byte(m), &head), json.Unmarshal([]byte(m), &x.All))
		if err == nil && head.Type == "transcript" {
			err = json.Unmarshal(head.Data, &data)
			x.ID, x.Final, x.Said = data.ID, data.IsFinal, data.Utterance
			list = append(list, x)
		}
		if err != nil {
			t.Fatalf("message %s: %v", m, err)
		}
	}
	return list
}

func finalsOf(list []transcript) []transcript {
	return slices.DeleteFunc(slices.Clone(list), func(x transcript) bool { return !x.Final })
}

// checkKept verifies what the gateway has kept of a conversation, and that the client missed
// nothing of it: the recording is byte-identical, every final stands once in the log and once in
// the record, and the socket had each of them, any repeat being identical. It returns the finals of
// the log.
func (c conversation) checkKept(t *testing.T, sent clip) []transcript {
	t.Helper()
	if c.code != 1000 {
		t.Fatalf("closed with %d, not 1000; connections %d, errors %q, status %q", c.code, c.connections, c.errors,
			c.outcome.Job.Status)
	}
	o := c.outcome
	if o.Job.Status != "done" || o.Job.ErrorCode != nil {
		t.Errorf("status %q, error_code %v", o.Job.Status, o.Job.ErrorCode)
	}
	sum := sha256.Sum256(sent.pcm)
	if o.File.RIFF != "RIFF" || o.File.Bytes != len(sent.pcm) || o.File.SHA256 != hex.EncodeToString(sum[:]) {
		t.Errorf("recording %+v is not the %d bytes sent", o.File, len(sent.pcm))
	}
	if !slices.Contains(o.List, o.ID) {
		t.Errorf("session %s is not in the list %v", o.ID, o.List)
	}
	logged := finalsOf(transcriptsOf(t, o.Job.Result.Messages))
	byID := map[string]transcript{}
	for _, f := range logged {
		if _, twice := byID[f.ID]; twice {
			t.Errorf("final %s stands twice in the log", f.ID)
		}
		byID[f.ID] = f
	}
	c.checkRecord(t, logged)
	heard := map[string]bool{}
	for _, f := range finalsOf(transcriptsOf(t, c.messages)) {
		heard[f.ID] = true
		if !reflect.DeepEqual(f.All, byID[f.ID].All) {
			t.Errorf("final %s on the socket is not that of the log:\n%v\n%v", f.ID, f.All, byID[f.ID].All)
		}
	}
	for id := range byID {
		if !heard[id] {
			t.Errorf("final %s never came over the socket", id)
		}
	}
	return logged
}

// checkRecord compares the utterances of the record with the finals of the log.
func (c conversation) checkRecord(t *testing.T, logged []transcript) {
	t.Helper()
	var recorded []any
	for _, u := range c.outcome.Job.Result.Transcription.Utterances {
		var v any
		if err := json.Unmarshal(u, &v); err != nil {
			t.Fatal(err)
		}
		recorded = append(recorded, v)
	}
	if len(recorded) != len(logged) {
		t.Errorf("%d utterances in the record, %d finals in the log", len(recorded), len(logged))
		return
	}
	for i, f := range logged {
		if !reflect.DeepEqual(recorded[i], f.Said) {
			t.Errorf("utterance %d of the record is not that of the log:\n%v\n%v", i, recorded[i], f.Said)
		}
	}
}

// typesOf lists the types of messages in their order, repeats in a row once.
func typesOf(t *testing.T, messages []json.RawMessage) []string {
	t.Helper()
	var types []string
	for _, m := range messages {
		var head struct{ Type string }
		if err := json.Unmarshal(m, &head); err != nil {
			t.Fatal(err)
		}
		if len(types) == 0 || types[len(types)-1] != head.Type {
			types = append(types, head.Type)
		}
	}
	return types
}

// testUndisturbed is a conversation in which nothing happens. It returns its finals.
func testUndisturbed(t *testing.T, sdk string, g *gateway, e engineCase) []transcript {
	t.Helper()
	c := e.clip(t)
	said := converse(t, sdk, g.url(), c, nil)
	finals := said.checkKept(t, c)
	if len(finals) < 3 {
		t.Errorf("%d finals", len(finals))
	}
	if said.connections != 1 || len(said.errors) > 0 {
		t.Errorf("%d connections, errors %q", said.connections, said.errors)
	}
	types := typesOf(t, said.messages)
	// start_session comes from the library itself.
	if want := []string{"start_session", "start_recording"}; len(types) < 2 || !slices.Equal(types[:2], want) {
		t.Errorf("messages begin with %q", types)
	}
	if !slices.Contains(types, "stop_recording") || types[len(types)-1] != "end_session" {
		t.Errorf("messages end with %q", types[max(0, len(types)-6):])
	}
	if partials := len(transcriptsOf(t, said.messages)) - len(finals); partials == 0 && !e.thins {
		t.Error("no partials")
	}
	if text := said.outcome.Job.Result.Transcription.FullTranscript; !e.plausible(text) {
		t.Errorf("transcript %q", text)
	}
	return finals
}
