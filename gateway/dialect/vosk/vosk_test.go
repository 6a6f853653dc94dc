package vosk

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"reflect"
	"strings"
	"testing"

	"steno/gateway/dialect"
	"steno/messages"
)

// asked is what a client has asked for, as lines.
type asked struct{ lines []string }

func (a *asked) add(format string, args ...any) {
	a.lines = append(a.lines, fmt.Sprintf(format, args...))
}

func (a *asked) Audio(p []byte)           { a.add("audio %d", len(p)) }
func (a *asked) EndAudio()                { a.add("end of audio") }
func (a *asked) KeepAlive()               { a.add("alive") }
func (a *asked) Mark(m messages.Mark)     { a.add("mark %v", m.Discard) }
func (a *asked) Answer(text []byte)       { a.add("answer %s", text) }
func (a *asked) Stop()                    { a.add("stop") }
func (a *asked) Reject(fault error)       { a.add("reject %v", fault) }
func (a *asked) End(e dialect.Ending)     { a.add("end %d %s", e.Why, e.Detail) }
func (a *asked) Update(u messages.Update) { a.add("terms %d", len(*u.Vocabulary)) }

// What clients send is what they ask for, whether it comes whole or in pieces.
func TestTexts(t *testing.T) {
	for text, want := range map[string]string{
		`{"eof" : 1}`:   "stop",
		`{"reset" : 1}`: "answer r; mark false",
		`{ "config" : { "sample_rate" : 16000 } }`:                 "",
		`{"config":{"phrase_list":["zero one","two","[unk]",""]}}`: "terms 2",
		`{"config":{"words":false,"max_alternatives":3}}`:          "answer w01",
		`{"config":{"words":1,"model":"x","spk":{}}}`:              "answer w10",
		`{"config":{"words":"yes"}}`:                               "end 8 " + errValue.Error(),
		`{"config":[]}`:                                            "end 8 " + errValue.Error(),
		`{"other":1}`:                                              "end 8 " + errJSON.Error(),
		`hello`:                                                    "end 8 " + errJSON.Error(),
		`{"config":{"phrase_list":["` + strings.Repeat("a", 501) + `"]}}`: "" +
			"end 8 a phrase must have at most 500 bytes",
		`{"config":{"a":` + strings.Repeat("[", 9) + strings.Repeat("]", 9) + `}}`: "end 8 " + errJSON.Error(),
	} {
		for _, pieces := range []bool{false, true} {
			to := &asked{}
			if pieces {
				long := parser{}.Stream(1<<10, to)
				for i := range len(text) {
					if long.Write([]byte{text[i]}) != nil || long.Streamed() {
						t.Fatalf("%s: refused", text)
					}
				}
				long.End()
			} else {
				parser{}.Text([]byte(text), to)
			}
			if got := strings.Join(to.lines, "; "); got != want {
				t.Errorf("%s: %q, want %q", text, got, want)
			}
		}
	}
	if (parser{}).Stream(10, nil).Write(make([]byte, 11)) == nil {
		t.Error("a text over the limit is held")
	}
}

// A message of audio is answered once, also if it comes in pieces or is empty.
func TestFrames(t *testing.T) {
	to := &asked{}
	parser{}.Binary(make([]byte, 4), false, to)
	parser{}.Binary(make([]byte, 2), true, to)
	parser{}.Binary(nil, true, to)
	want := []string{"audio 4", "audio 2", "end of audio", "answer f", "audio 0", "end of audio", "answer f"}
	if !reflect.DeepEqual(to.lines, want) {
		t.Errorf("%q", to.lines)
	}
}

// opened opens the dialect with an address.
func opened(t *testing.T, address string) dialect.Opening {
	t.Helper()
	o, err := open(httptest.NewRequest("GET", address, nil))
	if err != nil {
		t.Fatal(err)
	}
	return o
}

// The first message of a client states the session.
func TestFirstMessage(t *testing.T) {
	for text, want := range map[string]string{
		"":          "8000 [] 0 words",
		`{"eof":1}`: "8000 [] 0 words",
		`{"config":{"sample_rate":16000.0,"phrase_list":["a","b"]}}`:          "16000 [] 2 words",
		`{"config":{"sample_rate":48000,"words":false,"max_alternatives":2}}`: "48000 [] 0 several",
	} {
		o := opened(t, "/vosk")
		start, err := o.Listen(dialect.Message{Binary: text == "", Data: []byte(text)})
		if err != nil || !start.Again {
			t.Errorf("%s: %v", text, err)
			continue
		}
		r, terms := start.Request, 0
		if c := r.RealtimeProcessing.CustomVocabularyConfig; c != nil {
			terms = len(c.Vocabulary)
		}
		got := fmt.Sprint(r.SampleRate, r.LanguageConfig.Languages, terms)
		if out := o.Encoder.(*encoder); out.words {
			got += " words"
		} else if out.several {
			got += " several"
		}
		if got != want {
			t.Errorf("%s: %s, want %s", text, got, want)
		}
	}
	for _, text := range []string{
		`{"config":{"sample_rate":11025}}`, `{"config":{"sample_rate":8000.5}}`, `{"config":{"sample_rate":1e99}}`, `x`,
	} {
		if start, err := opened(t, "/vosk").Listen(dialect.Message{Data: []byte(text)}); err == nil || start != nil {
			t.Errorf("%s: %v, %v", text, start, err)
		}
	}
}

