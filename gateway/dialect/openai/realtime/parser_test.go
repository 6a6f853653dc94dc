package realtime

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"steno/gateway/dialect"
	"steno/messages"
)

// asked writes down what a parser asks for.
type asked struct {
	audio   []byte
	ended   int
	marks   []messages.Mark
	updates int
	answers []string
}

func (a *asked) Audio(p []byte)         { a.audio = append(a.audio, p...) }
func (a *asked) EndAudio()              { a.ended++ }
func (a *asked) KeepAlive()             {}
func (a *asked) Mark(m messages.Mark)   { a.marks = append(a.marks, m) }
func (a *asked) Update(messages.Update) { a.updates++ }
func (a *asked) Answer(text []byte)     { a.answers = append(a.answers, string(text)) }
func (a *asked) Stop()                  {}
func (a *asked) Reject(error)           {}
func (a *asked) End(dialect.Ending)     {}
func newParser() *parser                { return &parser{conversation: &conversation{id: "s", settings: defaults()}} }
func base64Of(n int) (p []byte, s string) {
	p = bytes.Repeat([]byte{1, 2, 250}, n)
	return p, base64.StdEncoding.EncodeToString(p)
}

// Audio is taken whatever way a message that appends it is written.
func TestAppend(t *testing.T) {
	raw, text := base64Of(7)
	for _, m := range []string{
		`{"type":"input_audio_buffer.append","audio":"%s"}`,
		`{"audio": "%s", "type": "input_audio_buffer.append"}`,
		` { "event_id" : "e" , "type":"input_audio_buffer.append" , "audio" : "%s" } `,
		`{"type":"input_audio_buffer.append","other":[1],"audio":"%s"}`,
		`{"type":"input_audio_buffer\u002eappend","audio":"%s"}`,
	} {
		for _, encoded := range []string{text, strings.TrimRight(text, "="), strings.ReplaceAll(text, "/", `\/`)} {
			var a asked
			p := newParser()
			p.Text(fmt.Appendf(nil, m, encoded), &a)
			if !bytes.Equal(a.audio, raw) || a.ended != 1 || p.heard != len(raw) || len(a.answers) > 0 {
				t.Errorf("%s: %+v", m, a)
			}
		}
	}
}

// Every other message is answered, or asks for something.
func TestMessages(t *testing.T) {
	const nested = `{"type":"session.update","session":{"audio":{"input":{`
	for _, c := range [][2]string{
		{`{"type":"input_audio_buffer.append"}`, `"param":"audio"`},
		{`{"type":"input_audio_buffer.append","audio":"%%%"}`, `base64`},
		{`{"type":"response.cancel","event_id":"mine"}`, `"event_id":"mine"`},
		{`{"type":"response.create"}`, `response.create`},
		{`nonsense`, `JSON`},
		{`{"type":"session.update","session":{"type":"realtime"}}`, `session.type`},
		{`{"type":"session.update"}`, `must be an object`},
		{`{"type":"session.update","session":{"type":"transcription"}}`, `session.updated`},
		{`{"type":"transcription_session.update","session":{}}`, `transcription_session.updated`},
		{nested + `"turn_detection":{"type":"x"}}}}}`, `turn_detection`},
		{nested + `"format":{"type":"audio/pcm","rate":16000}}}}}`, `24000`},
		{nested + `"transcription":{"model":"gpt-4o"}}}}}`, `model_not_found`},
		{nested + `"transcription":{"language":"xx"}}}}}`, `xx`},
		{nested + `"format":{"type":"audio/pcmu"}}}}}`, `cannot change`},
		{nested + `"turn_detection":{"type":"semantic_vad"}}}}}`, `"eagerness":"auto"`},
		{`{"type":"session.update","session":{"turn_detection":null}}`, `"manual":true`},
		{`{"type":"session.update","session":{"include":["item.input_audio_transcription.logprobs"]}}`,
			`"logprobs":true`},
		{nested + `"turn_detection":{"type":"server_vad","threshold":7}}}}}`, `threshold`},
	} {
		m, want := c[0], c[1]
		var a asked
		newParser().Text([]byte(m), &a)
		if len(a.answers) != 1 || !strings.Contains(a.answers[0], want) {
			t.Errorf("%s: %q, want %s", m, a.answers, want)
		}
	}
	manual, empty := newParser(), asked{}
	manual.settings.turns = nil
	manual.Text([]byte(`{"type":"input_audio_buffer.commit"}`), &empty)
	if len(empty.marks) > 0 || !strings.Contains(empty.answers[0], "commit_empty") {
		t.Errorf("an empty commit: %+v", empty)
	}
	var a asked
	newParser().Text([]byte(`{"type":"input_audio_buffer.clear"}`), &a)
	if len(a.marks) != 1 || !a.marks[0].Discard {
		t.Errorf("clear: %+v", a)
	}
}

