package gateway

import (
	"encoding/binary"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/coder/websocket"

	"steno/gateway/dialect"
	"steno/gateway/web"
	"steno/messages"
)

// asking is a dialect whose clients have their sessions made: by the query key=KEY&endpointing=E,
// or by a first message "begin KEY ENDPOINTING". Its clients send audio with a number of four
// bytes, which is answered, cut and drop what is said, change settings, and are sent lines of text.
// They do not resume.
var asking = dialect.Dialect{
	Name: "asking", Paths: []string{"/asking"},
	Open: func(r *http.Request) (dialect.Opening, error) {
		o := dialect.Opening{
			Terms: dialect.Terms{
				Wants: messages.FilterOf(messages.KindSpeech, messages.KindMarked, messages.KindPartial,
					messages.KindFinal, messages.KindFailedAck, messages.KindEndRecording),
				Once: true, Grace: watchSoon,
			},
			Credential: r.URL.Query().Get("key"), Late: r.URL.Query().Has("late"),
			Header: http.Header{"X-Asking": {"yes"}}, Subprotocol: "asking",
			Greet: func(made *dialect.Created) [][]byte {
				if made == nil {
					return [][]byte{[]byte("who is it?")}
				}
				return [][]byte{[]byte("made " + made.ID)}
			},
			Parser: askingParser{}, Encoder: &askingEncoder{},
		}
		o.Listen = listenAsking
		if e := r.URL.Query().Get("endpointing"); e != "" {
			var err error
			o.Start, err = startAsking("", e)
			return o, err
		}
		return o, nil
	},
	Refuse: func(w http.ResponseWriter, _ *http.Request, p *messages.Problem) {
		w.WriteHeader(p.Status)
		_, _ = io.WriteString(w, "no: "+p.Message)
	},
}

// watchSoon is shorter than the time after which other clients are not waited for.
const watchSoon = 1

func startAsking(key, endpointing string) (*dialect.Start, error) {
	request, fault := messages.ParseLive([]byte(`{"endpointing":` + endpointing + `,
		"messages_config":{"receive_partial_transcripts":true},"custom_metadata":{"by":"asking"}}`))
	if fault != nil {
		return nil, fault
	}
	early := 0.1
	return &dialect.Start{
		Credential: key, Request: request, Again: true, Updates: []messages.Update{{Early: &early}},
	}, nil
}

func listenAsking(m dialect.Message) (*dialect.Start, error) {
	words := strings.Fields(string(m.Data))
	if m.Binary || len(words) < 3 || words[0] != "begin" {
		return nil, nil
	}
	return startAsking(words[1], words[2])
}

type askingParser struct{ plainParser }

func (askingParser) Text(text []byte, to dialect.Input) {
	verb, object, _ := strings.Cut(string(text), " ")
	switch verb {
	case "begin":
		to.Answer([]byte("begun"))
	case "cut", "drop":
		to.Mark(messages.Mark{ID: object, Discard: verb == "drop"})
	case "endpointing":
		seconds, _ := strconv.ParseFloat(object, 64)
		to.Update(messages.Update{Endpointing: &seconds})
	case "pause":
		seconds, _ := strconv.ParseFloat(object, 64)
		to.Update(messages.Update{SilenceAfter: &seconds})
	case "stop":
		to.Stop()
	case "leave":
		to.End(dialect.Ending{Why: dialect.Finished})
	default:
		to.Reject(fmt.Errorf("what is %s?", text))
	}
}

// Binary reads the number of a message and its audio. Messages of the test come in one piece.
func (askingParser) Binary(p []byte, last bool, to dialect.Input) {
	to.Audio(p[4:])
	if last {
		to.EndAudio()
		to.Answer(strconv.AppendUint([]byte("got "), uint64(binary.BigEndian.Uint32(p)), 10))
	}
}

type askingEncoder struct{ said int }

func (a *askingEncoder) Event(e *messages.Event, emit func([]byte)) {
	switch m := e.Message.(type) {
	case messages.Speech:
		emit(fmt.Appendf(nil, "speech %d %d by %d", m.Number, m.Stage, m.By))
	case messages.Marked:
		emit(fmt.Appendf(nil, "marked %s %g %v", m.Mark.ID, m.Time, m.Refused))
	case messages.AudioAck:
		emit([]byte(m.Refused))
	case messages.EndRecording:
		emit(fmt.Appendf(nil, "whole %g", m.Duration))
	case messages.Transcript:
		if m.IsFinal {
			a.said = 0
			emit(fmt.Appendf(nil, "final by %d:%s", m.By, m.Utterance.Text))
		} else if m.Settled > a.said { // words that are not taken back
			emit([]byte("+" + messages.TextOf(m.Utterance.Words[a.said:m.Settled])))
			a.said = m.Settled
		}
	case nil:
		if e.Kind == messages.KindAnswer {
			emit(e.Body)
		}
	}
}

