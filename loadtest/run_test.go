package loadtest

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"math"
	"math/rand/v2"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"steno/audio"
)

var mono16 = audio.Format{Encoding: audio.PCM, BitDepth: 16, SampleRate: 16000, Channels: 1}

// telephone is of the fewest bytes.
var telephone = audio.Format{Encoding: audio.MuLaw, BitDepth: 8, SampleRate: 8000, Channels: 1}

// noise is a recording without two places alike.
func noise(name string, f audio.Format, d time.Duration, seed uint64) *Clip {
	c := &Clip{Name: name, Format: f}
	c.Data = make([]byte, int(d.Seconds()*float64(f.SampleRate))*f.FrameBytes())
	r := rand.New(rand.NewPCG(seed, 1))
	for i := range c.Data {
		c.Data[i] = byte(r.Uint32())
	}
	return c
}

func runOn(t *testing.T, s *server, change func(*Options)) *Report {
	t.Helper()
	o := Options{URL: s.URL, Key: "secret", Clips: []*Clip{noise("one", mono16, time.Second, 1)}, Sessions: 1,
		Partials: true, Patience: 20 * time.Second}
	if change != nil {
		change(&o)
	}
	r, err := Run(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestRunMeasuresAWholeSession(t *testing.T) {
	s := newServer(t, nil)
	clip := noise("one", mono16, time.Second, 1)
	var heard []Transcript
	r := runOn(t, s, func(o *Options) {
		o.Clips = []*Clip{clip}
		o.Transcript = func(h Transcript) { heard = append(heard, h) }
	})
	if !r.OK() || r.Done != 1 || r.Finals != 3 || r.Partials != 3 || r.Closes[1000] != 1 || r.Reconnects != 0 {
		t.Errorf("report %+v", r)
	}
	if got := s.sessions["session-0"].journal; !bytes.Equal(got, clip.Data) {
		t.Errorf("server has %d bytes, not the %d of the recording", len(got), len(clip.Data))
	}
	if len(heard) != 6 || !heard[1].Final || heard[1].ID != "00_00000000" || heard[1].Utterance.Text != " word 0." {
		t.Fatalf("heard %+v", heard)
	}
	// An utterance is sent when 0.3 s are there and ended at 0.25 s.
	if d := r.Delays.Final; d.Count != 3 || d.P50 < 0.03 {
		t.Errorf("final delay %+v, shorter than the server can be", d)
	}
	if r.Delays.Partial.Count != 3 || r.Delays.Decision.Count != 3 {
		t.Errorf("delays %+v", r.Delays)
	}
	// of 50 frames, of which a client that is late sends several in one
	for _, d := range []Delay{r.Delays.Ack, r.Delays.Lag} {
		if d.Count < 1 || d.Count > 50 {
			t.Errorf("%d delays of 50 frames", d.Count)
		}
	}
	// one of the three is in the middle, or on time's edge
	if n := r.Delays.First.Count + r.Delays.Last.Count; n == 0 || n > 3 {
		t.Errorf("thirds %+v and %+v", r.Delays.First, r.Delays.Last)
	}
	if r.Wall < 1 {
		t.Errorf("a second of audio was streamed in %g s", r.Wall)
	}
}

func TestRunSurvivesLostSockets(t *testing.T) {
	s := newServer(t, func(s *server) { s.cutEvery, s.cutAtStop = 13, true })
	clip := noise("one", mono16, time.Second, 2)
	r := runOn(t, s, func(o *Options) { o.Clips = []*Clip{clip} })
	if !r.OK() || r.Done != 1 || r.Finals != 3 || r.Reconnects < 2 || r.Closes[-1] != r.Reconnects ||
		r.Closes[1000] != 1 {
		t.Errorf("report %+v", r)
	}
	if r.Repeats == 0 {
		t.Error("no final was repeated, though the server sends all of them on each socket")
	}
	if got := s.sessions["session-0"].journal; !bytes.Equal(got, clip.Data) {
		t.Errorf("server has %d bytes, not the %d of the recording", len(got), len(clip.Data))
	}
}

func TestRunTellsWhatWentWrong(t *testing.T) {
	tests := []struct {
		name    string
		server  func(*server)
		options func(*Options)
		want    func(*Report) bool
	}{
		{"final lost", func(s *server) { s.swallow = 2 }, nil, func(r *Report) bool {
			return r.Missing == 1 &&
				r.Done == 1 && !r.OK()
		}},
		{"misuse", func(s *server) { s.closeWith = 4400 }, nil, func(r *Report) bool {
			return r.Failed == 1 &&
				r.Closes[4400] == 1 && r.Reconnects == 0
		}},
		{"early end", func(s *server) { s.closeWith = 1000 }, nil, func(r *Report) bool {
			return r.Failed == 1 &&
				r.Closes[1000] == 1
		}},
		{"restart", func(s *server) { s.closeWith = 1012 }, nil, func(r *Report) bool {
			return r.OK() &&
				r.Closes[1012] == 1 && r.Reconnects == 1
		}},
		{"full once", func(s *server) { s.refuse = 1 }, nil, func(r *Report) bool { return r.OK() && r.Done == 1 }},
		{"full", func(s *server) { s.refuse = 2 }, nil, func(r *Report) bool { return r.Failed == 1 && !r.OK() }},
		{"wrong key", nil, func(o *Options) { o.Key = "guess" }, func(r *Report) bool {
			return r.Failed == 1 && r.Errors["session: create session: refused with 401: key unknown"] == 1
		}},
		{"no end", func(s *server) { s.cutAtStop = true }, func(o *Options) { o.Patience = time.Millisecond },
			func(r *Report) bool {
				return r.Failed == 1 && r.Errors["session: "+errLate.Error()] == 1
			}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if r := runOn(t, newServer(t, tt.server), tt.options); !tt.want(r) {
				t.Errorf("report %+v", r)
			}
		})
	}
}

func TestRunOfManyFollowsTheDuration(t *testing.T) {
	s := newServer(t, nil)
	clips := []*Clip{
		noise("a", mono16, 300*time.Millisecond, 1),
		noise("b", audio.Format{Encoding: audio.MuLaw, BitDepth: 8, SampleRate: 8000, Channels: 1},
			400*time.Millisecond, 2),
		noise("c", mono16, 200*time.Millisecond, 3),
	}
	var mu sync.Mutex
	clients := map[int]bool{}
	r := runOn(t, s, func(o *Options) {
		o.Clips, o.Sessions, o.Duration = clips, 3, 700*time.Millisecond
		o.Transcript = func(h Transcript) {
			mu.Lock()
			defer mu.Unlock()
			clients[h.Client] = true
		}
	})
	if !r.OK() || r.Done != 3 || len(clients) != 3 {
		t.Errorf("report %+v, clients %v", r, clients)
	}
	a, c := clips[0].Data, clips[2].Data
	want := [][]byte{
		bytes.Join([][]byte{a, c, a[:6400]}, nil),
		append(bytes.Clone(clips[1].Data), clips[1].Data[:2400]...),
		bytes.Join([][]byte{c, a, c}, nil),
	}
	for _, v := range s.sessions {
		found := false
		for _, w := range want {
			found = found || bytes.Equal(v.journal, w)
		}
		if !found {
			t.Errorf("a session has %d bytes that no client should have sent", len(v.journal))
		}
	}
}

func TestRunReportsProgress(t *testing.T) {
	const span = 1500 * time.Millisecond
	var steps []Progress
	r := runOn(t, newServer(t, nil), func(o *Options) {
		o.Clips = []*Clip{noise("one", mono16, span, 1)}
		o.Progress = func(p Progress) { steps = append(steps, p) }
	})
	if len(steps) == 0 || steps[0].Span < span || steps[0].Span > span+20*time.Millisecond || steps[0].Elapsed <
		time.Second || steps[0].Finals == 0 || steps[0].Finals > r.Finals {
		t.Errorf("progress %+v", steps)
	}
}

func TestRunPlaysEveryRecordingOnce(t *testing.T) {
	s := newServer(t, nil)
	var clips []*Clip
	for i := range 3 {
		clips = append(clips, noise("c", mono16, 100*time.Millisecond, uint64(i)))
	}
	r := runOn(t, s, func(o *Options) { o.Clips, o.Sessions = clips, 2 })
	if !r.OK() || r.Done != 3 {
		t.Errorf("report %+v", r)
	}
}

func TestRunEndsWithItsContext(t *testing.T) {
	s := newServer(t, nil)
	ctx, cancel := context.WithCancelCause(t.Context())
	why := errors.New("enough")
	o := Options{URL: s.URL, Key: "secret", Clips: []*Clip{noise("long", telephone, time.Minute, 1)}, Sessions: 3}
	o.Transcript = func(Transcript) { cancel(why) }
	o.Partials = true
	r, err := Run(ctx, o)
	if !errors.Is(err, why) || r == nil || r.Done != 0 || r.Partials == 0 || len(r.Errors) > 0 {
		t.Errorf("error %v, report %+v", err, r)
	}
	if len(s.sessions) == 0 || len(s.cancelled) != len(s.sessions) || !s.cancelled["session-0"] {
		t.Errorf("of %d sessions these are cancelled: %v", len(s.sessions), s.cancelled)
	}
}

func TestOptionsAreChecked(t *testing.T) {
	good := Options{URL: "http://localhost", Clips: []*Clip{noise("a", mono16, time.Second, 1)}, Sessions: 1}
	for name, change := range map[string]func(*Options){
		"URL must":    func(o *Options) { o.URL = "localhost:80" },
		"recordings":  func(o *Options) { o.Clips = nil },
		"sessions":    func(o *Options) { o.Sessions = 0 },
		"chunk":       func(o *Options) { o.Chunk = time.Millisecond },
		"duration":    func(o *Options) { o.Duration = time.Millisecond },
		"start":       func(o *Options) { o.RandomStart = true },
		"patience":    func(o *Options) { o.Patience = -1 },
		"endpointing": func(o *Options) { o.Endpointing = math.NaN() },
		"utterance":   func(o *Options) { o.MaxUtterance = -1 },
		"good as one": nil,
	} {
		o := good
		if change != nil {
			change(&o)
		}
		if err := o.withDefaults().check(); (err == nil) != (change == nil) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestAddressIsChecked wants what is wrong with an address said in words that help to write it.
func TestAddressIsChecked(t *testing.T) {
	for address, want := range map[string]string{
		"localhost:80":   `must begin with http:// or https://, not "localhost:80"`,
		"127.0.0.1:8080": `must begin with http:// or https://, not "127.0.0.1:8080"`,
		"http://":        `has no host: "http://"`,
	} {
		if err := (Options{URL: address}).withDefaults().check(); err == nil || err.Error() !=
			"address of the gateway "+want {
			t.Errorf("%s: %v", address, err)
		}
	}
}

func TestClientsAreNotInStep(t *testing.T) {
	o := Options{Sessions: 500, Chunk: 100 * time.Millisecond, Seed: 7}
	const slots = 20
	var filled [slots]int
	for _, d := range o.beginnings() {
		filled[d%o.Chunk*slots/o.Chunk]++
	}
	for i, n := range filled { // 25 each are expected, with a standard deviation of 5
		if n < 5 || n > 50 {
			t.Errorf("%d of 500 clients send in part %d of %d of a chunk", n, i, slots)
		}
	}
	if !slices.Equal(o.beginnings(), o.beginnings()) {
		t.Error("a seed makes two different runs")
	}
}

func TestRandomStartGoesRoundTheRecordings(t *testing.T) {
	clips := []*Clip{noise("a", mono16, time.Second, 1), noise("b", mono16, 2*time.Second, 2)}
	o := Options{Clips: clips, Sessions: 40, Duration: 7 * time.Second, RandomStart: true}
	round := slices.Concat(clips[0].Data, clips[1].Data)
	rounds := bytes.Repeat(round, 5)
	starts := map[int]bool{}
	for i := 0; i < o.Sessions; i += 2 { // these begin with the first recording
		track := o.tracks(i, clips)[0]
		played := track.read(0, track.length)
		at := bytes.Index(rounds, played[:1000])
		if at < 0 || at%2 != 0 || !bytes.Equal(played, rounds[at:at+len(played)]) {
			t.Fatalf("client %d plays what no recording holds at %d", i, at)
		}
		starts[at] = true
	}
	if len(starts) < 15 {
		t.Errorf("20 clients begin at %d places", len(starts))
	}
}

func TestCheck(t *testing.T) {
	s := newServer(t, nil)
	if err := Check(t.Context(), s.URL, "secret"); err != nil {
		t.Errorf("a gateway that is ready: %v", err)
	}
	if err := Check(t.Context(), s.URL, "guess"); err == nil || !strings.Contains(err.Error(), "401") {
		t.Errorf("a wrong key: %v", err)
	}
	s.refuse = 1
	if err := Check(t.Context(), s.URL, "secret"); err == nil || !strings.Contains(err.Error(), "503") {
		t.Errorf("a gateway that is not ready: %v", err)
	}
}

func TestReportIsReadable(t *testing.T) {
	r := runOn(t, newServer(t, nil), nil)
	var text strings.Builder
	if err := r.WriteText(&text); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"audio → ack", "end of speech → final", "1 done, 0 failed", "missing 0", "1000: 1"} {
		if !strings.Contains(text.String(), want) {
			t.Errorf("%q is not in\n%s", want, &text)
		}
	}
	b, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	var back struct {
		Finals int
		Delays map[string]Delay
	}
	if err := json.Unmarshal(b, &back); err != nil || back.Finals != 3 || back.Delays["final"].Count != 3 {
		t.Errorf("%s: %v", b, err)
	}
}

func TestLoadClips(t *testing.T) {
	dir := t.TempDir()
	c := noise("a.wav", mono16, 50*time.Millisecond, 1)
	put := func(name string, parts ...[]byte) {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, bytes.Join(parts, nil), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	put("b/a.wav", audio.WAVHeader(mono16, int64(len(c.Data))), c.Data)
	put("broken.wav", []byte("RIFF"))
	put("notes.txt", []byte("no audio"))
	clips, skipped, err := LoadClips(dir)
	if err != nil || len(clips) != 1 || len(skipped) != 1 || !strings.Contains(skipped[0].Error(), "broken.wav: ") {
		t.Fatalf("%v, left out %v, error %v", clips, skipped, err)
	}
	if got := clips[0]; got.Name != filepath.Join("b", "a.wav") || got.Format != mono16 ||
		!bytes.Equal(got.Data, c.Data) {
		t.Errorf("clip %s %v, %d bytes", got.Name, got.Format, len(got.Data))
	}
	if _, _, err := LoadClips(filepath.Join(dir, "broken.wav")); err == nil {
		t.Error("a broken file was taken")
	}
	if _, _, err := LoadClips(filepath.Join(dir, "none")); err == nil {
		t.Error("a missing folder was taken")
	}
}

func TestReportHoldsNoKey(t *testing.T) {
	r := runOn(t, newServer(t, nil), func(o *Options) {
		o.URL = strings.Replace(o.URL, "http://",
			"http://gladys:hush@", 1)
	})
	if !r.OK() || r.Done != 1 {
		t.Errorf("report %+v", r)
	}
	for name, text := range formsOf(t, r) {
		if strings.Contains(text, "hush") || strings.Contains(text, "gladys") {
			t.Errorf("%s holds the password of the address:\n%s", name, text)
		}
	}
}

func TestErrorsOfAServerControlNoTerminal(t *testing.T) {
	f := newFigures(time.Now(), time.Second)
	f.trouble("session: %s", "\x1b[2Jgone\nsessions: 5 done")
	for kind := range f.errs {
		if kind != "session:  [2Jgone sessions: 5 done" {
			t.Errorf("error %q", kind)
		}
	}
}

func TestTextWithoutSocketsTellsOfNone(t *testing.T) {
	for closes, want := range map[int]bool{0: false, 2: true} {
		r := &Report{Closes: map[int]int{}}
		if closes > 0 {
			r.Closes[1000] = closes
		}
		if text := formsOf(t, r)["text"]; strings.Contains(text, "closed with") != want || want &&
			!strings.Contains(text, "sockets closed with 1000: 2\n") {
			t.Errorf("%d sockets were closed:\n%s", closes, text)
		}
	}
}

func TestReportTellsWhatWasAskedFor(t *testing.T) {
	r := runOn(t, newServer(t, nil), func(o *Options) {
		o.Endpointing, o.MaxUtterance, o.Languages = 0.3, 4,
			[]string{"en", "de"}
	})
	if l := r.Load; l.Endpointing != 0.3 || l.MaxUtterance != 4 || len(l.Languages) != 2 || l.NoPartials {
		t.Errorf("load %+v", l)
	}
	page := formsOf(t, r)["page"]
	for _, want := range []string{"<dt>Endpointing</dt><dd>300 ms</dd>", "<dt>Utterances cut</dt><dd>after 4 s</dd>",
		"<dt>Languages</dt><dd>en, de</dd>"} {
		if !strings.Contains(page, want) {
			t.Errorf("the page does not tell %s", want)
		}
	}
}

func TestSessionWithoutASocketTellsWhy(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		mux := http.NewServeMux()
		mux.HandleFunc("POST /v2/live", func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Connection", "close")
			_, _ = w.Write([]byte(`{"id":"one","url":"ws://127.0.0.1:1/elsewhere?token=hush"}`))
		})
		network := serveInMemory(t, mux)
		for name, want := range map[string]string{"refused": "but got 404", "away": "nobody is there"} {
			o := Options{URL: "http://127.0.0.1:1", Clips: []*Clip{noise("one", mono16, time.Second, 1)}, Sessions: 1,
				Patience: 5 * time.Second}
			asked := false
			o.dial = func(ctx context.Context, kind, address string) (net.Conn, error) {
				if name == "away" && asked {
					return nil, errors.New("nobody is there")
				}
				asked = true
				return network(ctx, kind, address)
			}
			r, err := Run(t.Context(), o)
			if err != nil || r.Failed != 1 || len(r.Errors) != 1 {
				t.Errorf("%s: report %+v, error %v", name, r, err)
			}
			for text := range r.Errors {
				if !strings.Contains(text, "not closed in time") || !strings.Contains(text, want) ||
					strings.Contains(text, "hush") {
					t.Errorf("%s: %s", name, text)
				}
			}
		}
	})
}
