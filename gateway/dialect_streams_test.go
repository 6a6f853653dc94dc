package gateway

import (
	"encoding/json"
	"testing"

	"github.com/coder/websocket"
)

// talkStreaming does what a client of AssemblyAI's streaming interface does.
func talkStreaming(query string) func(*testing.T, *testServer, []byte) []string {
	return func(t *testing.T, r *testServer, audio []byte) (texts []string) {
		s := callStreaming(t, r, "/v3/ws", query)
		s.speak(audio, `{"type":"Terminate"}`)
		for {
			m, code := s.hear()
			if code != 0 {
				return texts
			}
			if m.Ended && !m.Formatted {
				texts = append(texts, m.Transcript)
			}
		}
	}
}

// talkVosk does what a client of Vosk's server does.
func talkVosk(t *testing.T, r *testServer, audio []byte) (texts []string) {
	conn, _, err := websocket.Dial(t.Context(), r.http.URL+"/vosk?key="+testKey, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.CloseNow() })
	say(t, conn, `{"config":{"sample_rate":16000}}`)
	for last := false; !last; {
		if last = len(audio) == 0; last {
			say(t, conn, `{"eof" : 1}`)
		} else if err := conn.Write(t.Context(), websocket.MessageBinary, audio[:min(len(audio), 6400)]); err != nil {
			t.Fatal(err)
		}
		audio = audio[min(len(audio), 6400):]
		var a voskAnswer
		_, text, err := conn.Read(t.Context())
		if err != nil || json.Unmarshal(text, &a) != nil {
			t.Fatalf("%s, %v", text, err)
		}
		if a.Text != nil && *a.Text != "" {
			texts = append(texts, *a.Text)
		}
	}
	return texts
}

// talkWyoming does what a voice assistant does.
func talkWyoming(t *testing.T, r *testServer, audio []byte) []string {
	a := callPort(t, r, testKey)
	a.speak(audio)
	a.send("audio-stop", "{}", nil)
	events := a.until("transcript")
	return []string{events[len(events)-1].Data.Text}
}
