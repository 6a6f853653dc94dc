package streaming

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"net/http/httptest"
	"net/url"
	"reflect"
	"slices"
	"strings"
	"testing"

	"steno/gateway/dialect"
	"steno/gateway/dialect/assemblyai"
	"steno/messages"
)

// asked is what a client has asked for, as lines.
type asked struct{ lines []string }

func (a *asked) add(format string, args ...any) {
	a.lines = append(a.lines, fmt.Sprintf(format, args...))
}

func (a *asked) Audio([]byte)             { a.add("audio") }
func (a *asked) EndAudio()                { a.add("end of audio") }
func (a *asked) KeepAlive()               { a.add("alive") }
func (a *asked) Mark(m messages.Mark)     { a.add("mark %v", m.Discard) }
func (a *asked) Answer(text []byte)       { a.add("answer %s", text) }
func (a *asked) Stop()                    { a.add("stop") }
func (a *asked) Reject(fault error)       { a.add("reject %v", fault) }
func (a *asked) End(e dialect.Ending)     { a.add("end %d %s", e.Why, e.Detail) }
func (a *asked) Update(u messages.Update) { a.add("update%s", describe(u)) }

func describe(u messages.Update) (text string) {
	if u.Endpointing != nil {
		text += fmt.Sprintf(" endpointing %.2f", *u.Endpointing)
	}
	if u.Threshold != nil {
		text += fmt.Sprintf(" threshold %g", *u.Threshold)
	}
	if u.Vocabulary != nil {
		text += fmt.Sprintf(" terms %d", len(*u.Vocabulary))
	}
	return text
}

// What clients send is what they ask for, whether it comes whole or in pieces.
func TestMessages(t *testing.T) {
	for text, want := range map[string]string{
		`{"type":"Terminate"}`:                                  "stop",
		`{"type":"ForceEndpoint"}`:                              "mark false",
		`{"type":"KeepAlive"}`:                                  "alive",
		`{"type":"UpdateConfiguration","min_turn_silence":500}`: "update endpointing 0.30",
		`{"type":"UpdateConfiguration","min_end_of_turn_silence_when_confident":700}`: "update endpointing 0.50",
		`{"type":"UpdateConfiguration","max_turn_silence":300}`:                       "update endpointing 0.10",
		`{"type":"UpdateConfiguration","max_turn_silence":2e3,"vad_threshold":0.5}`: "" +
			"update endpointing 0.20 threshold 0.5",
		`{"type":"UpdateConfiguration","end_of_turn_confidence_threshold":1}`:             "update endpointing 1.08",
		`{"type":"UpdateConfiguration","min_turn_silence":0}`:                             "update endpointing 0.01",
		`{"type":"UpdateConfiguration","keyterms_prompt":["a","b"],"prompt":"x"}`:         "update terms 2",
		`{"type":"UpdateConfiguration","keyterms_prompt":[]}`:                             "update terms 0",
		`{"type":"UpdateConfiguration","format_turns":true}`:                              "answer format_turns=true",
		`{"type":"UpdateConfiguration","min_turn_silence":null,"agent_context":{"a":[]}}`: "",
		`{"type":"UpdateConfiguration","min_turn_silence":-1}`:                            "end 8 " + wrongSchema,
		`{"type":"UpdateConfiguration","max_turn_silence":10001}`:                         "end 8 " + wrongSchema,
		`{"type":"UpdateConfiguration","vad_threshold":1.5,"keyterms_prompt":["a"]}`:      "end 8 " + wrongSchema,
		`{"type":"UpdateConfiguration","keyterms_prompt":"a"}`:                            "end 8 " + wrongSchema,
		`{"type":"UpdateConfiguration","keyterms_prompt":[""]}`:                           "end 8 " + wrongSchema,
		`{"type":"Bye"}`: "end 8 " + wrongSchema,
		`{}`:             "end 8 " + wrongSchema,
		`[]`:             "end 8 " + wrongSchema,
		`{"type":`:       "end 8 " + notJSON,
		strings.Repeat(`[`, 99) + strings.Repeat(`]`, 99): "end 8 " + notJSON,
	} {
		for _, pieces := range []bool{false, true} {
			to := &asked{}
			if p := (&parser{}); pieces {
				long := p.Stream(1<<10, to)
				for i := range len(text) {
					if long.Write([]byte{text[i]}) != nil || long.Streamed() {
						t.Fatalf("%s: refused", text)
					}
				}
				long.End()
			} else {
				p.Text([]byte(text), to)
			}
			if got := strings.Join(to.lines, "; "); got != want && (want == "" || !strings.HasPrefix(got, want+": ")) {
				t.Errorf("%s: %q, want %q", text, got, want)
			}
		}
	}
	if (&parser{}).Stream(10, nil).Write(make([]byte, 11)) == nil {
		t.Error("a message over the limit is held")
	}
}

