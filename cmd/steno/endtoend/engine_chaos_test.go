package endtoend_test

import (
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"steno/audio"
	"steno/cmd/cmdtest"
	"steno/loadtest"
	"steno/messages"
	"steno/session"
	"steno/session/asr"
	"steno/session/asr/scripted"
)

// chaosFor is how long engines are killed and connections cut: STENO_CHAOS, or a short while.
func chaosFor(t *testing.T) time.Duration {
	if text := os.Getenv("STENO_CHAOS"); text != "" {
		d, err := time.ParseDuration(text)
		if err != nil {
			t.Fatal(err)
		}
		return d
	}
	return 10 * time.Second
}

// TestEnginesComeAndGo kills engine processes and cuts the connections to remote ones at random,
// under four sessions. No final is missing, those of the usual engine are the same as without the
// faults, and those of another engine state so.
func TestEnginesComeAndGo(t *testing.T) {
	if testing.Short() {
		t.Skip("builds and starts the programs")
	}
	needSphinx(t)
	span := chaosFor(t)
	bin := build(t)
	c := newEngineChaos(t, bin)
	g := newGateway(t, bin, "auto", "STENO_CONFIG="+c.config(t))
	heard := c.speak(t, g, span)

	want := undisturbed(t, c.clip, span)
	var finals, stoodIn int
	for client := range c.sessions {
		got := heard[client]
		for _, u := range want[:len(want)-1] { // the last one may be cut short by the end
			final, ok := got[u.id]
			switch {
			case !ok:
				t.Errorf("client %d: no final of %s", client, u.id)
			case final.Engine == "" && final.Text != u.text:
				t.Errorf("client %d: %s is %q, want %q", client, u.id, final.Text, u.text)
			case final.Engine != "" && final.Engine != "sphinx":
				t.Errorf("client %d: %q stood in for %s", client, final.Engine, u.id)
			}
			finals++
			if final.Engine != "" {
				stoodIn++
			}
		}
	}
	t.Logf("%v, %d finals, %d by the engine that stood in, %d cuts, %d kills", span, finals, stoodIn, c.cuts, c.kills)
	if c.cuts == 0 || c.kills == 0 {
		t.Error("nothing was broken")
	}
}

// engineChaos is what takes part: two engine processes that are reached through proxies, over TLS,
// and the audio.
type engineChaos struct {
	bin      string
	sessions int
	clip     *loadtest.Clip
	tls      tlsFiles
	far      []*farEngine
	cuts     int
	kills    int
}

func newEngineChaos(t *testing.T, bin string) *engineChaos {
	c := &engineChaos{
		bin: bin, sessions: 4, tls: newTLSFiles(t),
		clip: &loadtest.Clip{
			Name: "babble", Format: audio.Format{Encoding: audio.PCM, BitDepth: 16, SampleRate: clipRate, Channels: 1},
			Data: babble(t).pcm,
		},
	}
	for range 2 {
		c.far = append(c.far, newFarEngine(t, bin, c.tls))
	}
	return c
}

