package session

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"steno/messages"
	"steno/session/addon"
	"steno/session/addon/addontest"
	"steno/session/asr"
	"steno/session/asr/scripted"
)

// A score is a scenario as text: what each channel sounds like above, the events expected below.
// Every score is played live (small chunks, paced by a fake clock) and as a replay (in one call),
// with the same result.
//
//	request {"endpointing":0.3}
//	0: silence 1, speech 2, silence 1, noise -40 2
//	---
//	0 0 speech_start 1.0
//	0 0 speech_end 3.0
//	0 0 final
type score struct {
	request  string
	channels [][]float64
	expected []scoreEvent
}

type scoreEvent struct {
	channel, number int
	kind            string
	time            float64 // NaN where none is given
}

func (e scoreEvent) String() string {
	return fmt.Sprintf("%d %d %s %.3f", e.channel, e.number, e.kind, e.time)
}

// tolerance of the times in scores: they state where speech is, not where the detector sees it.
const tolerance = 0.25

func TestScores(t *testing.T) {
	files, err := filepath.Glob("testdata/scores/*.score")
	if err != nil || len(files) == 0 {
		t.Fatalf("no scores: %v", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".score"), func(t *testing.T) {
			s := readScore(t, file)
			audio := interleave(s.channels...)
			live := playLive(t, s.request, audio)
			replay := playReplay(t, s.request, audio)
			compareExpected(t, s.expected, scoreEvents(t, live))
			if a, b := utterancesText(t, live), utterancesText(t, replay); a != b {
				t.Errorf("live and replay differ:\n%s\n%s", a, b)
			}
			if a, b := scoreEvents(t, live), scoreEvents(t, replay); fmt.Sprint(a) != fmt.Sprint(b) {
				t.Errorf("events of live and replay differ:\n%v\n%v", a, b)
			}
		})
	}
}

// playLive feeds 20 ms of audio every 20 ms of fake time.
func playLive(t *testing.T, request string, audio []byte) *Memory {
	var m Memory
	synctest.Test(t, func(t *testing.T) {
		s := open(t, &m, request, asr.Live)
		for rest := audio; len(rest) > 0; {
			n := min(len(rest), s.run.format.TickBytes()*2)
			write(t, s, rest[:n])
			rest = rest[n:]
			time.Sleep(20 * time.Millisecond)
		}
		stopAndWait(t, s)
	})
	return &m
}

// playReplay writes everything in one call.
func playReplay(t *testing.T, request string, audio []byte) *Memory {
	var m Memory
	s := open(t, &m, request, asr.Replay)
	write(t, s, audio)
	stopAndWait(t, s)
	return &m
}

func open(t testing.TB, m Ledger, request string, p asr.Priority, sinks ...Sink) *Session {
	t.Helper()
	return openWith(t, m, request, p, multilingualRecognizer{scripted.New(scripted.Config{Context: true})}, sinks...)
}

