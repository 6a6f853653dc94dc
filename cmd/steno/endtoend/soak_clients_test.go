package endtoend_test

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/coder/websocket"
	"github.com/zaf/g711"

	"steno/audio/audiotest"
)

// soakClient is a kind of client that opens one session after the other, each with the same audio.
type soakClient struct {
	name  string
	rate  int  // of the audio
	ulaw  bool // it is mu-law
	path  func(ctx context.Context, g *gateway, key string) (string, error)
	first []string                 // messages before the audio
	frame func(audio []byte) any   // the message that carries audio: bytes or a text
	last  []string                 // messages after the audio
	final func(text []byte) string // the words of a message that is a final, else empty; nil: it is sent none
	over  func(text []byte) bool   // after such a message the client closes; nil: it awaits the close
}

// at is the path of clients that need no session made for them.
func at(path string) func(context.Context, *gateway, string) (string, error) {
	return func(_ context.Context, _ *gateway, key string) (string, error) {
		return strings.ReplaceAll(path, "KEY", key), nil
	}
}

// made has a session of the gateway's own made for it.
func made(ctx context.Context, g *gateway, key string) (string, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, g.url()+"/v2/live", strings.NewReader(
		`{"endpointing":0.3,"messages_config":{"receive_partial_transcripts":true}}`))
	if err != nil {
		return "", err
	}
	req.Header.Set("x-service-key", key)
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return "", err
	}
	defer resp.Body.Close()
	var session struct{ URL string }
	if err := json.NewDecoder(resp.Body).Decode(&session); err != nil || resp.StatusCode != http.StatusCreated {
		return "", fmt.Errorf("create: %d, %w", resp.StatusCode, err)
	}
	_, query, _ := strings.Cut(session.URL, "?")
	return "/v2/live?" + query, nil
}

func inBinary(audio []byte) any { return audio }

// inText is a message with audio in base64.
func inText(form string) func([]byte) any {
	return func(audio []byte) any { return fmt.Sprintf(form, base64.StdEncoding.EncodeToString(audio)) }
}

// heard is what messages of all dialects have of finals.
type heard struct {
	Type, Event, Transcript, Text string
	Final                         bool `json:"is_final"`
	Ended                         bool `json:"end_of_turn"`
	Formatted                     bool `json:"turn_is_formatted"`
	Channel                       struct {
		Alternatives []struct{ Transcript string }
	}
	Data struct {
		Final     bool `json:"is_final"`
		Utterance struct{ Text string }
	}
}

// finalOf reads a message.
func finalOf(words func(h heard) string) func([]byte) string {
	return func(text []byte) string {
		var h heard
		if json.Unmarshal(text, &h) != nil {
			return ""
		}
		return words(h)
	}
}

func only(yes bool, text string) string {
	if yes {
		return text
	}
	return ""
}

// soakClients are all kinds that speak over a WebSocket.
var soakClients = []soakClient{
	{name: "native", rate: 16000, path: made, frame: inBinary, last: []string{`{"type":"stop_recording"}`},
		final: finalOf(func(h heard) string { return only(h.Data.Final, h.Data.Utterance.Text) })},
	{name: "deepgram", rate: 16000,
		path:  at("/v1/listen?encoding=linear16&sample_rate=16000&endpointing=300&interim_results=true"),
		frame: inBinary, last: []string{`{"type":"CloseStream"}`},
		final: finalOf(func(h heard) string {
			if !h.Final || len(h.Channel.Alternatives) == 0 {
				return ""
			}
			return h.Channel.Alternatives[0].Transcript
		})},
	{name: "flux", rate: 16000, path: at("/v2/listen?model=flux-general-en&encoding=linear16&sample_rate=16000"),
		frame: inBinary, last: []string{`{"type":"CloseStream"}`},
		final: finalOf(func(h heard) string { return only(h.Event == "EndOfTurn", h.Transcript) })},
	{name: "assemblyai", rate: 16000, path: at("/v3/ws?sample_rate=16000"), frame: inBinary,
		last:  []string{`{"type":"Terminate"}`},
		final: finalOf(func(h heard) string { return only(h.Ended && !h.Formatted, h.Transcript) })},
	{name: "vosk", rate: 16000, path: at("/vosk?key=KEY"), first: []string{`{"config":{"sample_rate":16000}}`},
		frame: inBinary, last: []string{`{"eof" : 1}`}, final: finalOf(func(h heard) string { return h.Text })},
	{name: "openai realtime", rate: 24000, path: at("/v1/realtime?intent=transcription"), first: []string{
		`{"type":"session.update","session":{"type":"transcription","audio":{"input":{"format":{"type":"audio/pcm",
			"rate":24000},"transcription":{"model":"gpt-4o-transcribe","language":"en"},
			"turn_detection":{"type":"server_vad","silence_duration_ms":500}}}}}`},
		frame: inText(`{"type":"input_audio_buffer.append","audio":"%s"}`),
		last:  []string{`{"type":"input_audio_buffer.commit"}`},
		final: finalOf(func(h heard) string { return only(strings.HasSuffix(h.Type, "completed"), h.Transcript) }),
		over: func(text []byte) bool {
			return bytes.Contains(text, []byte("transcription.completed")) &&
				bytes.Contains(text, []byte(`"transcript":""`))
		}},
	{name: "twilio", rate: 8000, ulaw: true, path: at("/twilio/KEY"), first: []string{
		`{"event":"connected","protocol":"Call","version":"1.0.0"}`,
		`{"event":"start","sequenceNumber":"1","start":{"accountSid":"AC7","streamSid":"MZ7","callSid":"CA7",
			"tracks":["inbound"],"customParameters":{},"mediaFormat":{"encoding":"audio/x-mulaw","sampleRate":8000,
			"channels":1}},"streamSid":"MZ7"}`},
		frame: inText(`{"event":"media","media":{"track":"inbound","payload":"%s"},"streamSid":"MZ7"}`),
		last:  []string{`{"event":"stop","streamSid":"MZ7","stop":{"accountSid":"AC7","callSid":"CA7"}}`}},
	{name: "telnyx", rate: 8000, ulaw: true, path: at("/telnyx/KEY"), first: []string{
		`{"event":"connected","version":"1.0.0"}`,
		`{"event":"start","sequence_number":"1","stream_id":"s7","start":{"user_id":"u","call_control_id":"v3:7",
			"media_format":{"encoding":"PCMU","sample_rate":8000,"channels":1}}}`},
		frame: inText(`{"event":"media","stream_id":"s7","media":{"track":"inbound","payload":"%s"}}`),
		last:  []string{`{"event":"stop","stream_id":"s7","stop":{"call_control_id":"v3:7"}}`}},
}

