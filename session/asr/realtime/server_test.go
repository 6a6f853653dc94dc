package realtime_test

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/coder/websocket"
	"go.uber.org/goleak"

	"steno/audio"
	"steno/session/asr"
	"steno/session/asr/asrtest"
	"steno/session/asr/realtime"
	"steno/session/asr/scripted"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

const key = "sk-secret-1"

// fault is what a server does instead of what it should.
type fault int

const (
	none    fault = iota
	hangUp        // it breaks the connection off
	silence       // it does not answer
	refuse        // it sends an error
)

// server speaks one variant, as strictly as the real one, and makes scripted words of the audio.
type server struct {
	t       *testing.T
	variant string
	deltas  bool // it sends a word for each second of audio
	// at, if set, is asked before each message is handled: the visit counts from 1, what is the
	// message's type.
	at func(visit int, what string) fault
	// texts, if set, are the texts of items in place of the scripted.
	texts func() []string
	// language is named with finals.
	language string

	mu     sync.Mutex
	visits int
	open   int
	seen   []string // types of messages, without those of audio
	sets   []string // settings, as JSON
	heard  []int    // samples of the utterances that were ended
	codes  []websocket.StatusCode
}

func (s *server) note(f func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	f()
}

// ServeHTTP refuses what the real servers refuse in the handshake.
func (s *server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	switch {
	case r.URL.Path != "/v1/realtime":
		http.NotFound(w, r)
		return
	case r.Header.Get("Authorization") != "Bearer "+key:
		http.Error(w, "bad key "+r.Header.Get("Authorization"), http.StatusUnauthorized)
		return
	case s.variant == realtime.Speaches && r.URL.Query().Get("model") == "":
		http.Error(w, "no model", http.StatusForbidden)
		return
	case s.variant != realtime.VLLM && r.URL.Query().Get("intent") != "transcription":
		http.Error(w, "no intent", http.StatusBadRequest)
		return
	}
	ws, err := websocket.Accept(w, r, nil)
	if err != nil {
		return
	}
	defer ws.CloseNow()
	ws.SetReadLimit(20 << 20)
	v := &visit{server: s, ws: ws, ctx: r.Context()}
	s.note(func() { s.visits++; s.open++; v.number = s.visits })
	defer s.note(func() { s.open-- })
	err = v.run()
	s.note(func() { s.codes = append(s.codes, websocket.CloseStatus(err)) })
}

// visit is one connection.
type visit struct {
	*server
	ws     *websocket.Conn
	ctx    context.Context
	number int

	configured bool
	decoding   bool // of vLLM: between a commit and its final
	served     bool // of vLLM: an utterance was ended
	samples    []int16
	told       int // deltas
	items      int
}

var errFault = errors.New("fault")

func (v *visit) run() error {
	if err := v.greet(); err != nil {
		return err
	}
	for {
		_, b, err := v.ws.Read(v.ctx)
		if err != nil {
			return err
		}
		var m struct{ Type string }
		if bytes.HasPrefix(b, audioPrefix) { // which saves to decode long texts twice
			m.Type = "input_audio_buffer.append"
		} else if err := json.Unmarshal(b, &m); err != nil {
			v.t.Errorf("no JSON: %.100q", b)
			return err
		}
		if m.Type != "input_audio_buffer.append" {
			v.note(func() { v.seen = append(v.seen, m.Type) })
		}
		if err := v.faulty(m.Type); err != nil {
			if errors.Is(err, errSilent) {
				continue
			}
			return err
		}
		if err := v.handle(m.Type, b); err != nil {
			return err
		}
	}
}

// audioPrefix begins messages of audio.
var audioPrefix = []byte(`{"type":"input_audio_buffer.append","audio":"`)

var errSilent = errors.New("silent")

func (v *visit) faulty(what string) error {
	if v.at == nil {
		return nil
	}
	switch v.at(v.number, what) {
	case hangUp:
		return errFault
	case silence:
		return errSilent
	case refuse:
		v.refuse("server_error", "something "+key)
		return errSilent
	}
	return nil
}

func (v *visit) send(o any) {
	b, err := json.Marshal(o)
	if err != nil {
		v.t.Error(err)
		return
	}
	_ = v.ws.Write(v.ctx, websocket.MessageText, b)
}

type object = map[string]any

func (v *visit) greet() error {
	if err := v.faulty("connect"); err != nil {
		if errors.Is(err, errSilent) {
			return nil
		}
		return err
	}
	switch v.variant {
	case realtime.OpenAI:
		v.send(object{"type": "session.created", "event_id": "e", "session": object{
			"type": "transcription", "object": "realtime.transcription_session", "id": "sess_1",
			"audio": object{"input": object{"format": object{"type": "audio/pcm", "rate": 24000}}},
		}})
	case realtime.VLLM:
		v.send(object{"type": "session.created", "id": "sess-1", "created": 17})
	default:
		v.send(object{"type": "session.created", "event_id": "e", "session": object{
			"id": "sess_1", "object": "realtime.session", "model": "m", "modalities": []string{"audio", "text"},
			"input_audio_format": "pcm16", "turn_detection": object{"type": "server_vad", "threshold": 0.9},
		}})
	}
	return nil
}