// config has the remote engines meant, and PocketSphinx stand in.
func (c *engineChaos) config(t *testing.T) string {
	path := filepath.Join(t.TempDir(), "steno.yml")
	text := fmt.Sprintf(`
engines:
  patience: 300ms
  sphinx: {slots: 2, decoders: 2}
  more:
    far:
      riva: {addresses: [%q, %q], tls: {enabled: true, ca: %q, server_name: localhost}}
models:
  stt-1: {engines: [far, sphinx]}
  stt-3: {engines: [far]}
`, c.far[0].proxy.address(), c.far[1].proxy.address(), c.tls.cert)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// speak runs the sessions, and breaks things meanwhile. It returns each client's finals by
// utterance.
func (c *engineChaos) speak(t *testing.T, g *gateway, span time.Duration) []map[string]messages.Utterance {
	heard := make([]map[string]messages.Utterance, c.sessions)
	for i := range heard {
		heard[i] = map[string]messages.Utterance{}
	}
	ctx, cancel := context.WithCancel(t.Context())
	var breaking sync.WaitGroup
	breaking.Go(func() { c.breakThings(ctx, t, g) })
	report, err := loadtest.Run(t.Context(), loadtest.Options{
		URL: g.url(), Key: testKey, Clips: []*loadtest.Clip{c.clip}, Sessions: c.sessions, Duration: span,
		Endpointing: 0.3, Languages: []string{"en"},
		Transcript: func(h loadtest.Transcript) { // one call at a time for each client
			if h.Final {
				heard[h.Client][h.ID] = h.Utterance
			}
		},
	})
	cancel()
	breaking.Wait()
	if err != nil {
		t.Fatal(err)
	}
	if !report.OK() {
		var text strings.Builder
		_ = report.WriteText(&text)
		t.Errorf("not every session came through:\n%s", &text)
	}
	return heard
}

// breakThings breaks something every second or so: a connection, a remote engine, both, or the
// fallback.
func (c *engineChaos) breakThings(ctx context.Context, t *testing.T, g *gateway) {
	r := rand.New(rand.NewPCG(4, 2))
	for {
		select {
		case <-time.After(time.Duration(300+r.IntN(1200)) * time.Millisecond):
		case <-ctx.Done():
			return
		}
		one := c.far[r.IntN(len(c.far))]
		switch r.IntN(6) {
		case 0, 1, 2:
			one.proxy.cut()
			c.cuts++
		case 3:
			one.restart(ctx, t, time.Duration(r.IntN(1000))*time.Millisecond)
			c.kills++
		case 4: // no remote engine can be reached for a while
			for _, e := range c.far {
				e.proxy.refuse(true)
			}
			time.Sleep(time.Duration(500+r.IntN(1500)) * time.Millisecond)
			for _, e := range c.far {
				e.proxy.refuse(false)
			}
			c.cuts++
		case 5:
			if g.killEngine() == nil { // it may be starting
				c.kills++
			}
		}
	}
}

// farEngine is an engine process on an address of its own, reached through a proxy that outlives
// it.
type farEngine struct {
	bin    string
	tls    tlsFiles
	listen string
	proxy  *cutter
	cmd    *exec.Cmd
}

func newFarEngine(t *testing.T, bin string, files tlsFiles) *farEngine {
	e := &farEngine{bin: bin, tls: files, listen: cmdtest.Address(t)}
	e.proxy = newCutter(t, e.listen)
	if err := e.start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(e.kill)
	return e
}

func (e *farEngine) start() error {
	e.cmd = exec.Command(filepath.Join(e.bin, "steno-engine"), "--engine=scripted", "--scripted-delay=30ms",
		"--listen="+e.listen,
		"--tls-cert="+e.tls.cert, "--tls-key="+e.tls.key, "--exit-with-stdin")
	if _, err := e.cmd.StdinPipe(); err != nil { // ends with the process of the test
		return err
	}
	return e.cmd.Start()
}

func (e *farEngine) kill() {
	_ = e.cmd.Process.Kill()
	_ = e.cmd.Wait() // it was killed
}

func (e *farEngine) restart(ctx context.Context, t *testing.T, pause time.Duration) {
	e.kill()
	select {
	case <-time.After(pause):
	case <-ctx.Done():
	}
	if err := e.start(); err != nil {
		t.Error(err)
	}
}

// cutter forwards TCP connections and cuts them on demand.
type cutter struct {
	listener net.Listener
	target   string
	tasks    sync.WaitGroup

	mu       sync.Mutex
	refusing bool
	open     map[net.Conn]struct{}
}

func newCutter(t *testing.T, target string) *cutter {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	c := &cutter{listener: l, target: target, open: map[net.Conn]struct{}{}}
	c.tasks.Go(c.accept)
	t.Cleanup(func() {
		_ = l.Close()
		c.cut()
		c.tasks.Wait()
	})
	return c
}

func (c *cutter) address() string { return c.listener.Addr().String() }

func (c *cutter) accept() {
	for {
		near, err := c.listener.Accept()
		if err != nil {
			return
		}
		far, err := net.Dial("tcp", c.target)
		if err != nil || !c.hold(near, far) {
			_ = near.Close()
			continue
		}
		for _, pair := range [][2]net.Conn{{near, far}, {far, near}} {
			c.tasks.Go(func() {
				_, _ = io.Copy(pair[0], pair[1]) // ends with either connection
				c.drop(near, far)
			})
		}
	}
}

func (c *cutter) hold(both ...net.Conn) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, conn := range both {
		if c.refusing {
			_ = conn.Close()
		} else {
			c.open[conn] = struct{}{}
		}
	}
	return !c.refusing
}

func (c *cutter) drop(both ...net.Conn) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, conn := range both {
		_ = conn.Close()
		delete(c.open, conn)
	}
}

// cut ends all connections.
func (c *cutter) cut() {
	c.mu.Lock()
	defer c.mu.Unlock()
	for conn := range c.open {
		_ = conn.Close()
	}
}

// refuse takes no connections any more, or again.
func (c *cutter) refuse(yes bool) {
	c.mu.Lock()
	c.refusing = yes
	c.mu.Unlock()
	if yes {
		c.cut()
	}
}

// said is an utterance as it ought to be.
type said struct{ id, text string }

// undisturbed returns the finals of the usual engine for the clip played for that long.
func undisturbed(t *testing.T, clip *loadtest.Clip, span time.Duration) []said {
	t.Helper()
	request, problem := messages.ParseLive([]byte(`{"endpointing":0.3,"language_config":{"languages":["en"]}}`))
	if problem != nil {
		t.Fatal(problem)
	}
	var list spoken
	s, err := session.Open(t.Context(), session.Config{
		ID: "S", Request: request, Recognizer: scripted.New(scripted.Config{}), Ledger: &session.Memory{NoAudio: true},
		Sinks: []session.Sink{&list}, Priority: asr.Replay,
	})
	if err != nil {
		t.Fatal(err)
	}
	bytes := int(span.Seconds()*clipRate) * 2
	for rest := bytes; rest > 0; rest -= len(clip.Data) {
		if err := s.Write(t.Context(), clip.Data[:min(rest, len(clip.Data))]); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.Stop(t.Context(), false); err != nil {
		t.Fatal(err)
	}
	<-s.Done()
	if len(list) < 3 {
		t.Fatalf("%d utterances in the clip: nothing is tested", len(list))
	}
	return list
}
