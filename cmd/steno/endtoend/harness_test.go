package endtoend_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/coder/websocket"

	"steno/cmd/cmdtest"
	"steno/session/asr/models"
)

// The API key that all gateways of these tests know.
const testKey = "key-of-the-end-to-end-tests"

// readyWithin is how long a gateway may take until it serves, models loaded.
const readyWithin = 5 * time.Minute

// orphanWithin is how long an engine may take to notice that its gateway is gone.
const orphanWithin = time.Minute

// TestEndToEnd runs the built programs as processes and speaks to them from outside, through the
// public JavaScript client library: first undisturbed, then with everything breaking that can.
// Whatever breaks, the transcript is that of the undisturbed conversation.
func TestEndToEnd(t *testing.T) {
	if testing.Short() {
		t.Skip("builds and starts the programs, takes about a minute")
	}
	t.Parallel()
	sdk := findSDK(t)
	bin := build(t)
	for _, e := range engines() {
		t.Run(e.name, func(t *testing.T) {
			t.Parallel()
			e.need(t)
			g := newGateway(t, bin, e.name)
			var want []transcript
			if !t.Run("undisturbed", func(t *testing.T) { want = testUndisturbed(t, sdk, g, e) }) {
				return
			}
			for seed := range e.seeds {
				t.Run(fmt.Sprintf("lost connections %d", seed), func(t *testing.T) {
					t.Parallel()
					testLostConnections(t, sdk, g, e, seed, want)
				})
			}
			t.Run("killed engine", func(t *testing.T) {
				t.Parallel()
				testKilledEngine(t, sdk, newGateway(t, bin, e.name), e, want)
			})
			if e.name != "scripted" {
				return // what follows is the gateway's part, the same with each engine
			}
			t.Run("killed gateway", func(t *testing.T) {
				t.Parallel()
				testKilledGateway(t, sdk, newGateway(t, bin, e.name), e, want)
			})
			t.Run("load over a restart", func(t *testing.T) {
				t.Parallel()
				testLoadOverRestart(t, newGateway(t, bin, e.name), e)
			})
		})
	}
}

// engineCase is an engine and a clip it can be tried on.
type engineCase struct {
	name      string
	need      func(*testing.T) // skips the test where something is missing
	clip      func(*testing.T) clip
	plausible func(text string) bool
	seeds     uint64 // conversations with lost connections
	thins     bool   // sends no partials where the machine has no time for them
}

func engines() []engineCase {
	return []engineCase{
		{
			name: "scripted", need: func(*testing.T) {}, clip: babble, seeds: 2,
			plausible: func(text string) bool { return len(strings.Fields(text)) >= 10 },
		},
		{
			name: realEngine(), need: needRealEngine, clip: func(t *testing.T) clip { return austen(t) }, seeds: 1,
			thins: true,
			plausible: func(text string) bool {
				return strings.Contains(text, "in his power") || strings.Contains(text, "rather selfish")
			},
		},
	}
}

// testModels is the folder of models for tests; empty: there is none.
func testModels() string { return os.Getenv("STENO_TEST_MODELS") }

// realEngine is the engine that the tests of real recognition use: the default where its model is
// at hand, else PocketSphinx.
func realEngine() string {
	if dir := testModels(); dir != "" && models.IsMoonshine(filepath.Join(dir, "moonshine-tiny-en")) {
		return "moonshine"
	}
	return "sphinx"
}

func needRealEngine(t *testing.T) {
	if realEngine() == "sphinx" {
		needSphinx(t)
	}
}

// build returns the folder of the programs.
func build(t testing.TB) string {
	t.Helper()
	cmdtest.Build(t, "steno-engine")
	return filepath.Dir(cmdtest.Build(t, "steno"))
}

// gateway is a steno process with a port and a data folder that outlive it.
type gateway struct {
	t      testing.TB
	bin    string // folder of the programs
	engine string
	addr   string // host:port
	data   string
	env    []string
	args   []string // of steno serve, beside address, data and engine

	mu      sync.Mutex
	process *process
	logs    []*process // all that were started
}

// process is one run of the program.
type process struct {
	cmd  *exec.Cmd
	log  *lockedBuffer
	gone chan struct{} // closed when it has ended and was waited for
}