// refuse sends an error in the variant's form.
func (v *visit) refuse(code, text string) {
	switch v.variant {
	case realtime.VLLM:
		v.send(object{"type": "error", "error": text, "code": code})
	case realtime.OpenAI:
		v.send(object{"type": "error", "event_id": "e", "error": object{
			"type": "invalid_request_error", "code": code, "message": text, "param": nil,
		}})
	default:
		v.send(object{"type": "error", "event_id": "e", "error": object{"type": code, "message": text}})
	}
}

func (v *visit) handle(kind string, b []byte) error {
	switch kind {
	case "session.update":
		return v.update(b)
	case "input_audio_buffer.append":
		return v.append(b)
	case "input_audio_buffer.commit":
		return v.commit(b)
	}
	v.t.Errorf("unknown message %.100q", b)
	return errFault
}

// strictly decodes what has no other fields.
func strictly(b []byte, into any) error {
	d := json.NewDecoder(bytes.NewReader(b))
	d.DisallowUnknownFields()
	return d.Decode(into)
}

// openaiUpdate is the form of OpenAI's updates.
type openaiUpdate struct {
	Type, EventID string
	Session       struct {
		Type  string
		Audio struct {
			Input struct {
				Format struct {
					Type string
					Rate int
				}
				Transcription struct {
					Model, Language, Prompt string
					Keywords                []string
				}
				TurnDetection *json.RawMessage `json:"turn_detection"`
			}
		}
	}
}

// speachesUpdate is the form of updates of speaches, all of whose settings it wants.
type speachesUpdate struct {
	Type    string
	Session struct {
		Transcription struct{ Model, Language, Prompt string } `json:"input_audio_transcription"`
		TurnDetection *struct {
			Type           string
			CreateResponse *bool    `json:"create_response"`
			Padding        *int     `json:"prefix_padding_ms"`
			Silence        *int     `json:"silence_duration_ms"`
			Threshold      *float64 `json:"threshold"`
		} `json:"turn_detection"`
	}
}

func (v *visit) update(b []byte) error {
	v.note(func() { v.sets = append(v.sets, string(b)) })
	var err error
	switch v.variant {
	case realtime.OpenAI:
		var u openaiUpdate
		in := &u.Session.Audio.Input
		if err = strictly(b, &u); err == nil && (u.Session.Type != "transcription" || in.Format.Type != "audio/pcm" ||
			in.Format.Rate != 24000 || in.Transcription.Model == "" ||
			!bytes.Contains(b, []byte(`"turn_detection":null`))) {
			err = fmt.Errorf("update %s", b)
		}
		v.send(object{"type": "session.updated", "event_id": "e", "session": object{"type": "transcription"}})
	case realtime.VLLM:
		var u struct{ Type, Model string }
		if err = strictly(b, &u); err == nil && u.Model == "" {
			err = errors.New("no model")
		}
	default:
		var u speachesUpdate
		err = strictly(b, &u)
		if d := u.Session.TurnDetection; err == nil && (d == nil || d.CreateResponse == nil || d.Padding == nil ||
			d.Silence == nil || *d.Silence >= 2500 || d.Threshold == nil || *d.Threshold > 1) {
			err = fmt.Errorf("update %s", b)
		}
		v.refuse("invalid_request_error", "Specifying prefix_padding_ms is not supported")
		v.send(object{"type": "session.updated", "event_id": "e", "session": object{"input_audio_format": "pcm16"}})
	}
	if err != nil {
		v.t.Errorf("%s: %v", v.variant, err)
		return err
	}
	v.configured = true
	return nil
}

func (v *visit) append(b []byte) error {
	text, ok := bytes.CutSuffix(bytes.TrimPrefix(b, audioPrefix), []byte(`"}`))
	pcm, err := base64.StdEncoding.AppendDecode(nil, text)
	if err != nil || !ok || len(pcm) == 0 || len(pcm)%2 != 0 || len(b) > 15<<20 {
		v.t.Errorf("audio of %d bytes: %v: %.50s", len(pcm), err, b)
		return errFault
	}
	if v.served {
		v.t.Error("audio after the end of the only utterance")
	}
	before := len(v.samples)
	v.samples = slices.Grow(v.samples, len(pcm)/2)[:before+len(pcm)/2]
	audio.DecodePCM(v.samples[before:], pcm)
	for ; v.deltas && v.told < (v.heardSamples()+asr.Rate/100)/asr.Rate; v.told++ {
		v.delta(fmt.Sprintf(" word%d", v.told))
	}
	return nil
}

