package gateway

import (
	"encoding/base64"
	"net/http"
	"net/http/httptest"
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

// realtimeParser returns the parser of a client of OpenAI's realtime interface.
func realtimeParser(b *testing.B) dialect.Parser {
	for _, d := range registry.All() {
		for _, path := range d.Paths {
			if path != "/v1/realtime" {
				continue
			}
			o, err := d.Open(httptest.NewRequest(http.MethodGet, path, nil))
			if err != nil {
				b.Fatal(err)
			}
			return o.Parser
		}
	}
	b.Fatal("no such dialect")
	return nil
}

// BenchmarkDialectShare reports which share of the processor's time for a frame of 20 ms its
// dialect takes: reading its message, as against that and the session with its journal, detector
// and a recognizer that costs nothing.
func BenchmarkDialectShare(b *testing.B) {
	request, fault := messages.ParseLive([]byte(`{"sample_rate":24000,"endpointing":0.3}`))
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
	const frame = 960 // bytes
	audio := resampled(speech(9, 3), 24000)
	var texts [][]byte
	for at := 0; at+frame <= len(audio); at += frame {
		texts = append(texts, []byte(`{"type":"input_audio_buffer.append","audio":"`+
			base64.StdEncoding.EncodeToString(audio[at:at+frame])+`"}`))
	}
	p, buf := realtimeParser(b), make([]byte, 4<<10)
	run := func(to *sessionInput) time.Duration {
		began := time.Now()
		for i := range b.N {
			p.Text(buf[:copy(buf, texts[i%len(texts)])], to)
		}
		return time.Since(began)
	}
	own := run(&sessionInput{})
	whole := run(&sessionInput{session: s, b: b})
	b.ReportMetric(100*own.Seconds()/whole.Seconds(), "%adapter")
	b.ReportMetric(float64(own.Nanoseconds())/float64(b.N), "ns/adapter")
}