func openWith(t testing.TB, m Ledger, request string, p asr.Priority, r asr.Recognizer, sinks ...Sink) *Session {
	t.Helper()
	c := configOf(t, m, request, p, sinks...)
	c.Recognizer = r
	s, err := Open(context.Background(), c)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// configOf returns the configuration of a session with a scripted recognizer.
func configOf(t testing.TB, m Ledger, request string, p asr.Priority, sinks ...Sink) Config {
	t.Helper()
	req, problem := messages.ParseLive([]byte(request))
	if problem != nil {
		t.Fatal(problem)
	}
	return Config{
		ID: "S", Request: req, Recognizer: multilingualRecognizer{scripted.New(scripted.Config{Context: true})},
		Ledger: m, Priority: p, Sinks: sinks,
		Addons: addon.NewLive(req, addontest.Providers{}.Table()),
	}
}

func write(t *testing.T, s *Session, p []byte) {
	t.Helper()
	if err := s.Write(context.Background(), p); err != nil {
		t.Fatal(err)
	}
}

func stopAndWait(t *testing.T, s *Session) {
	t.Helper()
	if err := s.Stop(context.Background(), true); err != nil {
		t.Fatal(err)
	}
	<-s.Done()
	if err := s.Err(); err != nil {
		t.Fatal(err)
	}
}

// utterancesText returns the finals in the result.
func utterancesText(t *testing.T, m *Memory) string {
	t.Helper()
	o := m.Outcome()
	if o == nil {
		t.Fatal("no outcome")
	}
	b, err := json.MarshalIndent(o.Result.Transcription.Utterances, "", " ")
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// scoreEvents lists the utterances' events, sorted by (channel, utterance, kind).
func scoreEvents(t *testing.T, m *Memory) []scoreEvent {
	t.Helper()
	var list []scoreEvent
	for _, e := range m.events {
		prefix, _, _ := strings.Cut(e.Key.String(), "/")
		channel, number, ok := messages.ParseUtteranceID(e.Subject)
		if !ok {
			continue
		}
		var body struct{ Data struct{ Time float64 } }
		if err := json.Unmarshal(e.Body, &body); err != nil {
			t.Fatal(err)
		}
		ev := scoreEvent{channel, int(number), prefix, body.Data.Time}
		if prefix == "final" {
			ev.time = math.NaN()
		}
		list = append(list, ev)
	}
	sortEvents(list)
	return list
}

func sortEvents(list []scoreEvent) {
	slices.SortFunc(list, func(a, b scoreEvent) int {
		return cmp.Or(cmp.Compare(a.channel, b.channel), cmp.Compare(a.number, b.number), cmp.Compare(a.kind, b.kind))
	})
}

func compareExpected(t *testing.T, want, got []scoreEvent) {
	t.Helper()
	same := len(want) == len(got)
	for i := 0; same && i < len(want); i++ {
		w, g := want[i], got[i]
		far := !math.IsNaN(w.time) && math.Abs(w.time-g.time) > tolerance
		same = w.channel == g.channel && w.number == g.number && w.kind == g.kind && !far
	}
	if !same {
		t.Errorf("events:\ngot  %v\nwant %v", got, want)
	}
}

func readScore(t *testing.T, file string) score {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	above, below, ok := strings.Cut(string(text), "\n---\n")
	if !ok {
		t.Fatalf("%s: no line ---", file)
	}
	s := score{request: "{}"}
	for line := range strings.Lines(above) {
		line = strings.TrimSpace(line)
		head, rest, _ := strings.Cut(line, " ")
		switch {
		case line == "" || line[0] == '#':
		case head == "request":
			s.request = rest
		default:
			s.channels = append(s.channels, sound(t, rest, uint64(len(s.channels))))
		}
	}
	for line := range strings.Lines(below) {
		if line = strings.TrimSpace(line); line != "" && line[0] != '#' {
			s.expected = append(s.expected, parseEvent(t, line))
		}
	}
	sortEvents(s.expected)
	return s
}

// sound returns the audio of a line such as "silence 1, speech 2, noise -40 2".
func sound(t *testing.T, text string, seed uint64) []float64 {
	t.Helper()
	var out []float64
	for part := range strings.SplitSeq(text, ",") {
		f := strings.Fields(part)
		n := parseNumber(t, f[len(f)-1])
		seed += 100
		switch f[0] {
		case "silence":
			out = append(out, whiteNoise(n, -80, seed)...)
		case "speech":
			out = append(out, voice(n, seed)...)
		case "noise":
			out = append(out, whiteNoise(n, parseNumber(t, f[1]), seed)...)
		default:
			t.Fatalf("unknown sound %q", f[0])
		}
	}
	return out
}

func parseEvent(t *testing.T, line string) scoreEvent {
	t.Helper()
	f := strings.Fields(line)
	e := scoreEvent{channel: int(parseNumber(t, f[0])), number: int(parseNumber(t, f[1])), kind: f[2], time: math.NaN()}
	if len(f) > 3 {
		e.time = parseNumber(t, f[3])
	}
	return e
}

func parseNumber(t *testing.T, text string) float64 {
	t.Helper()
	n, err := strconv.ParseFloat(text, 64)
	if err != nil {
		t.Fatal(err)
	}
	return n
}