// newGateway starts a gateway and waits until it is ready. It ends with the test; if the test has
// failed, its log is printed then.
func newGateway(t testing.TB, bin, engine string, env ...string) *gateway {
	t.Helper()
	g := gatewayToBe(t, bin, engine, env...)
	if err := g.start(); err != nil {
		t.Fatal(err)
	}
	return g
}

// gatewayToBe is a gateway that is not started.
func gatewayToBe(t testing.TB, bin, engine string, env ...string) *gateway {
	t.Helper()
	g := &gateway{t: t, bin: bin, engine: engine, addr: cmdtest.Address(t), data: t.TempDir(), env: env}
	t.Cleanup(g.end)
	return g
}

func (g *gateway) url() string { return "http://" + g.addr }

// start runs the program on the gateway's port and data, and waits until it is ready.
func (g *gateway) start() error {
	p, err := g.launch()
	if err != nil {
		return err
	}
	return g.awaitAnswer(p, "/readyz")
}

// launch runs the program on the gateway's port and data.
func (g *gateway) launch() (*process, error) {
	p := &process{log: new(lockedBuffer), gone: make(chan struct{})}
	args := append([]string{"serve", "--listen", g.addr, "--data", g.data, "--engine", g.engine}, g.args...)
	p.cmd = exec.Command(filepath.Join(g.bin, "steno"), args...)
	p.cmd.Dir = g.data
	// What is admitted, which finals come, and whether recordings are read in time, must not depend
	// on how busy the machine is.
	usual := []string{"STENO_API_KEYS=" + testKey, "STENO_ENGINES_STORE=/nowhere", "STENO_ADMISSION_HEADROOM=false",
		"STENO_LIMITS_ENGINE_GRACE=" + readyWithin.String(), "STENO_RECORDINGS_NICE=0"}
	if g.engine == "moonshine" {
		usual = append(usual, "STENO_ENGINES_MODELS="+testModels())
	}
	p.cmd.Env = append(os.Environ(), append(usual, g.env...)...)
	p.cmd.Stdout, p.cmd.Stderr = p.log, p.log
	p.cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} // with its children, for the end
	p.cmd.WaitDelay = time.Second                           // children that outlive it may hold the pipe
	if err := p.cmd.Start(); err != nil {
		return nil, fmt.Errorf("start steno: %w", err)
	}
	go func() {
		defer close(p.gone)
		_ = p.cmd.Wait()
	}()
	g.mu.Lock()
	g.process = p
	g.logs = append(g.logs, p)
	g.mu.Unlock()
	return p, nil
}

// awaitAnswer waits until one of the probes succeeds.
func (g *gateway) awaitAnswer(p *process, probe string) error {
	ctx, cancel := context.WithTimeout(g.t.Context(), readyWithin)
	defer cancel()
	for {
		if status, err := get(ctx, g.url()+probe); err == nil && status == http.StatusOK {
			return nil
		}
		select {
		case <-p.gone:
			return fmt.Errorf("steno ended instead of serving:\n%s", p.log)
		case <-ctx.Done():
			return fmt.Errorf("steno is not ready after %v:\n%s", readyWithin, p.log)
		case <-time.After(20 * time.Millisecond):
		}
	}
}

// kill ends the process as a crash would, and waits until it is gone and its engine too, which must
// not outlive it.
func (g *gateway) kill() error {
	p := g.current()
	select {
	case <-p.gone:
		return errors.New("steno had ended already")
	default:
	}
	engine, err := childNamed(p.cmd.Process.Pid, "steno-engine")
	if err != nil {
		return err
	}
	if err := p.cmd.Process.Signal(syscall.SIGKILL); err != nil {
		return fmt.Errorf("kill steno: %w", err)
	}
	<-p.gone
	for deadline := time.Now().Add(orphanWithin); alive(engine); time.Sleep(20 * time.Millisecond) {
		if time.Now().After(deadline) {
			return fmt.Errorf("the engine still runs %v after its gateway was killed", orphanWithin)
		}
	}
	return nil
}

// current is the process that was started last.
func (g *gateway) current() *process {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.process
}

// killEngine ends the engine process that belongs to the gateway as a crash would.
func (g *gateway) killEngine() error {
	parent := g.current().cmd.Process.Pid
	for late := time.Now().Add(readyWithin); ; time.Sleep(10 * time.Millisecond) {
		pid, err := childNamed(parent, "steno-engine")
		if err == nil {
			return syscall.Kill(pid, syscall.SIGKILL)
		}
		if time.Now().After(late) { // else it is being started again
			return err
		}
	}
}

