package main_test

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/coder/websocket"

	"steno/messages"
)

// TestSphinxPartials speaks to PocketSphinx in real time over a socket: words come while they are said, before the final of their
// utterance, and what is said in the end is right.
func TestSphinxPartials(t *testing.T) {
	if testing.Short() {
		t.Skip("builds and starts the programs")
	}
	needSphinx(t)
	t.Parallel()
	pcm := austen(t).pcm
	g := newGateway(t, build(t), "sphinx")
	ctx, conn := g.dialLive(t, `{"messages_config":{"receive_partial_transcripts":true}}`)

	first := make(chan struct{}) // partial
	go func() {
		for done := false; !done; { // a busy machine may have no time for partials: all is said again then
			for chunk := range slices.Chunk(pcm, 3200) {
				_ = conn.Write(ctx, websocket.MessageBinary, chunk) // reading tells of what is wrong
				time.Sleep(100 * time.Millisecond)
			}
			select {
			case <-first:
				done = true
			case <-ctx.Done():
				done = true
			default:
			}
		}
		_ = conn.Write(ctx, websocket.MessageText, []byte(`{"type":"stop_recording"}`))
	}()
	partials, ended := 0, map[string]bool{} // utterances
	var text strings.Builder
	hear(ctx, t, conn, func(id string, final bool, u messages.Utterance) {
		if u.Text == "" || u.Language != "en" || ended[id] {
			t.Errorf("utterance %s, final: %v, behind a final: %v: %q in %q", id, final, ended[id], u.Text, u.Language)
		}
		if !final {
			if partials++; partials == 1 {
				close(first)
			}
			return
		}
		ended[id] = true
		text.WriteString(u.Text + " ")
	})
	if partials == 0 || !strings.Contains(text.String(), "in his power") && !strings.Contains(text.String(), "rather selfish") {
		t.Errorf("%d partials, finals %q", partials, text.String())
	}
}

// hear passes on the transcripts of a session until its socket is closed as after all is told.
func hear(ctx context.Context, t *testing.T, conn *websocket.Conn, transcript func(id string, final bool, u messages.Utterance)) {
	t.Helper()
	conn.SetReadLimit(1 << 20)
	for {
		_, text, err := conn.Read(ctx)
		if websocket.CloseStatus(err) == websocket.StatusNormalClosure {
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		var m struct {
			Type string
			Data struct {
				ID        string
				IsFinal   bool `json:"is_final"`
				Utterance messages.Utterance
			}
		}
		if err := json.Unmarshal(text, &m); err != nil {
			t.Fatal(err)
		}
		if m.Type == "transcript" {
			transcript(m.Data.ID, m.Data.IsFinal, m.Data.Utterance)
		}
	}
}