// A long message means what a short one does, however it is divided.
func FuzzStream(f *testing.F) {
	_, text := base64Of(50)
	for _, m := range []string{
		`{"type":"input_audio_buffer.append","audio":"` + text + `"}`,
		`{"audio" : "` + text + `","type":"input_audio_buffer.append"}`,
		`{"type":"session.update","session":{"audio":{"input":{"transcription":{"prompt":"\"audio\":\"x"}}}}}`,
		`{"type":"input_audio_buffer.append","audio":"AAA`, `{"audio":"`, `{"audio":"AA==AAAA"}`, "",
	} {
		f.Add([]byte(m), 3)
	}
	f.Fuzz(func(t *testing.T, m []byte, step int) {
		var whole, parts asked
		p := newParser()
		p.Text(bytes.Clone(m), &whole)
		s := newParser().Stream(1<<16, &parts)
		for rest := bytes.Clone(m); len(rest) > 0; {
			n := min(max(step, 1), len(rest))
			if s.Write(rest[:n]) != nil {
				return
			}
			rest = rest[n:]
		}
		s.End()
		if len(whole.answers) == 0 && (!bytes.Equal(whole.audio, parts.audio) || len(parts.answers) > 0) &&
			bytes.Count(m, []byte("audio")) == 2 {
			t.Fatalf("%q: %+v, whole %+v", m, parts, whole)
		}
		for _, answer := range append(whole.answers, parts.answers...) {
			if _, text, ok := strings.Cut(answer, "\n"); !ok || !json.Valid([]byte(text)) {
				t.Fatalf("%q: answered with %q", m, answer)
			}
		}
	})
}

// A secret has the settings that it was made with.
func TestSecret(t *testing.T) {
	session := json.RawMessage(`{"type":"transcription","audio":{"input":{"turn_detection":null}}}`)
	key, got, err := readSecret(makeSecret("tok_X", session))
	if err != nil || key != "tok_X" || string(got) != string(session) {
		t.Errorf("%q %s %v", key, got, err)
	}
	if key, got, err := readSecret(makeSecret("tok_X", nil)); key != "tok_X" || got != nil || err != nil {
		t.Errorf("%q %s %v", key, got, err)
	}
	if _, _, err := readSecret("ek_x.%%"); err == nil {
		t.Error("a damaged secret is taken")
	}
	if key, _, _ := readSecret("plain"); key != "plain" {
		t.Error(key)
	}
}

// FuzzSecret: whatever a client has for a key, its settings are of a size that is read, and a
// secret made of them has them.
func FuzzSecret(f *testing.F) {
	for _, text := range []string{"plain", "ek_", "ek_x", "ek_x.", "ek_x.%%",
		makeSecret("t", json.RawMessage(`{"a":[]}`))} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		key, session, err := readSecret(text)
		if err != nil || !json.Valid(session) {
			return
		}
		again, same, err := readSecret(makeSecret(key, session))
		if err != nil || again != key || len(session) > maxSettings || isNull(session) == (len(same) > 0) {
			t.Errorf("%q: %q %s, again %q %s, %v", text, key, session, again, same, err)
		}
	})
}

// FuzzSettings: settings that are taken are those of a session, and can be described.
func FuzzSettings(f *testing.F) {
	for _, text := range []string{
		`{"type":"transcription","audio":{"input":{"format":{"type":"audio/pcm","rate":24000},"turn_detection":null}}}`,
		`{"audio":{"input":{"turn_detection":{"type":"server_vad","threshold":0.1,"silence_duration_ms":9}}}}`,
		`{"input_audio_format":"g711_ulaw","turn_detection":{"type":"semantic_vad","eagerness":"low"},"include":[]}`,
		`{"audio":{"input":{"transcription":{"model":"whisper-1","language":"de","prompt":"a, b","keywords":["c"]}}}}`,
		`{"audio":{"input":{"noise_reduction":{"type":"near_field"}}}}`, `[]`, `null`,
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		s := defaults()
		if s.update(json.RawMessage(text), true) != nil {
			return
		}
		if start, err := s.start(); err != nil || start.Request == nil {
			t.Errorf("%q: %+v, %v", text, start, err)
		}
		for _, older := range []bool{false, true} {
			if _, err := json.Marshal(s.describe("id", older)); err != nil {
				t.Errorf("%q: %v", text, err)
			}
		}
	})
}