// audio is the speech of the clients of a kind.
func (c soakClient) audio() []byte {
	pcm := append(audiotest.Speech(5, 3), make([]byte, 2*16000)...)
	if c.rate != 16000 {
		pcm = audiotest.Resample(pcm, c.rate)
	}
	if c.ulaw {
		return g711.EncodeUlaw(pcm)
	}
	return pcm
}

// converse is one session of a client, at four times the pace of speech. It returns the words that
// it has heard. A session whose connection ends otherwise than it should is an error.
func (c soakClient) converse(ctx context.Context, g *gateway, key string) (string, error) {
	conn, err := c.dial(ctx, g, key)
	if err != nil {
		return "", err
	}
	defer func() { _ = conn.CloseNow() }()
	sent := make(chan error, 1)
	go func() { sent <- c.speak(ctx, conn) }()
	words, err := c.listen(ctx, conn)
	if err != nil {
		_ = conn.CloseNow()
	}
	if failed := <-sent; err == nil && failed != nil {
		err = failed
	}
	return words, err
}

// dial connects a client.
func (c soakClient) dial(ctx context.Context, g *gateway, key string) (*websocket.Conn, error) {
	path, err := c.path(ctx, g, key)
	if err != nil {
		return nil, err
	}
	conn, resp, err := websocket.Dial(ctx, "ws"+strings.TrimPrefix(g.url(), "http")+path, &websocket.DialOptions{
		HTTPHeader: http.Header{"Authorization": {c.scheme() + key}}})
	if err != nil {
		if resp != nil {
			err = fmt.Errorf("refused with %d: %w", resp.StatusCode, err)
		}
		return nil, err
	}
	conn.SetReadLimit(-1)
	return conn, nil
}

// scheme is what precedes the key in the header Authorization.
func (c soakClient) scheme() string {
	switch c.name {
	case "deepgram", "flux":
		return "Token "
	case "assemblyai":
		return ""
	}
	return "Bearer "
}

func (c soakClient) speak(ctx context.Context, conn *websocket.Conn) error {
	const piece = 100 * time.Millisecond
	if err := say(ctx, conn, c.first); err != nil {
		return err
	}
	for _, m := range c.frames(piece) {
		if err := conn.Write(ctx, m.kind, m.data); err != nil {
			return err
		}
		time.Sleep(piece / 4)
	}
	return say(ctx, conn, c.last)
}

func say(ctx context.Context, conn *websocket.Conn, texts []string) error {
	for _, text := range texts {
		if err := conn.Write(ctx, websocket.MessageText, []byte(text)); err != nil {
			return err
		}
	}
	return nil
}

// soakMessage is a message to the gateway.
type soakMessage struct {
	kind websocket.MessageType
	data []byte
}

// frames are the messages with the audio of a client, each of so much of it.
func (c soakClient) frames(lasts time.Duration) (all []soakMessage) {
	n := int(lasts.Milliseconds()) * c.rate / 1000 * 2
	if c.ulaw {
		n /= 2
	}
	for part := range slices.Chunk(c.audio(), n) {
		switch m := c.frame(part).(type) {
		case string:
			all = append(all, soakMessage{websocket.MessageText, []byte(m)})
		case []byte:
			all = append(all, soakMessage{websocket.MessageBinary, m})
		}
	}
	return all
}

// listen reads to the end, and returns the words of all finals.
func (c soakClient) listen(ctx context.Context, conn *websocket.Conn) (string, error) {
	var words []string
	for {
		_, text, err := conn.Read(ctx)
		if websocket.CloseStatus(err) == websocket.StatusNormalClosure {
			return strings.Join(words, " "), nil
		}
		if err != nil {
			return "", err
		}
		if c.final != nil {
			words = append(words, strings.Fields(c.final(text))...)
		}
		if c.over != nil && c.over(text) {
			return strings.Join(words, " "), conn.Close(websocket.StatusNormalClosure, "")
		}
	}
}