// heardSamples is the length of the audio at 16 kHz.
func (v *visit) heardSamples() int {
	if v.variant == realtime.VLLM {
		return len(v.samples)
	}
	return len(v.samples) * 2 / 3
}

func (v *visit) item() string { return fmt.Sprintf("item_%d_%d", v.number, v.items) }

func (v *visit) delta(text string) {
	if v.variant == realtime.VLLM {
		v.send(object{"type": "transcription.delta", "delta": text})
		return
	}
	v.send(object{"type": "conversation.item.input_audio_transcription.delta", "event_id": "e", "item_id": v.item(),
		"content_index": 0, "delta": text})
}

func (v *visit) commit(b []byte) error {
	var c struct {
		Type  string
		Final bool
	}
	if err := strictly(b, &c); err != nil {
		v.t.Error(err)
		return err
	}
	switch {
	case v.variant == realtime.VLLM && !v.configured:
		v.refuse("model_not_validated", "Model not validated")
		return nil
	case v.variant == realtime.VLLM && !c.Final:
		v.decoding = true
		return nil
	case v.variant == realtime.VLLM && !v.decoding:
		return nil // nothing would come of it
	case v.heardSamples() < asr.Rate/10:
		v.refuse("input_audio_buffer_commit_empty", "buffer too small")
		return nil
	}
	v.note(func() { v.heard = append(v.heard, v.heardSamples()) })
	return v.finals()
}

// finals sends the items of the utterance, the last first.
func (v *visit) finals() error {
	texts := []string{v.scripted()}
	if v.server.texts != nil {
		texts = v.server.texts()
	}
	if v.variant == realtime.VLLM {
		v.send(object{"type": "transcription.done", "text": texts[0], "usage": object{"total_tokens": 1}})
		v.served = true
		return nil
	}
	var items []string
	for range texts {
		items = append(items, v.item())
		v.send(object{"type": "input_audio_buffer.committed", "event_id": "e", "item_id": v.item(),
			"previous_item_id": nil})
		v.items++
	}
	for i := range slices.Backward(texts) {
		if err := v.faulty("completed"); err != nil {
			if errors.Is(err, errSilent) {
				return nil
			}
			return err
		}
		v.send(object{
			"type": "conversation.item.input_audio_transcription.completed", "event_id": "e", "item_id": items[i],
			"content_index": 0, "transcript": texts[i], "language": v.language,
			"usage": object{"type": "duration", "seconds": 1},
		})
	}
	v.samples, v.told = nil, 0
	return nil
}

// scripted makes words of the audio.
func (v *visit) scripted() string {
	samples := v.samples
	if v.variant != realtime.VLLM {
		samples = make([]int16, len(v.samples)*2/3)
		for i := range samples {
			samples[i] = v.samples[i*3/2]
		}
	}
	u, err := scripted.New(scripted.Config{}).Open(v.ctx, asr.Params{})
	if err == nil {
		err = errors.Join(u.Write(samples), u.End())
	}
	if err != nil {
		return ""
	}
	result, _ := u.Recv()
	return texts(result.Words)
}

func texts(words []asr.Word) string {
	var out []string
	for _, w := range words {
		out = append(out, w.Text)
	}
	return strings.Join(out, " ")
}

// serve serves over loopback.
func serve(t *testing.T, handler http.Handler, c realtime.Config) *realtime.Recognizer {
	t.Helper()
	s := httptest.NewServer(handler)
	t.Cleanup(s.Close)
	c.URL = s.URL + "/v1"
	if c.Key == "" {
		c.Key = key
	}
	return create(t, c)
}

func create(t *testing.T, c realtime.Config) *realtime.Recognizer {
	t.Helper()
	if c.Model == "" {
		c.Model = "whisper-1"
	}
	r, err := realtime.New(c)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = r.Close() })
	return r
}

func open(t *testing.T, r asr.Recognizer, p asr.Params) asr.Stream {
	t.Helper()
	u, err := r.Open(t.Context(), p)
	if err != nil {
		t.Fatal(err)
	}
	return u
}

// recognize speaks a second.
func recognize(t *testing.T, r asr.Recognizer, p asr.Params) (asr.Result, error) {
	t.Helper()
	u, err := r.Open(t.Context(), p)
	if err != nil {
		return asr.Result{}, err
	}
	if err := errors.Join(u.Write(asrtest.Ramp(asr.Rate, 1)), u.End()); err != nil {
		return asr.Result{}, err
	}
	for {
		if result, err := u.Recv(); err != nil || result.Final {
			return result, err
		}
	}
}

// each runs a test for each variant.
func each(t *testing.T, test func(t *testing.T, variant string)) {
	for _, variant := range realtime.Variants()[1:] {
		t.Run(variant, func(t *testing.T) { test(t, variant) })
	}
}