// Changes add up: what a message leaves out stays.
func TestChangesAddUp(t *testing.T) {
	to, p := &asked{}, &parser{}
	for _, change := range []string{`"min_turn_silence":500`, `"max_turn_silence":400`, `"max_turn_silence":900`} {
		p.Text([]byte(`{"type":"UpdateConfiguration",`+change+`}`), to)
	}
	want := []string{"update endpointing 0.30", "update endpointing 0.20", "update endpointing 0.30"}
	if !reflect.DeepEqual(to.lines, want) {
		t.Errorf("%q", to.lines)
	}
}

// startOf opens the dialect with a query.
func startOf(t *testing.T, query string) (*messages.LiveRequest, error) {
	t.Helper()
	o, err := open(httptest.NewRequest("GET", "/v3/ws?"+query, nil))
	if err != nil {
		return nil, err
	}
	return o.Start.Request, nil
}

// The address states what the session is.
func TestSettings(t *testing.T) {
	plain := func(text string) string { return url.QueryEscape(text) }
	for query, want := range map[string]string{
		"":                  "wav/pcm 16000 0.20 [] false true 0.6 0",
		"sample_rate=48000": "wav/pcm 48000 0.20 [] false true 0.6 0",
		"sample_rate=8000&encoding=pcm_mulaw&format_turns=True": "wav/ulaw 8000 0.20 [] false true 0.6 0",
		"encoding=ogg_opus&sample_rate=1":                       "ogg/opus 16000 0.20 [] false true 0.6 0",
		"encoding=opus":                                         "ogg/opus 16000 0.20 [] false true 0.6 0",
		"speech_model=universal-streaming-english&include_partial_turns=false": "" +
			"wav/pcm 16000 0.20 [en] false false 0.6 0",
		"language_codes=" + plain(`["de","en"]`) + "&vad_threshold=0.3":  "wav/pcm 16000 0.20 [de en] true true 0.3 0",
		"language_code=fr-CA&speech_model=solaria-1":                     "wav/pcm 16000 0.20 [fr] false true 0.6 0",
		"min_turn_silence=100&max_turn_silence=100&whatever=1":           "wav/pcm 16000 0.01 [] false true 0.6 0",
		"end_of_turn_confidence_threshold=1.0&speaker_labels=true":       "wav/pcm 16000 1.08 [] false true 0.6 0",
		"keyterms_prompt=" + plain(`["a","b c"]`) + "&keyterms_prompt=d": "wav/pcm 16000 0.20 [] false true 0.6 3",
		"min_end_of_turn_silence_when_confident=600&end_of_turn_confidence_threshold=.4": "" +
			"wav/pcm 16000 0.40 [] false true 0.6 0",
	} {
		r, err := startOf(t, query)
		if err != nil {
			t.Errorf("%s: %v", query, err)
			continue
		}
		terms := 0
		if c := r.RealtimeProcessing.CustomVocabularyConfig; c != nil {
			terms = len(c.Vocabulary)
		}
		got := fmt.Sprintf("%s %d %.2f %v %v %v %g %d", r.Encoding, r.SampleRate, r.Endpointing,
			r.LanguageConfig.Languages, r.LanguageConfig.CodeSwitching, r.MessagesConfig.PartialTranscripts,
			r.PreProcessing.SpeechThreshold, terms)
		if got != want {
			t.Errorf("%s: %s, want %s", query, got, want)
		}
		if r.RealtimeProcessing.Diarization != strings.Contains(query, "speaker") {
			t.Errorf("%s: speakers %v", query, r.RealtimeProcessing.Diarization)
		}
	}
}

