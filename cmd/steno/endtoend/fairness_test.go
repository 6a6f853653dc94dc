package endtoend_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"mime/multipart"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"
	"github.com/coder/websocket"

	"steno/audio"
	"steno/loadtest"
)

// What BenchmarkFairness plays.
const (
	fairRounds = 5
	fairLasts  = 20 * time.Second // a load of the light account
	fairSpeak  = 2                // its sessions
	fairTimes  = 10               // what the heavy account tries, by its quota
)

const (
	lightKey = "key-of-the-light-account"
	heavyKey = "key-of-the-heavy-account"
)

// What the heavy account may have: as many speakers as the light one, and recordings without end.
const (
	heavySessions = 2
	heavyOpens    = 30
	heavyStorage  = 20 << 20
	heavySends    = 5 // callbacks a second
)

// BenchmarkFairness prints by how much finals of an account come later while another one, which has
// quotas, tries ten times what it may in every way: live sessions, opens, uploads of recordings,
// jobs, callbacks to a receiver that never answers, lists and subscriptions. Rounds alone and
// beside the other take turns, so that what else the machine does is in both. It takes five
// minutes.
func BenchmarkFairness(b *testing.B) {
	for b.Loop() {
		newFairness(b, build(b)).run()
	}
	b.ReportMetric(0, "ns/op")
}

// fairness is a run.
type fairness struct {
	*testing.B
	gateway *gateway
	clip    *loadtest.Clip
	flac    []byte // two minutes of it
	hanging string // address of the receiver
	client  *http.Client

	mu   sync.Mutex
	did  map[string]int      // by what was tried and how it was answered
	made map[string]struct{} // jobs of the heavy account that may be there
}

func newFairness(b *testing.B, bin string) *fairness {
	b.Helper()
	f := &fairness{B: b, did: map[string]int{}, made: map[string]struct{}{}, clip: &loadtest.Clip{
		Name: "austen", Format: audio.Format{Encoding: audio.PCM, BitDepth: 16, SampleRate: clipRate, Channels: 1},
		Data: austen(b).pcm,
	}}
	f.encode()
	stop := make(chan struct{})
	receiver := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { <-stop }))
	b.Cleanup(receiver.Close)
	b.Cleanup(func() { close(stop) })
	f.hanging = receiver.URL
	f.client = &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 100}}
	b.Cleanup(f.client.CloseIdleConnections)
	config := filepath.Join(b.TempDir(), "steno.yml")
	quota := fmt.Sprintf("accounts: {heavy: {quota: {sessions: %d, opens_per_minute: %d, storage_bytes: %d, "+
		"callbacks_per_second: %d}}}", heavySessions, heavyOpens, heavyStorage, heavySends)
	if err := os.WriteFile(config, []byte(quota), 0o600); err != nil {
		b.Fatal(err)
	}
	f.gateway = gatewayToBe(b, bin, realEngine(), "STENO_API_KEYS=light:"+lightKey+",heavy:"+heavyKey,
		"STENO_ALLOW_PRIVATE=true", "STENO_LOG_LEVEL=error", "STENO_RECORDINGS_NICE=10")
	f.gateway.args = []string{"--config", config}
	if err := f.gateway.start(); err != nil {
		b.Fatal(err)
	}
	return f
}

// encode makes the recording that the heavy account uploads.
func (f *fairness) encode() {
	f.Helper()
	sound := slices.Repeat(f.clip.Data, 1+240*clipRate/len(f.clip.Data))
	file := filepath.Join(f.TempDir(), "clip.flac")
	cmd := exec.Command("ffmpeg", "-v", "error", "-f", "s16le", "-ar", fmt.Sprint(clipRate), "-ac", "1",
		"-i", "pipe:0", file)
	cmd.Stdin = bytes.NewReader(sound)
	if out, err := cmd.CombinedOutput(); err != nil {
		f.Skipf("ffmpeg: %v %s", err, out)
	}
	var err error
	if f.flac, err = os.ReadFile(file); err != nil {
		f.Fatal(err)
	}
}

