package wyoming

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"reflect"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"steno/gateway/dialect"
	"steno/messages"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// Data of an event is that of its line and what follows it, which counts where both have a field.
func TestEvents(t *testing.T) {
	text := `{"type":"transcribe","data":{"language":"de","name":"a"},"data_length":14}` + "\n" + `{"name":"stt"}` +
		`{"type":"audio-chunk","data":{"rate":1},"payload_length":3,"version":"1"}` + "\n" + `abc{"type":"x"}` + "\n"
	r := bufio.NewReaderSize(strings.NewReader(text), maxLine)
	var got []string
	for {
		e, err := readEvent(r)
		if err == io.EOF {
			break
		}
		var s settings
		if err = errors.Join(err, e.read(&s)); err != nil {
			t.Fatal(err)
		}
		payload, _ := io.ReadAll(io.LimitReader(r, int64(e.payload)))
		got = append(got, fmt.Sprintf("%s %s %s %s", e.kind, s.Language, s.Model, payload))
	}
	if want := []string{"transcribe de stt ", "audio-chunk   abc", "x   "}; !reflect.DeepEqual(got, want) {
		t.Errorf("%q", got)
	}
}

// What is not an event is a fault, and so is the end of the connection within one.
func TestFaults(t *testing.T) {
	for text, want := range map[string]error{
		"":                                    io.EOF,
		"hello\n":                             errLine,
		"{}\n":                                errLine,
		`{"type":5}` + "\n":                   errLine,
		`{"type":"x"`:                         io.ErrUnexpectedEOF,
		strings.Repeat(" ", maxLine+1) + "\n": errLine,
		`{"type":"x","a":` + strings.Repeat("[", 20) + strings.Repeat("]", 20) + "}\n": errLine,
		`{"type":"x","data_length":-1}` + "\n":                                         errSizes,
		`{"type":"x","data_length":999999999}` + "\n":                                  errSizes,
		`{"type":"x","payload_length":99999999}` + "\n":                                errSizes,
		`{"type":"x","data_length":9}` + "\n{":                                         io.ErrUnexpectedEOF,
		`{"type":"x","data_length":1}` + "\n[":                                         errData,
		`{"type":"x","data":[]}` + "\n":                                                errData,
	} {
		e, err := readEvent(bufio.NewReaderSize(strings.NewReader(text), maxLine))
		if err == nil {
			err = e.read(&settings{})
		}
		if !errors.Is(err, want) {
			t.Errorf("%.80q: %v, want %v", text, err, want)
		}
	}
}

// opened opens a session with settings.
func opened(s settings) (dialect.Opening, error) {
	query := url.Values{parameter: {string(dialect.JSON(s))}}
	r := httptest.NewRequest("GET", "/?"+query.Encode(), nil)
	r.Header.Set("Authorization", "Bearer key")
	return open(r)
}

// The settings of a client are those of its session; vocabulary that is too much is left out.
func TestSettings(t *testing.T) {
	s := settings{
		Language: "en-US", Names: []string{"Kitchen", " ", strings.Repeat("a", 501)}, Terms: make([]string, 2000),
		Format: format{16000, 2, 1},
	}
	for i := range s.Terms {
		s.Terms[i] = fmt.Sprint("term ", i)
	}
	o, err := opened(s)
	if err != nil {
		t.Fatal(err)
	}
	r := o.Start.Request
	vocabulary := r.RealtimeProcessing.CustomVocabularyConfig.Vocabulary
	if r.SampleRate != 16000 || r.BitDepth != 16 || r.Channels != 1 || len(vocabulary) != maxTerms ||
		fmt.Sprint(r.LanguageConfig.Languages) != "[en]" || vocabulary[0].Value != "Kitchen" || o.Credential != "key" {
		t.Errorf("%+v, %d terms, %q", r, len(vocabulary), o.Credential)
	}
	for _, wrong := range []settings{
		{}, {Format: format{11025, 2, 1}}, {Format: format{16000, 9, 1}}, {Format: format{16000, 2, 99}},
		{Format: format{16000, 2, 1}, Language: "xx"}, {Format: format{16000, 2, 1}, Model: "other"},
	} {
		_, err := opened(wrong)
		if p, ok := errors.AsType[*messages.Problem](err); !ok || p.Status != http.StatusBadRequest {
			t.Errorf("%+v: %v", wrong, err)
		}
	}
}

