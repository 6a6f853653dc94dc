package gateway

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/coder/websocket"
)

// fluxEvent is a message of Deepgram's live interface, version 2.
type fluxEvent struct {
	Type       string
	Event      string
	Request    string   `json:"request_id"`
	Sequence   *int     `json:"sequence_id"`
	Turn       *int     `json:"turn_index"`
	Start      *float64 `json:"audio_window_start"`
	End        *float64 `json:"audio_window_end"`
	Sure       *float64 `json:"end_of_turn_confidence"`
	Transcript *string
	Words      []struct {
		Word       string
		Confidence *float64
	}
	Thresholds map[string]float64
	Keyterms   []string
}

// dialFlux connects a client, and returns what reads its next message.
func dialFlux(t *testing.T, r *testServer, query string) (*deepgramClient, func() (fluxEvent, int)) {
	t.Helper()
	c := dialDeepgram(t, r, "/v2/listen?"+query)
	sequence := 0
	return c, func() (e fluxEvent, code int) {
		_, text, err := c.conn.Read(t.Context())
		if err != nil {
			return e, int(websocket.CloseStatus(err))
		}
		if err := json.Unmarshal(text, &e); err != nil || e.Request == "" || e.Sequence == nil ||
			*e.Sequence != sequence {
			t.Errorf("message %d: %s, %v", sequence, text, err)
		}
		sequence++
		return e, 0
	}
}

// talkFlux is a client that listens to turns, which checks their order.
func talkFlux(t *testing.T, r *testServer, audio []byte) (ends []string) {
	c, next := dialFlux(t, r, "model=flux-general-en&language_hint=en&encoding=linear16&sample_rate=16000"+
		"&eager_eot_threshold=0.3")
	if e, _ := next(); e.Type != "Connected" {
		t.Errorf("greeted with %+v", e)
	}
	c.speak(audio, 2560)
	say(t, c.conn, `{"type":"CloseStream"}`)
	turn, last := 0, ""
	var eager string
	for {
		e, code := next()
		if code != 0 {
			if code != 1000 || last != "" && last != "EndOfTurn" {
				t.Errorf("closed with %d after %s", code, last)
			}
			return ends
		}
		if e.Type != "TurnInfo" || e.Turn == nil || *e.Turn != turn || len(e.Words) == 0 || e.Transcript == nil ||
			e.Sure == nil || e.Start == nil || e.End == nil || *e.End < *e.Start || e.Words[0].Confidence == nil {
			t.Errorf("in turn %d: %+v", turn, e)
			continue
		}
		begun := last != "" && last != "EndOfTurn"
		switch {
		case (e.Event == "StartOfTurn") == begun,
			(e.Event == "TurnResumed") != (eager != "") && e.Event != "EndOfTurn",
			e.Event == "EndOfTurn" && eager != "" && eager != *e.Transcript:
			t.Errorf("%s %q after %s %q", e.Event, *e.Transcript, last, eager)
		}
		eager = ""
		switch last = e.Event; e.Event {
		case "EagerEndOfTurn":
			eager = *e.Transcript
		case "EndOfTurn":
			ends = append(ends, *e.Transcript)
			turn++
		}
	}
}

// TestFlux has turns end early, and these ends taken back; and turns that are ended by hand.
func TestFlux(t *testing.T) {
	r := newTestServer(t, nil)
	c, next := dialFlux(t, r, "encoding=linear16&sample_rate=16000&eot_threshold=0.9&eager_eot_threshold=0.1")
	counts := map[string]int{}
	until := func(kind string) fluxEvent {
		for {
			e, code := next()
			if code != 0 {
				t.Fatalf("closed with %d after %v, before %s", code, counts, kind)
			}
			if counts[e.Type+e.Event]++; e.Type+e.Event == kind {
				return e
			}
		}
	}
	c.speak(speech(2, 2), 2560)
	until("TurnInfoStartOfTurn")
	c.speak(make([]byte, 16000), 2560) // longer than the early silence, shorter than that of an end
	until("TurnInfoEagerEndOfTurn")
	c.speak(speech(2, 2), 2560)
	until("TurnInfoTurnResumed")
	until("TurnInfoUpdate")
	say(t, c.conn, `{"type":"ForceEndTurn"}`)
	until("TurnInfoEndOfTurn")
	say(t, c.conn, `{"type":"Configure","thresholds":{"eot_threshold":0.5,"eager_eot_threshold":0.4},"keyterms":["x"]}`)
	if e := until("ConfigureSuccess"); e.Thresholds["eot_threshold"] != 0.5 || e.Thresholds["eot_timeout_ms"] != 5000 ||
		strings.Join(e.Keyterms, "") != "x" {
		t.Errorf("%+v", e)
	}
	for _, wrong := range []string{`{"eot_threshold":2}`, `{"eager_eot_threshold":0.9}`, `"much"`} {
		say(t, c.conn, `{"type":"Configure","thresholds":`+wrong+`}`)
		until("ConfigureFailure")
	}
	say(t, c.conn, `nonsense`)
	until("Warning")
	c.speak(speech(3, 2), 2560)
	say(t, c.conn, `{"type":"ForceEndTurn"}`)
	e := until("TurnInfoEndOfTurn")
	if *e.Sure != 0.5 || *e.Turn < 1 {
		t.Errorf("%+v", e)
	}
}
