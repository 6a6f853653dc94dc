package gladia

import (
	"bytes"
	"encoding/base64"
	"errors"
	"strings"
	"testing"
)

// streamed reads a text in pieces of a size.
func streamed(text string, limit, size int) (m Message, audio []byte, s *Stream, err error) {
	s = NewStream(limit, func(p []byte) { audio = append(audio, p...) })
	for rest := []byte(text); len(rest) > 0; {
		n := min(max(size, 1), len(rest))
		if err := s.Write(rest[:n]); err != nil {
			return m, audio, s, err
		}
		rest = rest[n:]
	}
	m, err = s.End()
	return m, audio, s, err
}

// Audio of any length is decoded within a bound, whatever the order of the keys, and is what was
// encoded.
func TestLongChunkIsGivenOn(t *testing.T) {
	audio := bytes.Repeat([]byte("steno\x00\xff"), 1<<17)
	chunk := base64.StdEncoding.EncodeToString(audio)
	lines := strings.ReplaceAll(chunk[:1<<19], "c3Rl", `c3\/l\r\n`) + chunk[1<<19:]
	for name, tc := range map[string]struct {
		text  string
		limit int
	}{
		"type first": {`{"type":"audio_chunk","data":{"chunk":"` + chunk + `"}}`, 64},
		"data first": {`{"data":{"chunk":"` + chunk + `"},"type":"audio_chunk"}`, 1 << 20},
		"among more": {` {"a":[{"data":{"chunk":"x"}}], "type" : "audio_chun\u006b", "data": {"n":{"chunk":"x"},"CHUNK" :"` + chunk + `"}, "z":1 } `, 200},
		"not at root": {`{"type":"audio_chunk","x":{"data":{"chunk":"` + chunk[:80] + `"}},"data":{"chunk":"` + chunk +
			`"}}`, 200},
	} {
		for _, size := range []int{1 << 10, 64 << 10, 1 << 24} {
			m, got, s, err := streamed(tc.text, tc.limit, size)
			if err != nil || m.Kind != KindAudio || m.Audio != nil || !bytes.Equal(got, audio) ||
				s.Kept() > tc.limit+1 {
				t.Errorf("%s: kind %d, %d of %d bytes, %d kept, %v", name, m.Kind, len(got), len(audio), s.Kept(), err)
			}
		}
	}
	_, got, _, err := streamed(`{"type":"audio_chunk","data":{"chunk":"`+lines+`"}}`, 64, 1000)
	want, general := parseGeneral([]byte(`{"type":"audio_chunk","data":{"chunk":"` + lines + `"}}`))
	if err != nil || general != nil || !bytes.Equal(got, want.Audio) {
		t.Errorf("escaped and in lines: %d bytes, want %d: %v, %v", len(got), len(want.Audio), err, general)
	}
}

func TestStreamBounds(t *testing.T) {
	long := strings.Repeat("QUJD", 1000)
	for _, tc := range []struct {
		text string
		want error
	}{
		{`{"type":"audio_chunk","x":"` + long + `"}`, ErrTextTooBig},
		{`{"type":"stop_recording","data":{"chunk":"` + long + `"}}`, ErrTextTooBig},
		{`{"data":{"x":"` + long + `"}}`, ErrTextTooBig},
		{`{"data":[{"chunk":"` + long + `"}]}`, ErrTextTooBig},
		{strings.Repeat(" ", 4000), ErrTextTooBig},
		{`{"type":"audio_chunk","data":{"chunk":"` + long + `"},"data":{"chunk":"` + long + `"}}`, ErrTextTooBig},
		{`{"type":"audio_chunk","data":{"chunk":"` + long + `"},"data":{"chunk":"QUJD"}}`, errTwice},
		{`{"type":"audio_chunk","data":{"chunk":"` + long + `"},"data":{"chunk":""}}`, errTwice},
		{`{"type":"audio_chunk","data":{"chunk":"` + long + `"},"type":"stop_recording"}`, errTwice},
		{`{"type":"audio_chunk","data":{"chunk":"` + long + `"},"data":{}}`, ErrNoChunk},
		{`{"type":"audio_chunk","data":{"chunk":"` + long + `"}`, ErrNotJSON},
		{`{"type":"audio_chunk","data":{"chunk":"` + long, ErrNotJSON},
		{`{"type":"audio_chunk","data":{"chunk":"` + long + "\n\"}}", ErrNotJSON},
		{`{"type":"audio_chunk","data":{"chunk":"` + long + `\x"}}`, ErrNotJSON},
		{`{"type":"audio_chunk","data":{"chunk":"` + long + `Q"}}`, ErrNotBase64},
		{`{"type":"audio_chunk","data":{"chunk":"` + long + `=QUJD"}}`, ErrNotBase64},
		{`{"type":"audio_chunk","data":{"chunk":"` + long + `é"}}`, ErrNotBase64},
		{`{"data":{"chunk":"` + long + `"},"type":"hello"}`, errors.New(`unknown message type "hello"`)},
		{`{"type":"audio_chunk","data":{"chunk":""}}`, nil},
	} {
		if _, _, _, err := streamed(tc.text, 1000, 100); err == nil && tc.want != nil || err != nil &&
			(tc.want == nil || err.Error() != tc.want.Error()) {
			t.Errorf("%.60s: %v, want %v", tc.text, err, tc.want)
		}
	}
	if m, _, _, err := streamed(`{"type":"audio_chunk","data":{"chunk":""}}`, 1000, 100); err != nil ||
		m.Kind != KindKeepAlive {
		t.Errorf("keep-alive: kind %d, %v", m.Kind, err)
	}
}

// FuzzStream holds the reader of pieces against encoding/json: what both take, both take
// alike, and it takes nothing else.
func FuzzStream(f *testing.F) {
	for _, text := range []string{
		`{"type":"audio_chunk","data":{"chunk":"QUL//g=="}}`, `{"data":{"chunk":"QUJD"},"type":"audio_chunk"}`,
		`{"type":"stop_recording"}`, `{"type":"audio_chunk","data":{"chunk":"QQ\n=="}}`, `{"type":"\ud800"}`,
		"{\"type\":\"\xff\"}",
		`{"type":"audio_chunk","data":{"chunk":"Q\/\u0051="}} `, `{"type":{"type":"a"}}`,
		`{"data":{"chunk":"QQ"},"data":{"chunk":"QQ"}}`,
		`{"TYPE":"audio_chunk","data":{"x":[1,{}],"Chunk":"QUI"}}`,
		`{"type":"audio_chunk","data":{"chunk":"QUJD"},"data":null}`, `}}{"`,
	} {
		f.Add([]byte(text), 8, 3)
		f.Add([]byte(text), 60, 1)
	}
	f.Fuzz(func(t *testing.T, text []byte, limit, size int) {
		limit = max(0, min(limit, 1<<20))
		want, fault := parseGeneral(bytes.Clone(text))
		got, audio, s, err := streamed(string(text), limit, size)
		if s.Kept() > limit+3 {
			t.Errorf("%d bytes kept, the limit is %d", s.Kept(), limit)
		}
		switch {
		case errors.Is(err, ErrTextTooBig):
			if len(text) <= limit {
				t.Errorf("too big: %d bytes", len(text))
			}
		case err != nil:
			if fault == nil && !errors.Is(err, errTwice) {
				t.Errorf("%q: %v", text, err)
			}
		case fault != nil:
			t.Errorf("took %q: %v", text, fault)
		case got.Kind != want.Kind || !bytes.Equal(append(audio, got.Audio...), want.Audio):
			t.Errorf("%q: %v %q, want %v", text, got, audio, want)
		}
	})
}