// The transcript has all finals, each of which has come before as a chunk.
func TestTranscript(t *testing.T) {
	c, texts := &encoder{}, ""
	for _, m := range []messages.Message{
		messages.Transcript{IsFinal: true, Utterance: messages.Utterance{Text: " Turn on", Language: "en"}},
		messages.Transcript{IsFinal: true},
		messages.Transcript{IsFinal: true, Utterance: messages.Utterance{Text: " the <light>.", Language: "en"}},
		messages.EndRecording{},
	} {
		c.Event(&messages.Event{Message: m}, func(p []byte) { texts += string(p) })
	}
	want := `{"type":"transcript-start","data":{"language":"en"}}
{"type":"transcript-chunk","data":{"text":"Turn on"}}
{"type":"transcript-chunk","data":{"text":" the <light>."}}
{"type":"transcript","data":{"text":"Turn on the <light>.","language":"en"}}
{"type":"transcript-stop"}
`
	if texts != want {
		t.Errorf("%s", texts)
	}
	for why := dialect.Finished; why <= dialect.Refused; why++ {
		_, code, reason := c.End(dialect.Ending{Why: why})
		if (code == closeDone) != (why == dialect.Finished) || (reason == "") != (code == closeDone) {
			t.Errorf("%d: %d %q", why, code, reason)
		}
	}
}

// fakeLink is a session whose transcript is how many bytes it was sent.
type fakeLink struct {
	heard int
	texts chan string
}

func (l *fakeLink) Audio(_ context.Context, p []byte) error { l.heard += len(p); return nil }

func (l *fakeLink) Text(context.Context, []byte) error {
	l.texts <- string(line("transcript", spoken{Text: fmt.Sprint(l.heard)}))
	close(l.texts)
	return nil
}