func (a *askingEncoder) End(e dialect.Ending) (last []byte, code int, reason string) {
	if e.Why == dialect.Finished {
		return []byte("bye"), 1000, ""
	}
	return nil, 3000 + int(e.Why)*10, fmt.Sprint(e.Status)
}

// asker is a client of the dialect.
type asker struct {
	t     *testing.T
	conn  *websocket.Conn
	count uint32
	lines []string
}

// askingServer serves the dialect.
func askingServer(t *testing.T, r *testServer) (url string) {
	t.Helper()
	refused := func(http.ResponseWriter, *http.Request) error {
		return web.Problem(http.StatusNotFound, "a WebSocket is here")
	}
	handle := r.server.live.Upgrade(asking, refused)
	server := httptest.NewServer(r.server.operation(connects, access{socket: true}, handle))
	t.Cleanup(server.Close)
	return server.URL
}

// callAsking connects a client, which reads what it is greeted with.
func callAsking(t *testing.T, url, query string, greeting ...string) *asker {
	t.Helper()
	options := &websocket.DialOptions{Subprotocols: []string{"asking"}}
	conn, resp, err := websocket.Dial(t.Context(), url+"/?"+query, options)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.CloseNow() })
	if resp.Header.Get("X-Asking") != "yes" || conn.Subprotocol() != "asking" {
		t.Errorf("answered with %v", resp.Header)
	}
	a := &asker{t: t, conn: conn}
	for _, want := range greeting {
		if line := a.line(); !strings.HasPrefix(line, want) {
			t.Errorf("greeted with %q, want %q", line, want)
		}
	}
	return a
}

// line reads a line; "" is the end.
func (a *asker) line() string {
	_, text, err := a.conn.Read(a.t.Context())
	if err != nil {
		return ""
	}
	return string(text)
}

// until reads lines up to one with a prefix.
func (a *asker) until(prefix string) string {
	a.t.Helper()
	for {
		line := a.line()
		if line == "" {
			a.t.Fatalf("no %q within %q", prefix, a.lines)
		}
		a.lines = append(a.lines, line)
		if strings.HasPrefix(line, prefix) {
			return line
		}
	}
}

// speak sends audio, and reads the answer of each message.
func (a *asker) speak(audio []byte, size int) {
	a.t.Helper()
	for len(audio) > 0 {
		n := min(len(audio), size)
		a.count++
		if err := a.conn.Write(a.t.Context(), websocket.MessageBinary,
			append(binary.BigEndian.AppendUint32(nil, a.count), audio[:n]...)); err != nil {
			a.t.Fatal(err)
		}
		a.until(fmt.Sprintf("got %d", a.count))
		audio = audio[n:]
	}
}

// finals are the texts of those heard.
func (a *asker) finals() (all []string) {
	for _, line := range a.lines {
		if _, text, ok := strings.Cut(line, ":"); ok && strings.HasPrefix(line, "final") {
			all = append(all, strings.TrimSpace(text))
		}
	}
	return all
}

// A session that a dialect makes is as any other: its marks, updates and answers come in order, and
// how its audio was cut into messages decides nothing.
func TestADialectMakesSessions(t *testing.T) {
	r := newTestServer(t, nil)
	url := askingServer(t, r)
	var first []string
	for i, how := range []struct {
		query string
		size  int
		late  bool
	}{{"key=" + testKey + "&endpointing=0.3", 3200, false}, {"late", 5000, true}, {"key=" + testKey, 640, true}} {
		var a *asker
		if how.late {
			a = callAsking(t, url, how.query, "who is it?")
			say(t, a.conn, "hm", "begin "+testKey+" 0.3")
			a.until("made ")
			a.until("begun")
		} else {
			a = callAsking(t, url, how.query)
			a.until("made ")
		}
		id := strings.TrimPrefix(a.lines[0], "made ")
		a.speak(speech(4, 2), how.size)
		say(t, a.conn, "what")
		a.until("what is what?")
		say(t, a.conn, "cut one", "cut two", "endpointing 10")
		a.until("marked one 4 false")
		a.until("marked two 4 false")
		a.speak(speech(3, 5), how.size)
		say(t, a.conn, "drop three")
		a.until("marked three 7 false")
		a.speak(speech(3, 6), how.size)
		say(t, a.conn, "stop", "cut four")
		a.until("bye")
		if err := a.closed(); err != nil {
			t.Error(err)
		}
		finals := a.finals()
		want := r.result(id)
		joined := strings.Join(finals, " ")
		if joined != want.Transcription.FullTranscript || len(finals) < 2 || want.Metadata.AudioDuration != 10 {
			t.Errorf("finals %q, the record has %+v", finals, want.Transcription.FullTranscript)
		}
		if first == nil {
			first = finals
		}
		if fmt.Sprint(first) != fmt.Sprint(finals) {
			t.Errorf("client %d: finals %q, others had %q", i, finals, first)
		}
		whole := strings.Join(a.lines, "\n")
		for _, part := range []string{
			"speech 0 1 by 0", "speech 0 4 by", "final by 2", "final by 4", "+", "whole 10", "speech 0 5",
		} {
			if !strings.Contains(whole, part) {
				t.Errorf("no %q within %s", part, whole)
			}
		}
		if md := r.job(id).CustomMetadata; md["by"] != "asking" {
			t.Errorf("metadata %v", md)
		}
	}
}