// run makes the rounds and reports them.
func (f *fairness) run() {
	delays := map[string]*hdrhistogram.Histogram{}
	f.speak("first", 0, delays) // the engine is warm then
	for n := range uint64(fairRounds) {
		f.speak("alone", n, delays)
		beside := f.heavy()
		f.speak("beside", n, delays)
		beside()
	}
	for _, measure := range []string{"final", "final_after_speech_end", "partial"} {
		alone, beside := delays["alone "+measure], delays["beside "+measure]
		for _, of := range []float64{50, 95} {
			a, b := alone.ValueAtQuantile(of), beside.ValueAtQuantile(of)
			f.Logf("%s: p%.0f %d ms alone (of %d), %d ms beside (of %d)", measure, of, a/1000, alone.TotalCount(),
				b/1000, beside.TotalCount())
			f.ReportMetric(float64(b)/float64(max(a, 1)), fmt.Sprintf("%s-p%.0f-by-alone", measure, of))
		}
	}
	for _, what := range slices.Sorted(maps.Keys(f.did)) {
		f.Logf("%s: %d", what, f.did[what])
	}
}

// speak has the light account speak, and adds its delays.
func (f *fairness) speak(name string, seed uint64, into map[string]*hdrhistogram.Histogram) {
	f.Helper()
	load, _ := os.ReadFile("/proc/loadavg")
	report, err := loadtest.Run(context.Background(), loadtest.Options{
		URL: f.gateway.url(), Key: lightKey, Clips: []*loadtest.Clip{f.clip}, Sessions: fairSpeak,
		Duration: fairLasts, RandomStart: true, Partials: true, Endpointing: 0.3, Seed: seed,
	})
	if err != nil {
		f.Fatal(err)
	}
	f.Logf("%s: %d of %d sessions done, %d finals, %d missing, %d partials; final p50 %.3f s, p95 %.3f s; load %s",
		name, report.Done, fairSpeak, report.Finals, report.Missing, report.Partials, report.Delays.Final.P50,
		report.Delays.Final.P95, strings.Fields(string(load))[0])
	if report.Done != fairSpeak || report.Missing > 0 {
		f.Errorf("%s: sessions of the light account failed: %v", name, report.Errors)
	}
	for _, measure := range []string{"final", "final_after_speech_end", "partial"} {
		h, err := hdrhistogram.Decode([]byte(report.Histograms[measure]))
		if err != nil {
			f.Fatal(err)
		}
		if sum := into[name+" "+measure]; sum != nil {
			sum.Merge(h)
		} else {
			into[name+" "+measure] = h
		}
	}
}

// heavy has the heavy account try everything, until stop, which waits until its work has ended.
func (f *fairness) heavy() (stop func()) {
	ctx, cancel := context.WithCancel(context.Background())
	var work sync.WaitGroup
	for _, try := range []struct {
		what   string
		second float64 // how often
		do     func(ctx context.Context) string
	}{
		{"session", fairTimes * heavyOpens / 2 / 60., f.session},
		{"recording", fairTimes * heavyOpens / 2 / 60., f.recording},
		{"list", fairTimes * 2, f.list},
		{"subscription", fairTimes / 5., f.follow},
	} {
		work.Go(func() { f.again(ctx, try.what, try.second, try.do) })
	}
	time.Sleep(3 * time.Second)
	return func() {
		cancel()
		work.Wait()
		f.remove()
	}
}

// again does something so often, whether or not the times before have come to their end, until ctx
// ends, and counts the outcomes.
func (f *fairness) again(ctx context.Context, what string, second float64, do func(ctx context.Context) string) {
	var doing sync.WaitGroup
	defer doing.Wait()
	tick := time.NewTicker(time.Duration(float64(time.Second) / second))
	defer tick.Stop()
	for {
		doing.Go(func() {
			outcome := do(ctx)
			f.mu.Lock()
			defer f.mu.Unlock()
			f.did[what+": "+outcome]++
		})
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
	}
}

