package listen

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"net/url"
	"strings"
	"testing"
	"time"

	"steno/gateway/dialect"
	"steno/gateway/dialect/deepgram"
	"steno/gateway/dialect/dialecttest"
	"steno/messages"
)

// settingsFor parses a query.
func settingsFor(query string) (*settings, error) {
	values, err := url.ParseQuery(query)
	if err != nil {
		return nil, err
	}
	return parseSettings(values)
}

// FuzzText reads messages: whatever they are, what the encoder makes of the answers is JSON.
func FuzzText(f *testing.F) {
	for _, text := range []string{
		`{"type":"KeepAlive"}`, `{"type":"Finalize"}`, `{"type":"CloseStream"}`, `{"type":"Configure"}`,
		`{"type":"Configure","keyterms":["a","\u0000"]}`, `{"type":"Configure","keyterms":5}`, `{"type":7}`, `[`,
		`{"type":"Other"}`,
	} {
		f.Add(text)
	}
	s, err := settingsFor("encoding=linear16&sample_rate=16000&interim_results=true&utterance_end_ms=1000")
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, text string) {
		in := &dialecttest.Input{}
		parser{newDigest()}.Text([]byte(text), in)
		c := &encoder{settings: s, id: "id"}
		emit := func(b []byte) {
			var o struct{ Type string }
			if err := json.Unmarshal(b, &o); err != nil || o.Type == "" {
				t.Errorf("%q is answered with %q", text, b)
			}
		}
		for _, a := range in.Answers {
			c.Event(&messages.Event{Key: messages.Key{Kind: messages.KindAnswer}, Body: a}, emit)
		}
		for _, m := range in.Marks {
			c.Event(&messages.Event{Message: messages.Marked{Mark: m}}, emit)
		}
	})
}

// FuzzAddress makes sessions of addresses and the first bytes of audio.
func FuzzAddress(f *testing.F) {
	for _, q := range []string{
		"", "encoding=linear16&sample_rate=16000", "encoding=opus&keyterm=a&keywords=b:2&replace=a:b",
		"endpointing=false&utterance_end_ms=9&language=multi", "callback=http://x/&callback_method=put", "redact=pci",
	} {
		f.Add(q, []byte("RIFF....WAVEfmt \x10\x00\x00\x00\x01\x00\x01\x00\x80\x3e\x00\x00\x00\x7d\x00\x00\x02\x00"+
			"\x10\x00"))
		f.Add(q, []byte("OggS"))
	}
	f.Fuzz(func(t *testing.T, query string, audio []byte) {
		s, err := settingsFor(query)
		if err != nil {
			return
		}
		if s.known {
			_, _ = deepgram.Start(s.request)
			return
		}
		start, err := deepgram.Listen(dialect.Message{Binary: true, Data: audio}, s.request)
		if err == nil && (start == nil || !start.Again || start.Request == nil) {
			t.Errorf("%q, %q: %+v", query, audio, start)
		}
	})
}

// TestEmptyResults has an utterance whose interims were shown, and that has no final, settled all
// the same.
func TestEmptyResults(t *testing.T) {
	s, err := settingsFor("encoding=linear16&sample_rate=16000&interim_results=true")
	if err != nil {
		t.Fatal(err)
	}
	c := &encoder{settings: s, id: "id", made: time.Now()}
	type results struct {
		Start, Duration float64
		IsFinal         bool `json:"is_final"`
		SpeechFinal     bool `json:"speech_final"`
		Channel         struct {
			Alternatives []struct{ Transcript *string }
		}
	}
	var sent []results
	emit := func(b []byte) {
		var r results
		if err := json.Unmarshal(b, &r); err != nil {
			t.Error(err)
		}
		sent = append(sent, r)
	}
	id := messages.UtteranceID(0, 0)
	for _, m := range []messages.Message{
		messages.Speech{Stage: messages.SpeechBegan, Time: 1},
		messages.Transcript{ID: id, From: 1, To: 2, Utterance: messages.Utterance{Text: " hm", Start: 1, End: 2}},
		messages.Speech{Stage: messages.SpeechEnded, Time: 3, By: messages.EndedBySilence},
		messages.Speech{Stage: messages.SpeechSettled},
	} {
		c.Event(&messages.Event{Key: messages.Key{Subject: id}, Message: m}, emit)
	}
	if len(sent) != 2 || sent[0].IsFinal || !sent[1].IsFinal || !sent[1].SpeechFinal || sent[1].Start != 1 ||
		sent[1].Duration != 2 || *sent[1].Channel.Alternatives[0].Transcript != "" {
		t.Errorf("sent %+v", sent)
	}
}

// TestDigest has Metadata with the digest of what was sent before CloseStream, as samples or as
// packets of Opus.
func TestDigest(t *testing.T) {
	const sent = "audio, and more of it"
	for name, send := range map[string]func(p parser, audio string, to dialect.Input) dialect.Parser{
		"samples": func(p parser, audio string, _ dialect.Input) dialect.Parser {
			dialect.Hearer(p).Hear([]byte(audio))
			return p
		},
		"packets": func(p parser, audio string, to dialect.Input) dialect.Parser {
			o := &opusParser{parser: p}
			o.Binary([]byte(audio[:3]), false, to)
			o.Binary([]byte(audio[3:]), true, to)
			return o
		},
	} {
		heard, in := newDigest(), &dialecttest.Input{}
		send(parser{heard}, sent[:7], in)
		send(parser{heard}, sent[7:], in).Text([]byte(`{"type":"CloseStream"}`), in)
		send(parser{heard}, "too late", in)
		c := &encoder{settings: &settings{}, heard: heard}
		last, _, _ := c.End(dialect.Ending{Why: dialect.Finished})
		if want := fmt.Sprintf(`"sha256":"%x"`, sha256.Sum256([]byte(sent))); !strings.Contains(string(last), want) {
			t.Errorf("%s: %s, want %s", name, last, want)
		}
	}
}

// BenchmarkHear hears frames of 20 ms.
func BenchmarkHear(b *testing.B) {
	p, frame := parser{newDigest()}, make([]byte, 640)
	b.SetBytes(int64(len(frame)))
	for b.Loop() {
		p.Hear(frame)
	}
}