// What cannot be done is refused by its name.
func TestSettingsRefused(t *testing.T) {
	for query, field := range map[string]string{
		"sample_rate=0": "sample_rate", "sample_rate=x": "sample_rate", "sample_rate=11025": "sample_rate",
		"encoding=opus2": "encoding", "format_turns=maybe": "format_turns", "vad_threshold=2": "vad_threshold",
		"min_turn_silence=NaN": "min_turn_silence", "max_turn_silence=-5": "max_turn_silence",
		"keyterms_prompt=[1]": "keyterms_prompt", "redact_pii=true&redact_pii_policies=x": "entity_types",
		"webhook_url=x":       "webhook_url",
		"language_codes=[xx]": "language_codes", "language_code=xx": "languages", "speech_model=other": "model",
	} {
		_, err := startOf(t, query)
		p, ok := errors.AsType[*messages.Problem](err)
		if !ok || p.Status != 400 || len(p.ValidationErrors) != 1 || !strings.Contains(p.ValidationErrors[0], field) {
			t.Errorf("%s: %v", query, p)
			continue
		}
		w := httptest.NewRecorder()
		assemblyai.Refuse(w, nil, p)
		var body struct{ Error string }
		if json.Unmarshal(w.Body.Bytes(), &body) != nil || w.Code != 400 || !strings.Contains(body.Error, field) {
			t.Errorf("%s: answered with %d %s", query, w.Code, w.Body)
		}
	}
}

