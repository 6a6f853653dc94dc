package gateway

import (
	"encoding/base64"
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"github.com/coder/websocket"
)

// plugin is a client that speaks live as a service's plugin of a framework for voice agents does:
// with its address, its messages around the audio, and what it waits for at the end.
type plugin struct {
	name, path, key string
	first           []string // messages, before the audio
	last            []string // likewise after it
	await           []string // what texts have, in this order
	base64          bool     // audio comes as OpenAI has it
}

var plugins = []plugin{
	{"LiveKit's of OpenAI", "/v1/realtime?intent=transcription&model=gpt-4o-mini-transcribe", "Bearer " + testKey,
		[]string{`{"type":"session.update","session":{"type":"transcription","audio":{"input":{"format":{"rate":24000,
			"type":"audio/pcm"},"noise_reduction":null,
			"transcription":{"model":"gpt-4o-mini-transcribe","language":"en"},
			"turn_detection":{"type":"server_vad","threshold":0.5,"prefix_padding_ms":600,
				"silence_duration_ms":350}}}}}`},
		nil, []string{`"session.created"`, `"session.updated"`, `speech_started"`, `transcription.delta"`,
			`transcription.completed"`}, true},
	{"pipecat's of OpenAI", "/v1/realtime?intent=transcription", "Bearer " + testKey,
		[]string{`{"type":"session.update","session":{"type":"transcription","audio":{"input":{"format":
			{"type":"audio/pcm","rate":24000},"transcription":{"model":"gpt-4o-transcribe","language":"en"},
			"turn_detection":null}}}}`},
		[]string{`{"type":"input_audio_buffer.commit"}`}, []string{`"session.created"`, `"session.updated"`,
			`input_audio_buffer.committed"`, `transcription.completed"`}, true},
	{"LiveKit's of Deepgram", "/v1/listen?model=nova-3&punctuate=true&smart_format=false&no_delay=true" +
		"&interim_results=true&encoding=linear16&vad_events=true&sample_rate=16000&channels=1&endpointing=25" +
		"&filler_words=true&profanity_filter=false&numerals=false&mip_opt_out=false&language=en-US", "Token " + testKey,
		[]string{`{"type":"KeepAlive"}`},
		[]string{`{"type":"Finalize"}`, `{"type":"Finalize"}`, `{"type":"CloseStream"}`},
		[]string{`"SpeechStarted"`, `"is_final":true`, `"from_finalize":true`, `"from_finalize":true`, `"Metadata"`,
			""}, false},
	{"pipecat's of Deepgram", "/v1/listen?channels=1&encoding=linear16&interim_results=true&language=en" +
		"&model=nova-3-general&profanity_filter=true&punctuate=true&sample_rate=16000&smart_format=false",
		"Token " + testKey, []string{`{"type":"KeepAlive"}`}, []string{`{"type":"Finalize"}`, `{"type":"CloseStream"}`},
		[]string{`"Results"`, `"from_finalize":true`, `"Metadata"`, ""}, false},
	{"LiveKit's of Flux", "/v2/listen?model=flux-general-en&sample_rate=16000&encoding=linear16&mip_opt_out=false",
		"Token " + testKey, nil, []string{`{"type":"CloseStream"}`},
		[]string{`"Connected"`, `"StartOfTurn"`, `"EndOfTurn"`, ""}, false},
	{"LiveKit's of AssemblyAI", "/v3/ws?sample_rate=16000&encoding=pcm_s16le&min_turn_silence=100" +
		"&speech_model=universal-streaming-english&language_detection=false&format_turns=true", testKey,
		nil, []string{`{"type":"Terminate"}`},
		[]string{`"Begin"`, `"turn_is_formatted":true`, `"Termination"`, ""}, false},
	{"pipecat's of AssemblyAI", "/v3/ws?sample_rate=16000&encoding=pcm_s16le&speech_model=u3-rt-pro" +
		"&formatted_finals=true&min_turn_silence=100&format_turns=true&language_detection=true", testKey,
		nil, []string{`{"type":"ForceEndpoint"}`, `{"type":"Terminate"}`},
		[]string{`"Begin"`, `"end_of_turn":true`, `"Termination"`, ""}, false},
}