// end stops whatever still runs of the gateway and its children.
func (g *gateway) end() {
	g.mu.Lock()
	defer g.mu.Unlock()
	for i, p := range g.logs {
		_ = syscall.Kill(-p.cmd.Process.Pid, syscall.SIGKILL)
		<-p.gone
		if g.t.Failed() {
			g.t.Logf("log of the gateway, start %d:\n%s", i+1, p.log)
		}
	}
}

// childNamed finds the running child process of a given name.
func childNamed(parent int, name string) (int, error) {
	paths, err := filepath.Glob("/proc/[0-9]*/stat")
	if err != nil {
		return 0, err
	}
	for _, path := range paths {
		pid, err := strconv.Atoi(filepath.Base(filepath.Dir(path)))
		if err != nil {
			continue
		}
		s, ok := statOf(pid)
		if ok && s.parent == parent && s.state != "Z" && s.name == name[:min(len(name), 15)] {
			return pid, nil
		}
	}
	return 0, fmt.Errorf("process %d has no child %s", parent, name)
}

// alive reports whether a process runs: a finished one that was not waited for does not.
func alive(pid int) bool {
	s, ok := statOf(pid)
	return ok && s.state != "Z"
}

// stat is what the kernel reports about a process.
type stat struct {
	name   string // cut to 15 bytes
	state  string // Z: it has ended
	parent int
}

func statOf(pid int) (stat, bool) {
	b, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return stat{}, false
	}
	_, text, _ := strings.Cut(string(b), " (")
	name, rest, _ := strings.Cut(text, ") ")
	fields := strings.Fields(rest)
	if len(fields) < 2 {
		return stat{}, false
	}
	parent, err := strconv.Atoi(fields[1])
	return stat{name, fields[0], parent}, err == nil
}

func get(ctx context.Context, url string) (status int, err error) {
	resp, err := response(ctx, url)
	if err != nil {
		return 0, err
	}
	defer resp.Body.Close()
	_, err = io.Copy(io.Discard, resp.Body)
	return resp.StatusCode, err
}

// response asks an address. The caller closes the body.
func response(ctx context.Context, url string) (*http.Response, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return nil, err
	}
	return http.DefaultClient.Do(req)
}

// needSphinx skips a test where PocketSphinx or its model is not installed.
func needSphinx(t *testing.T) {
	t.Helper()
	if runtime.GOOS != "linux" || runtime.GOARCH != "amd64" {
		t.Skip("the sphinx engine runs on linux/amd64")
	}
	for _, pattern := range []string{"/usr/lib/*/libpocketsphinx.so.*",
		"/usr/share/pocketsphinx/model/en-us/en-us.lm.bin"} {
		if found, _ := filepath.Glob(pattern); len(found) == 0 {
			t.Skipf("no %s: install pocketsphinx and pocketsphinx-en-us", pattern)
		}
	}
}

// dialLive opens a live session and its socket, which is closed at the end of the test. The context
// bounds what is done with it.
func (g *gateway) dialLive(t *testing.T, request string) (context.Context, *websocket.Conn) {
	t.Helper()
	var opened struct{ URL string }
	g.must(t, "POST", "/v2/live", request, &opened)
	ctx, cancel := context.WithTimeout(t.Context(), readyWithin)
	t.Cleanup(cancel)
	conn, _, err := websocket.Dial(ctx, opened.URL, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.CloseNow() })
	return ctx, conn
}

// lockedBuffer gathers what a process prints.
type lockedBuffer struct {
	mu sync.Mutex
	b  strings.Builder
}

func (l *lockedBuffer) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *lockedBuffer) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}

// figure reads the number that follows a name at the start of a line in the response of an address.
func figure(tb testing.TB, address, name string) float64 {
	tb.Helper()
	resp, err := response(context.Background(), address)
	if err != nil {
		tb.Fatal(err)
	}
	defer resp.Body.Close()
	for lines := bufio.NewReader(resp.Body); ; {
		line, err := lines.ReadString('\n')
		if rest, ok := strings.CutPrefix(line, name); ok {
			n, err := strconv.ParseFloat(strings.Fields(rest)[0], 64)
			if err != nil {
				tb.Fatal(err)
			}
			_, _ = io.Copy(io.Discard, resp.Body)
			return n
		}
		if err != nil {
			tb.Fatalf("%s tells no %s", address, name)
		}
	}
}