// The key may be in three places, the language in the query.
func TestAddress(t *testing.T) {
	for _, c := range []struct{ path, query, header, want string }{
		{"p", "?key=q", "Bearer h", "p"}, {"", "?key=q", "h", "q"}, {"", "?token=t", "", "t"},
		{"", "", "bearer h", "h"},
		{"", "", "h", "h"}, {"", "", "", ""},
	} {
		r := httptest.NewRequest("GET", "/vosk"+c.query, nil)
		r.SetPathValue("key", c.path)
		r.Header.Set("Authorization", c.header)
		if got := credential(r); got != c.want {
			t.Errorf("%+v: %q", c, got)
		}
	}
	start, err := opened(t, "/vosk?language=de").Listen(dialect.Message{Binary: true})
	if err != nil || fmt.Sprint(start.Request.LanguageConfig.Languages) != "[de]" {
		t.Errorf("%+v, %v", start, err)
	}
	_, err = open(httptest.NewRequest("GET", "/vosk?language=xx", nil))
	p, ok := errors.AsType[*messages.Problem](err)
	if !ok || p.Status != http.StatusBadRequest {
		t.Fatalf("%v", err)
	}
	w := httptest.NewRecorder()
	refuse(w, nil, p)
	if w.Code != http.StatusBadRequest || !strings.Contains(w.Body.String(), "language") {
		t.Errorf("%d %s", w.Code, w.Body)
	}
}

// written collects what an encoder writes.
type written struct {
	*encoder
	texts []string
}

func (x *written) event(subject string, m messages.Message) {
	e := messages.Event{Key: messages.Key{Kind: m.Kind(), Subject: subject}, Message: m}
	x.Event(&e, func(p []byte) { x.texts = append(x.texts, string(p)) })
}

func (x *written) answer(what string) {
	e := messages.Event{Key: messages.Key{Kind: messages.KindAnswer}, Body: []byte(what)}
	x.Event(&e, func(p []byte) { x.texts = append(x.texts, string(p)) })
}

func (x *written) heard(n int64, final bool, words ...string) {
	u := messages.Utterance{Confidence: 0.5}
	for i, w := range words {
		at := float64(i)
		u.Words = append(u.Words, messages.Word{Word: " " + w, Start: at, End: at + 0.5, Confidence: 0.5})
	}
	u.Text = messages.TextOf(u.Words)
	x.event(messages.UtteranceID(0, n), messages.Transcript{IsFinal: final, Utterance: u})
	if final {
		x.event("", messages.Speech{Stage: messages.SpeechSettled, Number: n})
	}
}

// Each message of audio has one answer, however many finals there are; the last has all the rest.
func TestAnswers(t *testing.T) {
	x := &written{encoder: newEncoder()}
	x.answer("f")
	x.heard(0, false, "one")
	x.answer("f")
	x.heard(1, false, "early")
	x.answer("f")
	x.heard(0, true, "one")
	x.heard(1, true, "two")
	x.heard(2, false, "three")
	x.answer("f")
	x.answer("w01")
	x.answer("f")
	x.answer("f")
	x.heard(2, true, "three")
	x.heard(3, true, "four")
	last, code, _ := x.End(dialect.Ending{Why: dialect.Finished})
	x.texts = append(x.texts, string(last))
	want := []string{
		`{"partial":""}`, `{"partial":"one"}`, `{"partial":""}`,
		`{"result":[{"conf":0.5,"end":0.5,"start":0,"word":"one"}],"text":"one"}`,
		`{"alternatives":[{"confidence":0.5,"text":"two"}]}`, `{"partial":"three"}`,
		`{"alternatives":[{"confidence":0.5,"text":"three four"}]}`,
	}
	if !reflect.DeepEqual(x.texts, want) || code != 1000 {
		t.Errorf("%d %s", code, strings.Join(x.texts, "\n"))
	}
}

// A reset is answered when all that was said before it has its finals; what comes after it waits.
func TestReset(t *testing.T) {
	x := &written{encoder: newEncoder()}
	x.answer("w00")
	x.heard(0, false, "one")
	x.answer("r")
	x.answer("f")
	if len(x.texts) > 0 {
		t.Errorf("answered with %q", x.texts)
	}
	x.heard(0, true, "one")
	x.event("", messages.Marked{})
	x.answer("r")
	x.event("", messages.Marked{Refused: true})
	want := []string{`{"text":"one"}`, `{"partial":""}`, `{"text":""}`}
	if !reflect.DeepEqual(x.texts, want) {
		t.Errorf("%q", x.texts)
	}
}

func TestEnds(t *testing.T) {
	for why := dialect.Protocol; why <= dialect.Refused; why++ {
		last, code, reason := newEncoder().End(dialect.Ending{Why: why, Detail: strings.Repeat("ü", 100)})
		if last != nil || code <= 1000 || len(reason) > 123 || len(reason) < 100 {
			t.Errorf("%d: %s, %d %q", why, last, code, reason)
		}
	}
}

// FuzzTexts: whatever a client sends, whole or in pieces, it asks for the same.
func FuzzTexts(f *testing.F) {
	for _, text := range []string{
		`{"eof" : 1}`, `{"config":{"sample_rate":8e3,"phrase_list":["a"],"words":0}}`, `{"reset":1,"eof":null}`, `{}`,
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		whole, pieces := &asked{}, &asked{}
		parser{}.Text([]byte(text), whole)
		long, half := parser{}.Stream(len(text), pieces), len(text)/2
		if err := errors.Join(long.Write([]byte(text[:half])), long.Write([]byte(text[half:]))); err != nil {
			t.Fatal(err)
		}
		long.End()
		if !reflect.DeepEqual(whole, pieces) || len(whole.lines) > 5 {
			t.Errorf("%q: %q, in pieces %q", text, whole.lines, pieces.lines)
		}
		r, err := parse([]byte(text))
		if err != nil {
			return
		}
		if start, err := r.config.start(""); err == nil && !json.Valid(dialect.JSON(start.Request)) {
			t.Errorf("%q: %+v", text, start)
		}
	})
}