// closed reads to the end, and returns an error unless that is as of a session that is done.
func (a *asker) closed() error {
	for {
		if _, text, err := a.conn.Read(a.t.Context()); err != nil {
			if code := websocket.CloseStatus(err); code != 1000 {
				return fmt.Errorf("closed with %d, %w", code, err)
			}
			return nil
		} else if a.lines = append(a.lines, string(text)); len(text) == 0 {
			return fmt.Errorf("an empty line")
		}
	}
}

// Clients are refused in the form of their dialect: before the WebSocket is accepted where that can
// be known, else by a close.
func TestADialectRefuses(t *testing.T) {
	r := newTestServer(t, nil)
	url := askingServer(t, r)
	for query, want := range map[string]int{
		"": 401, "key=wrong": 401, "key=wrong&endpointing=1": 401, "endpointing=1": 401,
		"key=" + testKey + "&endpointing=77": 400,
	} {
		_, resp, err := websocket.Dial(t.Context(), url+"/?"+query, nil)
		if err == nil || resp == nil || resp.StatusCode != want {
			t.Errorf("%s: %v, want %d", query, resp, want)
			continue
		}
		if body, _ := io.ReadAll(resp.Body); !strings.HasPrefix(string(body), "no: ") {
			t.Errorf("%s: answered with %s", query, body)
		}
	}
	for message, want := range map[string]string{
		"begin wrong 1": "401", "begin " + testKey + " 77": "0",
	} {
		a := callAsking(t, url, "late", "who is it?")
		say(t, a.conn, message)
		if _, text, err := a.conn.Read(t.Context()); !strings.Contains(fmt.Sprint(err), want) {
			t.Errorf("%s: %s, %v, want %s", message, text, err, want)
		}
	}
}

// The session of a client that does not resume ends soon after it is lost, and as soon as it has
// closed its connection.
func TestADialectWithoutResumes(t *testing.T) {
	r := newTestServer(t, nil)
	url := askingServer(t, r)
	for _, leave := range []func(*websocket.Conn){
		func(c *websocket.Conn) { _ = c.CloseNow() },
		func(c *websocket.Conn) { _ = c.Close(4000, "") },
	} {
		a := callAsking(t, url, "key="+testKey+"&endpointing=0.3")
		id := strings.TrimPrefix(a.until("made "), "made ")
		a.speak(speech(2, 2), 6400)
		leave(a.conn)
		r.awaitStatus(id, messages.StatusDone)
		if r.result(id).Transcription.FullTranscript == "" {
			t.Error("nothing is kept")
		}
	}
}

// An utterance ends when the client sends nothing for a while, and a client may be let go.
func TestADialectsPauses(t *testing.T) {
	r := newTestServer(t, nil)
	a := callAsking(t, askingServer(t, r), "key="+testKey+"&endpointing=10")
	a.until("made ")
	a.speak(speech(3, 2), 6400)
	say(t, a.conn, "pause 0.2")
	a.until("final by 1")
	a.speak(speech(3, 2), 6400)
	a.until("final by 1")
	say(t, a.conn, "pause 0", "leave")
	a.until("bye")
	if err := a.closed(); err != nil {
		t.Error(err)
	}
}

// A dialect's session is run again after a restart with the marks and updates of its client.
func TestADialectsSessionIsRunAgain(t *testing.T) {
	t.Parallel()
	r := newTestServer(t, func(c *Config) { c.Limits.ResumeWindow = 2 * time.Second })
	texts := make([]string, 2)
	for i := range texts {
		a := callAsking(t, askingServer(t, r), "key="+testKey+"&endpointing=10")
		id := strings.TrimPrefix(a.until("made "), "made ")
		a.speak(speech(2, 2), 6400)
		say(t, a.conn, "cut one")
		a.until("marked one")
		a.speak(speech(2, 3), 6400)
		say(t, a.conn, "drop two", "endpointing 0.05")
		a.until("marked two")
		a.speak(speech(1, 4), 6400)
		if i == 1 {
			r.restart()
		} else {
			_ = a.conn.Close(1000, "")
		}
		r.awaitStatus(id, messages.StatusDone)
		texts[i] = r.result(id).Transcription.FullTranscript
	}
	if texts[0] != texts[1] || len(texts[0]) < 10 {
		t.Errorf("%q, and after a restart %q", texts[0], texts[1])
	}
}
