package realtime_test

import (
	"encoding/json"
	"net/http"
	"sync"
	"testing"

	"github.com/coder/websocket"

	"steno/session/asr/realtime"
)

// speaker answers messages by type with what it was given, as OpenAI's servers do.
type speaker struct {
	t  *testing.T
	on map[string][]string

	mu     sync.Mutex
	visits int
}

func (s *speaker) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	ws, err := websocket.Accept(w, r, nil)
	if err != nil {
		return
	}
	defer ws.CloseNow()
	s.mu.Lock()
	s.visits++
	s.mu.Unlock()
	say := func(texts ...string) {
		for _, text := range texts {
			_ = ws.Write(r.Context(), websocket.MessageText, []byte(text))
		}
	}
	say(`{"type":"session.created","session":{"type":"transcription","audio":{}}}`)
	for {
		_, b, err := ws.Read(r.Context())
		if err != nil {
			return
		}
		var m struct{ Type string }
		if json.Unmarshal(b, &m) != nil {
			s.t.Errorf("no JSON: %.100q", b)
			return
		}
		say(s.on[m.Type]...)
	}
}

// messages are such as servers send, and some that make no sense.
var messages = []string{
	`{"type":"session.created","session":{"type":"transcription","audio":{"input":{}}}}`,
	`{"type":"session.created","id":"sess-1","created":1}`,
	`{"type":"session.created","session":{"input_audio_format":"pcm16"}}`,
	`{"type":"transcription.delta","delta":" two"}`,
	`{"type":"transcription.done","text":"one two","usage":{}}`,
	`{"type":"input_audio_buffer.committed","item_id":"a","previous_item_id":null}`,
	`{"type":"input_audio_buffer.partial_transcription","item_id":"a","transcript":"one"}`,
	`{"type":"conversation.item.input_audio_transcription.delta","item_id":"a","delta":"o"}`,
	`{"type":"conversation.item.input_audio_transcription.completed","item_id":"a","transcript":"one",` +
		`"languages":[{"code":"en"}]}`,
	`{"type":"conversation.item.input_audio_transcription.failed","item_id":"a","error":{"code":"x_y"}}`,
	`{"type":"error","error":"text","code":"processing_error"}`,
	`{"type":"error","error":{"type":"invalid_request_error","param":"a.language"}}`,
	`{"type":"error","error":{"code":7}}`,
	`{"type":1}`, `[]`, `null`, ``, `{"type":"transcription.done","text":{}}`,
}

// FuzzEvents makes utterances of sequences of messages: whatever they are, there is a bound on what
// is kept, and text never leaves an item that is done.
func FuzzEvents(f *testing.F) {
	for i := range messages {
		f.Add(messages[i], messages[(i+1)%len(messages)], messages[(i+5)%len(messages)])
	}
	f.Fuzz(func(t *testing.T, a, b, c string) {
		for variant, got := range realtime.HearForTest(a, b, c, b, c) {
			if len(got.Text) > 70<<10 || got.Items > 65 {
				t.Errorf("%s: %d bytes, %d items", variant, len(got.Text), got.Items)
			}
			if got.Finished && got.Err == nil && got.Items == 0 {
				t.Errorf("%s: a final of nothing", variant)
			}
		}
	})
}

// TestEvents reads messages one by one.
func TestEvents(t *testing.T) {
	done := `"conversation.item.input_audio_transcription.completed"`
	for text, want := range map[string]string{
		`{"type":"error","error":"the key sk-1","code":"not_validated"}`:           "errored not_validated",
		`{"type":"error","error":{"type":"invalid_request","message":"m"}}`:        "errored invalid_request",
		`{"type":"error","error":{"type":"t_t","code":"sk-secret 1","param":"a"}}`: "errored t_t a",
		`{"type":"error","error":{"type":"averyverylongwordthatmightbeakey"}}`:     "errored",
		`{"type":"transcription.done","text":" one"}`:                              "completed  one",
		`{"type":` + done + `,"transcript":"x","text":"y"}`:                        "completed x",
		`{"type":"transcription.delta","delta":5}`:                                 "delta",
		`{"type":"rate_limits.updated"}`:                                           "other",
		`{"typ":"x"}`:                                                              "none",
	} {
		if got := realtime.EventForTest(text); got != want {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
}