func (l *fakeLink) Read(ctx context.Context) ([]byte, error) {
	select {
	case text, more := <-l.texts:
		if !more {
			return nil, &dialect.Closed{Code: closeDone}
		}
		return []byte(text), nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

func (l *fakeLink) Close() {}

// talk returns what a conversation answers to a text.
func talk(t testing.TB, text string) string {
	t.Helper()
	near, far := net.Pipe()
	over := make(chan struct{})
	go func() {
		defer close(over)
		defer func() { _ = far.Close() }()
		converse(t.Context(), &dialect.Port{
			Conn: far, Idle: time.Minute,
			Dial: func(_ context.Context, q url.Values) (dialect.Link, error) {
				if strings.Contains(q.Get(parameter), "full") {
					return nil, &messages.Problem{Status: http.StatusTooManyRequests, Message: "too many"}
				}
				return &fakeLink{texts: make(chan string, 1)}, nil
			},
			Models: func(context.Context) []messages.Model {
				return []messages.Model{
					{Model: "stt-1", Languages: []string{"en"}, Modes: []string{"live"}}, {Model: "stt-3"},
					{Model: "stt-2", Languages: []string{"en"}, Modes: []string{"pre-recorded"}},
				}
			},
		})
	}()
	go func() {
		_, _ = io.WriteString(near, text)
		_, _ = io.WriteString(near, `{"type":"ping","data":{"text":"end of the test"}}`+"\n")
	}()
	answer := readUntil(near, "end of the test")
	_ = near.Close()
	<-over
	return answer
}

// readUntil reads lines until one has a text.
func readUntil(conn net.Conn, end string) (text string) {
	lines := bufio.NewReader(conn)
	for {
		one, err := lines.ReadString('\n')
		if err != nil || strings.Contains(one, end) {
			return text
		}
		text += one
	}
}

// Events of clients, and answers.
const (
	testFormat = `{"rate":16000,"width":2,"channels":1}`
	testStart  = `{"type":"audio-start","data":` + testFormat + "}\n"
	testStop   = `{"type":"audio-stop"}` + "\n"
	nothing    = `{"type":"transcript","data":{"text":""}}` + "\n"
)

func testChunk(n int) string {
	return fmt.Sprintf(`{"type":"audio-chunk","data":%s,"payload_length":%d}`, testFormat, n) + "\n" +
		strings.Repeat("x", n)
}

// A connection has several utterances, and what else clients ask for in between.
func TestConversation(t *testing.T) {
	heard := func(n int) string { return fmt.Sprintf(`{"type":"transcript","data":{"text":"%d"}}`+"\n", n) }
	fault := func(text, code string) string {
		return fmt.Sprintf(`{"type":"error","data":{"text":%q,"code":%q}}`+"\n", text, code)
	}
	for text, want := range map[string]string{
		`{"type":"ping","data":{"text":"a"}}` + "\n": `{"type":"pong","data":{"text":"a"}}` + "\n",
		`{"type":"ping"}` + "\n":                     `{"type":"pong","data":{"text":null}}` + "\n",
		testStart + testChunk(10) + testChunk(70000) + testStop + testStart + testChunk(4) + testStop: "" +
			heard(70010) + heard(4),
		testChunk(6) + testStop: heard(6),
		testStart + testChunk(6) + testStart + testChunk(8) + testStop: heard(8),
		testStop: nothing,
		`{"type":"other","data":{"text":[]},"payload_length":2}` + "\nab" + testStop: nothing,
		`{"type":"transcribe","data":{"language":"full"}}` + "\n" + testStart:        fault("too many", "429"),
		"hello\n": fault(errLine.Error(), badEvent),
		`{"type":"audio-start","data":{"rate":"x"}}` + "\n": fault(errData.Error(), badEvent),
	} {
		if got := talk(t, text); got != want {
			t.Errorf("%.60q: %.300q, want %q", text, got, want)
		}
	}
}

// What is served is described with all that clients insist on.
func TestDescribe(t *testing.T) {
	var got struct {
		Data struct{ ASR []map[string]any }
	}
	text := talk(t, `{"type":"describe"}`+"\n")
	if err := json.Unmarshal([]byte(text), &got); err != nil || len(got.Data.ASR) != 1 {
		t.Fatalf("%s: %v", text, err)
	}
	models, _ := got.Data.ASR[0]["models"].([]any)
	if len(models) != 1 {
		t.Fatalf("%s", text)
	}
	for _, one := range []map[string]any{got.Data.ASR[0], models[0].(map[string]any)} {
		by, _ := one["attribution"].(map[string]any)
		if one["name"] == nil || one["installed"] != true || by["name"] == nil || by["url"] == nil {
			t.Errorf("%v", one)
		}
	}
	if fmt.Sprint(models[0].(map[string]any)["languages"]) != "[en]" {
		t.Errorf("%s", text)
	}
}

// FuzzEvents: whatever comes, what is read of it is within its bounds.
func FuzzEvents(f *testing.F) {
	for _, text := range []string{
		`{"type":"audio-chunk","data":{"rate":16000},"payload_length":3}` + "\nabc", "\n\n",
		`{"type":"transcribe","data_length":2}` + "\n{}", `{"type":"a","data":null,"data_length":4}` + "\nnull",
		`{"type":"transcribe","data":{"transcript_names":["a"]}}` + "\n",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		r := bufio.NewReaderSize(strings.NewReader(text), maxLine)
		for {
			e, err := readEvent(r)
			if err != nil {
				return
			}
			var s settings
			if e.kind == "" || e.payload < 0 || e.payload > maxPayload || len(e.data[1]) > maxData {
				t.Fatalf("%q: %+v", text, e)
			}
			if e.read(&s) == nil && e.read(&s.Format) == nil {
				if o, err := opened(s); err == nil && o.Start.Request == nil {
					t.Errorf("%+v opens nothing", s)
				}
			}
			_, _ = io.CopyN(io.Discard, r, int64(e.payload))
		}
	})
}
