package gateway

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"steno/gateway/dialect"
	"steno/gateway/dialect/registry"
	"steno/messages"
	"steno/session"
	"steno/session/asr"
	"steno/session/asr/scripted"
)

// sessionInput writes the audio that a parser finds to a session.
type sessionInput struct {
	session *session.Session
	b       *testing.B
}

func (s *sessionInput) Audio(p []byte) {
	if s.session == nil {
		return
	}
	if err := s.session.Write(s.b.Context(), p); err != nil {
		s.b.Fatal(err)
	}
}
func (*sessionInput) EndAudio()              {}
func (*sessionInput) KeepAlive()             {}
func (*sessionInput) Mark(messages.Mark)     {}
func (*sessionInput) Update(messages.Update) {}
func (*sessionInput) Answer([]byte)          {}
func (*sessionInput) Stop()                  {}
func (*sessionInput) Reject(error)           {}
func (*sessionInput) End(dialect.Ending)     {}

// measured is a dialect whose parser is measured, by an address of it.
type measured struct {
	path    string
	request string   // of the session that its audio is for
	first   []string // messages before the audio
	bytes   int      // of a frame of 20 ms
	// frame returns the nth message with a frame; nil: it is binary, and the frame itself.
	frame func(n int, base64 string) string
}

// Requests of the formats that the measured dialects have.
const (
	measuredWide  = `{"endpointing":0.3}`
	measuredCalls = `{"encoding":"wav/ulaw","sample_rate":8000}`
)

var measuredDialects = map[string]measured{
	"openai": {"/v1/realtime", `{"sample_rate":24000,"endpointing":0.3}`, nil, 960, func(_ int, audio string) string {
		return `{"type":"input_audio_buffer.append","audio":"` + audio + `"}`
	}},
	"assemblyai": {"/v3/ws?sample_rate=16000", measuredWide, nil, 640, nil},
	"deepgram":   {"/v1/listen?encoding=linear16&sample_rate=16000", measuredWide, nil, 640, nil},
	"flux":       {"/v2/listen?encoding=linear16&sample_rate=16000", measuredWide, nil, 640, nil},
	"vosk":       {"/vosk", measuredWide, nil, 640, nil},
	"wyoming":    {"wyoming", measuredWide, nil, 640, nil},
	"vonage":     {"/vonage", measuredWide, []string{`{"content-type":"audio/l16;rate=16000"}`}, 640, nil},
	"twilio": {"/twilio", measuredCalls, []string{twilioCall("", nil)[1].(string)}, 160,
		func(n int, audio string) string {
			return fmt.Sprintf(`{"event":"media","sequenceNumber":"%d","media":{"track":"inbound","chunk":"%d",`+
				`"timestamp":"%d","payload":"%s"},"streamSid":"MZ7"}`, n+2, n+1, 20*n+60, audio)
		}},
	"telnyx": {"/telnyx", measuredCalls, []string{`{"event":"start","start":{"media_format":{"encoding":"PCMU",
		"sample_rate":8000}}}`}, 160, func(n int, audio string) string {
		return fmt.Sprintf(`{"event":"media","sequence_number":"%d","stream_id":"s7","media":{"track":"inbound",`+
			`"chunk":"%d","timestamp":"%d","payload":"%s"}}`, n+2, n+1, 20*n, audio)
	}},
}

// parser returns the parser of a client that has begun.
func (m measured) parser(b *testing.B) dialect.Parser {
	path, _, _ := strings.Cut(m.path, "?")
	all := registry.All()
	i := slices.IndexFunc(all, func(d dialect.Dialect) bool { return d.Name == path || slices.Contains(d.Paths, path) })
	if path == "wyoming" {
		m.path = "/?settings=" + `{"format":{"rate":16000,"width":2,"channels":1}}`
	}
	o, err := all[i].Open(httptest.NewRequest(http.MethodGet, m.path, nil))
	if err != nil {
		b.Fatal(err)
	}
	for _, text := range m.first {
		if _, err := o.Listen(dialect.Message{Data: []byte(text)}); err != nil {
			b.Fatal(err)
		}
	}
	return o.Parser
}

// run has a parser read messages, and returns how long that took.
func (m measured) run(b *testing.B, frames [][]byte, to *sessionInput) time.Duration {
	p, buf := m.parser(b), make([]byte, 4<<10)
	binary, _ := p.(dialect.BinaryParser)
	var spent time.Duration
	for n := range b.N {
		text := frames[n%len(frames)]
		if m.frame != nil {
			text = []byte(m.frame(n, string(text))) // with its number
		}
		copied := buf[:copy(buf, text)]
		began := time.Now()
		switch {
		case m.frame != nil:
			p.Text(copied, to)
		case binary != nil:
			binary.Binary(copied, true, to)
		default: // the reader of all dialects hands it on
			to.Audio(copied)
			to.EndAudio()
		}
		spent += time.Since(began)
	}
	return spent
}

// BenchmarkDialectShare reports which share of the processor's time for a frame of 20 ms its
// dialect takes: reading its message, as against that and the session with its journal, detector
// and a recognizer that costs nothing.
func BenchmarkDialectShare(b *testing.B) {
	for name, m := range measuredDialects {
		b.Run(name, func(b *testing.B) { m.share(b) })
	}
}

func (m measured) share(b *testing.B) {
	request, fault := messages.ParseLive([]byte(m.request))
	if fault != nil {
		b.Fatal(fault)
	}
	s, err := session.Open(b.Context(), session.Config{
		ID: "bench", Request: request, Ledger: &session.Memory{NoAudio: true}, Priority: asr.Live,
		Recognizer: scripted.New(scripted.Config{}), MaxAudio: 1000 * time.Hour,
	})
	if err != nil {
		b.Fatal(err)
	}
	defer s.Abandon()
	audio := speech(9, 3)
	switch m.bytes {
	case 960:
		audio = resampled(audio, 24000)
	case 160:
		audio = muLaw(audio)
	}
	var frames [][]byte
	for frame := range slices.Chunk(audio, m.bytes) {
		if m.frame != nil {
			frame = []byte(base64.StdEncoding.EncodeToString(frame))
		}
		frames = append(frames, bytes.Clone(frame))
	}
	b.ResetTimer()
	own := m.run(b, frames, &sessionInput{})
	whole := m.run(b, frames, &sessionInput{session: s, b: b})
	b.ReportMetric(100*own.Seconds()/whole.Seconds(), "%adapter")
	b.ReportMetric(float64(own.Nanoseconds())/float64(b.N), "ns/adapter")
}