// speak sends audio in messages of 50 ms.
func (p plugin) speak(t *testing.T, conn *websocket.Conn) {
	t.Helper()
	audio := append(speech(3, 2), make([]byte, 32000)...)
	kind, size := websocket.MessageBinary, 1600
	if p.base64 {
		audio, kind, size = resampled(audio, 24000), websocket.MessageText, 2400
	}
	for len(audio) > 0 {
		n := min(len(audio), size)
		data := audio[:n]
		if p.base64 {
			text := base64.StdEncoding.EncodeToString(data)
			data = []byte(`{"type":"input_audio_buffer.append","audio":"` + text + `"}`)
		}
		if err := conn.Write(t.Context(), kind, data); err != nil {
			t.Fatalf("%s: %v", p.name, err)
		}
		audio = audio[n:]
	}
}

// TestPluginsSpeak has the plugins of frameworks for voice agents get what they wait for. None of
// them may be sent an error: some end their stream for good then.
func TestPluginsSpeak(t *testing.T) {
	r := newTestServer(t, nil)
	for _, p := range plugins {
		conn, _, err := websocket.Dial(t.Context(), r.http.URL+p.path, &websocket.DialOptions{
			HTTPHeader: http.Header{"Authorization": {p.key}},
		})
		if err != nil {
			t.Errorf("%s: %v", p.name, err)
			continue
		}
		conn.SetReadLimit(1 << 20)
		say(t, conn, p.first...)
		p.speak(t, conn)
		say(t, conn, p.last...)
		for _, want := range p.await {
			for text := "-"; !strings.Contains(text, want) || want == ""; {
				_, data, err := conn.Read(t.Context())
				if text = string(data); err != nil {
					if want != "" || websocket.CloseStatus(err) != 1000 {
						t.Errorf("%s: %v instead of %s", p.name, err, want)
					}
					break
				}
				if strings.Contains(text, `"type":"error"`) || strings.Contains(text, `"type":"Error"`) {
					t.Errorf("%s: is sent %s", p.name, text)
				}
			}
		}
		_ = conn.CloseNow()
	}
}

// Open WebUI sends a form whose file comes last, as octets, or JSON with the file in it.
func TestOpenWebUISends(t *testing.T) {
	r := recordedServer(t, nil)
	file := wavOf(speech(3, 2), 16000, 1)
	inside := `{"model":"whisper-1","language":"en","input_audio":{"format":"wav","data":"` +
		base64.StdEncoding.EncodeToString(file) + `"}}`
	var texts []string
	for _, a := range []answer{
		r.openAI("/v1/audio/transcriptions", file, "model", "whisper-1", "language", "en"), // its file comes last
		r.do("POST", "/v1/audio/transcriptions", inside, "Content-Type", "application/json", "x-service-key", "",
			"Authorization", "Bearer "+testKey),
	} {
		var answer struct{ Text string }
		if err := json.Unmarshal(a.body, &answer); err != nil || a.status != 200 || answer.Text == "" {
			t.Errorf("%d %s", a.status, a.body)
		}
		texts = append(texts, answer.Text)
	}
	if texts[0] != texts[1] {
		t.Errorf("texts %q", texts)
	}
}

// Home Assistant connects once to learn which models there are, and once for each utterance, whose
// connection it closes when it has the transcript.
func TestHomeAssistantSpeaks(t *testing.T) {
	r := newTestServer(t, nil)
	first := callPort(t, r, testKey)
	address := first.conn.RemoteAddr()
	first.send("describe", "", nil)
	if info := first.until("info")[0]; len(info.Data.ASR) == 0 || len(info.Data.ASR[0].Models) == 0 {
		t.Errorf("%+v", info)
	}
	_ = first.conn.Close()
	for range 2 {
		a := dialPort(t, address.String())
		a.send("transcribe", `{"language":"en"}`, nil)
		a.speak(speech(3, 2))
		a.send("audio-stop", `{"timestamp":3000}`, nil)
		events := a.until("transcript")
		if text := events[len(events)-1].Data.Text; text == "" {
			t.Errorf("%+v", events)
		}
		_ = a.conn.Close()
	}
}