// The key comes without a scheme, or as a token in the address.
func TestCredential(t *testing.T) {
	for _, c := range []struct{ header, query, want string }{
		{"key", "", "key"}, {"Bearer key", "", "key"}, {"", "?token=t", "t"}, {"key", "?token=t", "t"}, {"", "", ""},
	} {
		r := httptest.NewRequest("GET", "/v3/ws"+c.query, nil)
		r.Header.Set("Authorization", c.header)
		if got := credential(r); got != c.want {
			t.Errorf("%+v: %q", c, got)
		}
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

func (x *written) speech(stage messages.SpeechStage, n int64, by messages.EndedBy, cut bool) {
	x.event(messages.UtteranceID(0, n), messages.Speech{Stage: stage, Number: n, Time: 1.2346, By: by, Cut: cut})
}

func (x *written) heard(n int64, final bool, by messages.EndedBy, settled int, words ...string) {
	u := messages.Utterance{Language: "en"}
	for i, w := range words {
		u.Words = append(u.Words, messages.Word{
			Word: " " + w, Start: float64(i) + 0.0004, End: float64(i) + 0.9996, Confidence: 0.5,
		})
	}
	u.Text = messages.TextOf(u.Words)
	id := messages.UtteranceID(0, n)
	x.event(id, messages.Transcript{ID: id, IsFinal: final, Utterance: u, By: by, Settled: settled})
}

// turns are the turns written, as their order, whether they have ended or are formatted, and text.
func (x *written) turns(t *testing.T) (all []string) {
	t.Helper()
	for _, text := range x.texts {
		var m map[string]any
		if err := json.Unmarshal([]byte(text), &m); err != nil {
			t.Fatal(err)
		}
		if m["type"] != "Turn" {
			all = append(all, fmt.Sprint(m["type"]))
			continue
		}
		checkTurn(t, m)
		line := fmt.Sprint(m["turn_order"])
		if m["end_of_turn"] == true {
			line += " end"
		}
		if m["turn_is_formatted"] == true {
			line += " formatted"
		}
		all = append(all, fmt.Sprintf("%s: %s", line, m["transcript"]))
	}
	return all
}

// checkTurn fails unless a turn has all that clients insist on.
func checkTurn(t *testing.T, m map[string]any) {
	t.Helper()
	for _, name := range []string{
		"turn_order", "turn_is_formatted", "end_of_turn", "transcript", "end_of_turn_confidence", "words",
	} {
		if m[name] == nil {
			t.Errorf("no %s in %v", name, m)
		}
	}
	for _, item := range m["words"].([]any) {
		w := item.(map[string]any)
		for _, name := range []string{"start", "end"} {
			if v, ok := w[name].(float64); !ok || v != math.Trunc(v) {
				t.Errorf("%s of a word is %v", name, w[name])
			}
		}
		text, _ := w["text"].(string)
		if text == "" || strings.TrimSpace(text) != text || w["confidence"] == nil || w["word_is_final"] == nil {
			t.Errorf("word %v", w)
		}
	}
}

// An utterance is a turn, which ends once, or twice if its formatted text is asked for.
func TestTurns(t *testing.T) {
	for _, formatted := range []bool{false, true} {
		x := &written{encoder: newEncoder(settings{formatted: formatted})}
		x.speech(messages.SpeechBegan, 0, 0, false)
		x.heard(0, false, 0, 0, "one")
		x.heard(0, false, 0, 1, "one", "two")
		x.speech(messages.SpeechEnded, 0, messages.EndedBySilence, false)
		x.speech(messages.SpeechBegan, 1, 0, false)
		x.heard(1, false, 0, 0, "early") // before the turn before it has ended
		x.heard(0, true, messages.EndedBySilence, 0, "One", "two.")
		x.speech(messages.SpeechSettled, 0, 0, false)
		x.heard(1, false, 0, 0, "three")
		x.speech(messages.SpeechEnded, 1, messages.EndedByMark, false)
		x.heard(1, true, messages.EndedByMark, 0, "Three.")
		x.speech(messages.SpeechSettled, 1, 0, false)
		want := []string{
			"SpeechStarted", "0: ", "0: one", "0 end: One two.", "0 end formatted: One two.",
			"SpeechStarted", "1: ", "1 end: Three.", "1 end formatted: Three.",
		}
		if !formatted {
			want = slices.DeleteFunc(want, func(line string) bool { return strings.Contains(line, "formatted") })
		}
		if got := x.turns(t); !reflect.DeepEqual(got, want) {
			t.Errorf("formatted %v: %q", formatted, got)
		}
		if x.texts[0] != `{"type":"SpeechStarted","timestamp":1235}` {
			t.Errorf("%s", x.texts[0])
		}
	}
}

// A turn that is cut at its longest duration continues, and ends with the utterance that continues
// it, even if nothing is recognized of that one.
func TestLongTurns(t *testing.T) {
	for _, more := range []bool{false, true} {
		x := &written{encoder: newEncoder(settings{})}
		x.speech(messages.SpeechBegan, 0, 0, false)
		x.speech(messages.SpeechEnded, 0, messages.EndedByForce, false)
		x.speech(messages.SpeechBegan, 1, 0, true)
		x.heard(0, true, messages.EndedByForce, 0, "One", "two")
		x.speech(messages.SpeechSettled, 0, 0, false)
		x.heard(1, false, 0, 0, "three")
		x.speech(messages.SpeechEnded, 1, messages.EndedBySilence, false)
		want := []string{"SpeechStarted", "0: One two", "0: One two", "0 end: One two"}
		if more {
			x.heard(1, true, messages.EndedBySilence, 0, "three.")
			want[3] += " three."
		}
		x.speech(messages.SpeechSettled, 1, 0, false)
		if got := x.turns(t); !reflect.DeepEqual(got, want) {
			t.Errorf("%q", got)
		}
	}
}

// A turn of which nothing is recognized does not end: the next one has its number.
func TestTurnOfNothing(t *testing.T) {
	x := &written{encoder: newEncoder(settings{speakers: true})}
	x.heard(0, false, 0, 0, "hm")
	x.speech(messages.SpeechEnded, 0, messages.EndedByDiscard, false)
	x.speech(messages.SpeechSettled, 0, 0, false)
	x.heard(1, true, messages.EndedByForce, 0, "One")
	x.event("", messages.EndRecording{Duration: 2.6})
	if got := x.turns(t); !reflect.DeepEqual(got, []string{"0: ", "0: One", "0 end: One"}) {
		t.Errorf("%q", got)
	}
	last, code, _ := x.End(dialect.Ending{Why: dialect.Finished})
	const want = `{"type":"Termination","audio_duration_seconds":3,"session_duration_seconds":0}`
	if string(last) != want || code != 1000 {
		t.Errorf("%s, %d", last, code)
	}
}

// format_turns holds from where it is changed on.
func TestFormatChanged(t *testing.T) {
	x := &written{encoder: newEncoder(settings{})}
	x.heard(0, true, messages.EndedBySilence, 0, "One")
	e := messages.Event{Key: messages.Key{Kind: messages.KindAnswer}, Body: []byte(formatAnswer + "true")}
	x.Event(&e, func([]byte) { t.Error("an answer is sent") })
	x.heard(1, true, messages.EndedBySilence, 0, "Two")
	if got := x.turns(t); !reflect.DeepEqual(got, []string{"0 end: One", "1 end: Two", "1 end formatted: Two"}) {
		t.Errorf("%q", got)
	}
}

// Each end has an error of the service, whose code is that of the close.
func TestEnds(t *testing.T) {
	for why := dialect.Protocol; why <= dialect.Refused; why++ {
		long := strings.Repeat("ü", 100)
		for _, e := range []dialect.Ending{{Why: why}, {Why: why, Detail: long}, {Why: why, Status: 401}} {
			last, code, reason := newEncoder(settings{}).End(e)
			var m struct {
				Type  string `json:"type"`
				Code  int    `json:"error_code"`
				Error string `json:"error"`
			}
			if json.Unmarshal(last, &m) != nil || m.Type != "Error" || m.Code != code || m.Error != reason ||
				len(reason) > 123 || reason == "" || code < 1002 {
				t.Errorf("%+v: %s, %d %q", e, last, code, reason)
			}
		}
	}
	for detail, want := range map[string]int{notJSON: 4100, wrongSchema + ": x": 4101, "": 3006} {
		if _, code, _ := newEncoder(settings{}).End(dialect.Ending{Why: dialect.Misuse, Detail: detail}); code != want {
			t.Errorf("%q: %d, want %d", detail, code, want)
		}
	}
}

func TestLabels(t *testing.T) {
	for n, want := range map[int]string{0: "A", 25: "Z", 26: "AA", 27: "AB", -3: "A"} {
		if got := label(n); got != want {
			t.Errorf("%d: %s", n, got)
		}
	}
}

// FuzzMessages: whatever a client sends, whole or in pieces, it asks for the same, and updates are
// within what sessions take.
func FuzzMessages(f *testing.F) {
	for _, text := range []string{
		`{"type":"Terminate"}`, `{"type":"UpdateConfiguration","min_turn_silence":5e2,"keyterms_prompt":["a"]}`,
		`{"type":"UpdateConfiguration","vad_threshold":0.5,"format_turns":false}`, `{"type":1}`, `null`,
		`{"type":"ForceEndpoint"`,
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		whole, pieces := &asked{}, &asked{}
		(&parser{}).Text([]byte(text), whole)
		long := (&parser{}).Stream(len(text), pieces)
		half := len(text) / 2
		if err := errors.Join(long.Write([]byte(text[:half])), long.Write([]byte(text[half:]))); err != nil {
			t.Fatal(err)
		}
		long.End()
		if !reflect.DeepEqual(whole, pieces) || len(whole.lines) > 2 {
			t.Errorf("%q: %q, in pieces %q", text, whole.lines, pieces.lines)
		}
		p := &parser{}
		p.Text([]byte(text), &bounded{t: t})
		if e := p.turns.endpointing(); !(e >= 0.01 && e <= 10) {
			t.Errorf("endpointing of %g s", e)
		}
	})
}

// bounded fails at updates that sessions do not take.
type bounded struct {
	asked
	t *testing.T
}

func (b *bounded) Update(u messages.Update) {
	if u.Endpointing != nil && !(*u.Endpointing >= 0.01 && *u.Endpointing <= 10) || u.Threshold != nil &&
		!(*u.Threshold >= 0 && *u.Threshold <= 1) || u.Vocabulary != nil && len(*u.Vocabulary) > 1000 {
		b.t.Errorf("update%s", describe(u))
	}
}

// FuzzSettings: an address is a session, or a problem of status 400.
func FuzzSettings(f *testing.F) {
	for _, query := range []string{
		"sample_rate=16000&format_turns=True", `keyterms_prompt=["a"]&language_codes=["de"]`,
		"encoding=aac&vad_threshold=1e-3", "speech_model=x",
		"min_turn_silence=1&max_turn_silence=9999&speaker_labels=1",
	} {
		f.Add(query)
	}
	f.Fuzz(func(t *testing.T, query string) {
		values, _ := url.ParseQuery(query)
		s, err := parseSettings(values)
		if err == nil {
			_, err = s.start()
		}
		if p, ok := errors.AsType[*messages.Problem](err); err != nil && (!ok || p.Status != 400) {
			t.Errorf("%q: %v", query, err)
		}
	})
}