// ask makes a request of an account.
func (f *fairness) ask(ctx context.Context, method, path, kind string, body io.Reader, into any) string {
	req, err := http.NewRequestWithContext(ctx, method, f.gateway.url()+path, body)
	if err != nil {
		return err.Error()
	}
	req.Header.Set("X-Service-Key", heavyKey)
	req.Header.Set("Content-Type", kind)
	resp, err := f.client.Do(req)
	if err != nil {
		return "no answer"
	}
	defer resp.Body.Close()
	if into != nil && resp.StatusCode < 300 {
		if err := json.NewDecoder(resp.Body).Decode(into); err != nil {
			return "no JSON"
		}
	}
	_, _ = io.Copy(io.Discard, resp.Body) // the status counts
	return fmt.Sprint(resp.StatusCode)
}

// session opens a live session with callbacks, and speaks until ctx ends.
func (f *fairness) session(ctx context.Context) string {
	var made struct{ ID, URL string }
	status := f.ask(ctx, "POST", "/v2/live", "application/json", strings.NewReader(
		`{"endpointing":0.3,"messages_config":{"receive_partial_transcripts":true},"callback":true,
			"callback_config":{"url":"`+f.hanging+`","receive_partial_transcripts":true,
			"receive_speech_events":true}}`), &made)
	if made.URL == "" {
		return status
	}
	f.note(made.ID)
	conn, _, err := websocket.Dial(ctx, made.URL, nil)
	if err != nil {
		return status + ", and not connected"
	}
	defer func() { _ = conn.CloseNow() }()
	go func() {
		for { // until the connection is closed
			if _, _, err := conn.Read(context.Background()); err != nil {
				return
			}
		}
	}()
	const chunk = 2 * clipRate / 10
	tick := time.NewTicker(100 * time.Millisecond)
	defer tick.Stop()
	for at := 0; ; at = (at + chunk) % (len(f.clip.Data) - chunk) {
		if err := conn.Write(ctx, websocket.MessageBinary, f.clip.Data[at:at+chunk]); err != nil {
			return status
		}
		select {
		case <-ctx.Done():
			return status
		case <-tick.C:
		}
	}
}

// recording uploads two minutes of speech and has them transcribed.
func (f *fairness) recording(ctx context.Context) string {
	var body bytes.Buffer
	form := multipart.NewWriter(&body)
	part, err := form.CreateFormFile("audio", "clip.flac")
	if err != nil {
		return err.Error()
	}
	_, _ = part.Write(f.flac) // a buffer
	_ = form.Close()
	var up struct {
		URL string `json:"audio_url"`
	}
	if status := f.ask(ctx, "POST", "/v2/upload", form.FormDataContentType(), &body, &up); up.URL == "" {
		return "upload " + status
	}
	var made struct{ ID string }
	status := f.ask(ctx, "POST", "/v2/pre-recorded", "application/json", strings.NewReader(
		`{"audio_url":"`+up.URL+`","callback":true,"callback_config":{"url":"`+f.hanging+`"}}`), &made)
	f.note(made.ID)
	return status
}

// note remembers a job.
func (f *fairness) note(id string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if id != "" {
		f.made[id] = struct{}{}
	}
}

func (f *fairness) list(ctx context.Context) string {
	return f.ask(ctx, "GET", "/v2/live?limit=100", "", http.NoBody, nil)
}

// follow follows all sessions of the account until ctx ends.
func (f *fairness) follow(ctx context.Context) string {
	return f.ask(ctx, "GET", "/v2/events", "", http.NoBody, nil)
}

// remove removes what the heavy account has, so that its next attempts are like the first, and
// waits until that is gone.
func (f *fairness) remove() {
	for id := range f.made {
		for _, path := range []string{"/v2/live/", "/v2/pre-recorded/"} {
			f.ask(context.Background(), "DELETE", path+id+"?cancel=true", "", http.NoBody, nil)
		}
	}
	clear(f.made)
	time.Sleep(3 * time.Second)
}
