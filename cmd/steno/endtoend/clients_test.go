package endtoend_test

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime/multipart"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/coder/websocket"
	"github.com/zaf/g711"
)

// TestClients has a clip transcribed by each client of the README's table, with the setting given
// there: by the client itself where it can be installed, else by requests and messages of the same
// shape. Each gets the same transcript.
func TestClients(t *testing.T) {
	if testing.Short() {
		t.Skip("builds and starts the programs")
	}
	t.Parallel()
	g := newGateway(t, build(t), "scripted")
	c := babble(t)
	wav := c.wav(t)
	want := g.await(t, g.submit(t, wav)).Result.Transcription.FullTranscript
	if len(strings.Fields(want)) < 10 {
		t.Fatalf("transcript %q", want)
	}
	for _, client := range []struct {
		name string
		run  func(t *testing.T) string
	}{
		{"Vercel AI SDK", func(t *testing.T) string { return transcriptOfVercel(t, g, wav) }},
		{"Python SDK", func(t *testing.T) string { return transcriptOfPython(t, g, c, wav) }},
		{"browser", func(t *testing.T) string { return transcriptOfBrowser(t, g, c) }},
		{"pipecat", func(t *testing.T) string { return transcriptOfPipecat(t, g, c) }},
		{"LiveKit", func(t *testing.T) string { return transcriptOfLiveKit(t, g, c) }},
		{"Attendee", func(t *testing.T) string { return transcriptOfAttendee(t, g, c) }},
		{"n8n", func(t *testing.T) string { return transcriptOfWorkflow(t, g, wav) }},
	} {
		t.Run(client.name, func(t *testing.T) {
			t.Parallel()
			if got := client.run(t); got != want {
				t.Errorf("transcript %q, want %q", got, want)
			}
		})
	}
	t.Run("telephone", func(t *testing.T) {
		t.Parallel()
		testTelephone(t, g, c)
	})
}

// transcriptOfVercel is what the Vercel AI SDK makes of a recording.
func transcriptOfVercel(t *testing.T, g *gateway, wav string) string {
	t.Helper()
	sdk := findSDK(t)
	if _, err := os.Stat(filepath.Join(sdk, "node_modules", "@ai-sdk", "gladia")); err != nil {
		t.Skip("the Vercel AI SDK is not installed: make deps")
	}
	var answer struct {
		Text, Language string
		Seconds        float64
		Segments       []json.RawMessage
	}
	runScript(t, sdk, "node", "ai.mjs", map[string]string{"url": g.url(), "key": testKey, "audio": wav}, &answer)
	if answer.Language != "en" || answer.Seconds <= 0 || len(answer.Segments) < 3 {
		t.Errorf("answer %+v", answer)
	}
	return answer.Text
}

// transcriptOfPython is what the public Python library makes of a recording. Live and recorded it
// has to be the same.
func transcriptOfPython(t *testing.T, g *gateway, c clip, wav string) string {
	t.Helper()
	if err := exec.Command("python3", "-c", "import gladiaio_sdk").Run(); err != nil {
		t.Skip("gladiaio-sdk is not installed for python3")
	}
	var answer struct {
		Code                  int
		Finals, Types, Errors []string
		Transcript            string
	}
	task := map[string]string{"url": g.url(), "key": testKey, "raw": c.file(t), "wav": wav}
	runScript(t, filepath.Join("testdata", "sdk"), "python3", "live.py", task, &answer)
	if answer.Code != 1000 || len(answer.Errors) > 0 || len(answer.Finals) < 3 {
		t.Errorf("close code %d, errors %q, finals %q", answer.Code, answer.Errors, answer.Finals)
	}
	for _, kind := range []string{"start_recording", "post_summarization", "post_chapterization",
		"post_final_transcript", "end_session"} {
		if !slices.Contains(answer.Types, kind) {
			t.Errorf("no %s among %q", kind, answer.Types)
		}
	}
	return answer.Transcript
}

// scriptWithin is how long a script may take. A browser takes minutes for a page where other tests
// have most of the processors.
const scriptWithin = 20 * time.Minute

// runScript runs a script that takes a JSON object as its argument and prints one as its last line.
func runScript(t *testing.T, dir, interpreter, script string, task, answer any) {
	t.Helper()
	argument, err := json.Marshal(task)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), scriptWithin)
	defer cancel()
	cmd := exec.CommandContext(ctx, interpreter, script, string(argument))
	cmd.Cancel = func() error { return cmd.Process.Signal(syscall.SIGTERM) } // it tells what it was doing
	cmd.WaitDelay = 10 * time.Second
	cmd.Dir = dir
	stderr := new(lockedBuffer)
	cmd.Stderr = stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%s: %v\n%s", script, err, stderr)
	}
	lines := bytes.Split(bytes.TrimSpace(out), []byte("\n"))
	if err := json.Unmarshal(lines[len(lines)-1], answer); err != nil {
		t.Fatalf("%s: %v\n%s", script, err, out)
	}
}

// transcriptOfBrowser is what the public JavaScript library makes of a clip in Chromium, on a page
// of another origin.
func transcriptOfBrowser(t *testing.T, g *gateway, c clip) string {
	t.Helper()
	browser, err := exec.LookPath("chromium")
	if err != nil {
		t.Skip("chromium is not installed")
	}
	outcome := make(chan []byte, 1)
	pages := servePages(t, findSDK(t), c, outcome)
	task, err := json.Marshal(map[string]any{
		"url": g.url(), "key": testKey,
		"request": map[string]any{"encoding": "wav/pcm", "bit_depth": 16, "sample_rate": clipRate, "channels": 1},
	})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), recordedWithin)
	defer cancel()
	cmd := exec.CommandContext(ctx, browser, "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic",
		"--no-first-run",
		"--disable-dev-shm-usage", "--disable-background-networking", "--disable-component-update", "--disable-sync",
		"--remote-debugging-port=0", "--user-data-dir="+t.TempDir(), pages+"/#"+url.PathEscape(string(task)))
	stderr := new(lockedBuffer)
	cmd.Stderr = stderr
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) } // its children end with it
	cmd.WaitDelay = 5 * time.Second
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	var text []byte
	select {
	case text = <-outcome:
	case <-ctx.Done():
	}
	cancel()
	_ = cmd.Wait()
	var answer struct {
		Code              int
		Finals            []string
		Transcript, Error string
	}
	if err := json.Unmarshal(text, &answer); err != nil || answer.Error != "" || answer.Code != 1000 ||
		len(answer.Finals) < 3 {
		t.Fatalf("the page told %q\n%s", text, stderr)
	}
	return answer.Transcript
}

// servePages serves the page of the browser's test, what it needs, and takes its outcome.
func servePages(t *testing.T, sdk string, c clip, outcome chan<- []byte) string {
	t.Helper()
	mux := http.NewServeMux()
	file := func(path, name string) {
		mux.HandleFunc("GET "+path, func(w http.ResponseWriter, r *http.Request) { http.ServeFile(w, r, name) })
	}
	file("/{$}", filepath.Join(sdk, "browser.html"))
	file("/sdk.js", filepath.Join(sdk, "node_modules", "@gladiaio", "sdk", "dist", "index.iife.js"))
	file("/clip.raw", c.file(t))
	mux.HandleFunc("POST /outcome", func(_ http.ResponseWriter, r *http.Request) {
		text, err := io.ReadAll(io.LimitReader(r.Body, 1<<20))
		if err != nil {
			text = fmt.Appendf(nil, "%v", err)
		}
		select {
		case outcome <- text:
		default:
		}
	})
	server := httptest.NewServer(mux)
	t.Cleanup(server.Close)
	return server.URL
}

// liveClient is a live session of a client that is written out here.
type liveClient struct {
	t    *testing.T
	conn *websocket.Conn
	url  string
	id   string
}

// openLive opens a session with a body of the client's making.
func (g *gateway) openLive(t *testing.T, path string, body map[string]any) *liveClient {
	t.Helper()
	text, err := json.Marshal(body)
	if err != nil {
		t.Fatal(err)
	}
	var opened struct{ ID, URL string }
	g.ask(t, "POST", path, "application/json", bytes.NewReader(text), http.StatusCreated, &opened)
	c := &liveClient{t: t, url: opened.URL, id: opened.ID}
	c.connect()
	return c
}

// connect opens the session's next socket.
func (c *liveClient) connect() {
	c.t.Helper()
	conn, _, err := websocket.Dial(c.t.Context(), c.url, nil)
	if err != nil {
		c.t.Fatal(err)
	}
	conn.SetReadLimit(1 << 20)
	c.conn = conn
	c.t.Cleanup(func() { _ = conn.CloseNow() })
}

// sendJSON sends a message.
func (c *liveClient) sendJSON(v any) {
	c.t.Helper()
	text, err := json.Marshal(v)
	if err == nil {
		err = c.conn.Write(c.t.Context(), websocket.MessageText, text)
	}
	if err != nil {
		c.t.Fatal(err)
	}
}

// sendAudio sends audio as Base64 within JSON.
func (c *liveClient) sendAudio(audio []byte) {
	c.t.Helper()
	c.sendJSON(map[string]any{"type": "audio_chunk",
		"data": map[string]string{"chunk": base64.StdEncoding.EncodeToString(audio)}})
}

// stop ends the recording.
func (c *liveClient) stop() {
	c.t.Helper()
	c.sendJSON(map[string]string{"type": "stop_recording"})
}

// message is one of the gateway's, as far as these clients look at it.
type message struct {
	Type         string
	Acknowledged *bool
	Data         struct {
		IsFinal   bool     `json:"is_final"`
		ByteRange [2]int64 `json:"byte_range"`
		Utterance struct{ Text string }
	}
}

// receiveUntil takes messages until one fulfils the condition.
func (c *liveClient) receiveUntil(enough func(message) bool) {
	c.t.Helper()
	for {
		r, err := c.receive()
		if err != nil {
			c.t.Fatal(err)
		}
		if enough(r) {
			return
		}
	}
}

func (c *liveClient) receive() (r message, err error) {
	ctx, cancel := context.WithTimeout(c.t.Context(), readyWithin)
	defer cancel()
	_, text, err := c.conn.Read(ctx)
	if err != nil {
		return r, err
	}
	return r, json.Unmarshal(text, &r)
}

// finals takes messages until the gateway closes the socket, which has to be with 1000, and joins
// the finals.
func (c *liveClient) finals() string {
	c.t.Helper()
	var text strings.Builder
	for {
		r, err := c.receive()
		if err != nil {
			if websocket.CloseStatus(err) != websocket.StatusNormalClosure {
				c.t.Fatal(err)
			}
			return strings.TrimSpace(text.String())
		}
		if r.Type == "transcript" && r.Data.IsFinal {
			text.WriteString(r.Data.Utterance.Text)
		}
	}
}

// transcriptOfPipecat does what pipecat's service does: Base64, empty chunks to keep the connection
// alive, and after a lost connection all audio that was not acknowledged in one message.
func transcriptOfPipecat(t *testing.T, g *gateway, c clip) string {
	t.Helper()
	s := g.openLive(t, "/v2/live?region=eu-west", map[string]any{
		"encoding": "wav/pcm", "bit_depth": 16, "sample_rate": clipRate, "channels": 1, "model": "solaria-1",
		"custom_metadata": map[string]string{"pipecat": "0.0.110"}, "maximum_duration_without_endpointing": 5,
		"messages_config": map[string]bool{"receive_partial_transcripts": true, "receive_acknowledgments": true},
	})
	s.sendAudio(nil)
	const sent = clipRate // half a second
	s.sendAudio(c.pcm[:sent])
	acked := int64(0)
	s.receiveUntil(func(r message) bool {
		if r.Type == "audio_chunk" && r.Acknowledged != nil && *r.Acknowledged {
			acked = max(acked, r.Data.ByteRange[1])
		}
		return acked > 0
	})
	_ = s.conn.CloseNow()
	s.connect()
	s.sendAudio(c.pcm[acked:])
	s.stop()
	return s.finals()
}

// transcriptOfLiveKit does what LiveKit's plugin does with a whole clip: it sends all of it at
// once, in pieces of 150 ms, and waits. Its defaults hold fields that steno does not have.
func transcriptOfLiveKit(t *testing.T, g *gateway, c clip) string {
	t.Helper()
	s := g.openLive(t, "/v2/live?region=eu-west", map[string]any{
		"encoding": "wav/pcm", "bit_depth": 16, "sample_rate": clipRate, "channels": 1, "model": "solaria-1",
		"endpointing": 0.05, "maximum_duration_without_endpointing": 5,
		"language_config":     map[string]any{"languages": []string{}, "code_switching": true},
		"realtime_processing": map[string]bool{"words_accurate_timestamps": false},
		"pre_processing":      map[string]any{"audio_enhancer": false, "speech_threshold": 0.6},
		"messages_config":     map[string]bool{"receive_partial_transcripts": true, "receive_final_transcripts": true},
		"custom_metadata":     map[string]string{"livekit": "1.3.0"},
	})
	for piece := range slices.Chunk(c.pcm, clipRate*2*150/1000) {
		s.sendAudio(piece)
	}
	s.stop()
	return s.finals()
}

// transcriptOfAttendee sends what the bots of Attendee send to a self-hosted service: samples
// without a header, once.
func transcriptOfAttendee(t *testing.T, g *gateway, c clip) string {
	t.Helper()
	var answer struct {
		Status string
		Result struct {
			Transcription struct {
				FullTranscript string `json:"full_transcript"`
				Utterances     []struct{ Words []any }
			}
		}
	}
	fields := map[string]string{"sample_rate": fmt.Sprint(clipRate), "language": "en-US", "custom_param": "any"}
	kind, form := formOf(t, "audio.pcm", c.pcm, fields)
	g.ask(t, "POST", "/v2/bots/transcribe", kind, form, http.StatusOK, &answer)
	if answer.Status != "done" || len(answer.Result.Transcription.Utterances) < 3 {
		t.Errorf("answer %+v", answer)
	}
	return answer.Result.Transcription.FullTranscript
}

// transcriptOfWorkflow does what n8n's node and many scripts do: they end paths with a slash, send
// the language with its region, and poll the address in the answer.
func transcriptOfWorkflow(t *testing.T, g *gateway, wav string) string {
	t.Helper()
	content, err := os.ReadFile(wav)
	if err != nil {
		t.Fatal(err)
	}
	kind, form := formOf(t, "clip.wav", content, nil)
	var up struct {
		URL string `json:"audio_url"`
	}
	g.ask(t, "POST", "/v2/upload/", kind, form, http.StatusOK, &up)
	body := fmt.Sprintf(`{"audio_url":%q,"language_config":{"languages":["en-US"]},"model":"solaria-1"}`, up.URL)
	var made struct {
		ID        string
		ResultURL string `json:"result_url"`
	}
	g.ask(t, "POST", "/v2/pre-recorded/", "application/json", strings.NewReader(body), http.StatusCreated, &made)
	if made.ResultURL != g.url()+"/v2/pre-recorded/"+made.ID {
		t.Errorf("result_url %q", made.ResultURL)
	}
	return g.await(t, "/v2/pre-recorded/"+made.ID).Result.Transcription.FullTranscript
}

// formOf is a form with a file and fields.
func formOf(t *testing.T, name string, content []byte, fields map[string]string) (kind string, body io.Reader) {
	t.Helper()
	var form bytes.Buffer
	w := multipart.NewWriter(&form)
	part, err := w.CreateFormFile("audio", name)
	if err == nil {
		_, err = part.Write(content)
	}
	for field, value := range fields {
		err = errors.Join(err, w.WriteField(field, value))
	}
	if err = errors.Join(err, w.Close()); err != nil {
		t.Fatal(err)
	}
	return w.FormDataContentType(), &form
}

// testTelephone streams what a telephone service forks: mu-law of 8 kHz in messages of 20 ms. The
// bytes differ from those of the other clients, so the words do too; there have to be some, and the
// recording has to hold what was sent.
func testTelephone(t *testing.T, g *gateway, c clip) {
	s := g.openLive(t, "/v2/live", map[string]any{"encoding": "wav/ulaw", "bit_depth": 8, "sample_rate": 8000,
		"channels": 1})
	sent := g711.EncodeUlaw(halveRate(c.pcm))
	for piece := range slices.Chunk(sent, 160) {
		s.sendAudio(piece)
	}
	s.stop()
	if text := s.finals(); len(strings.Fields(text)) < 10 {
		t.Errorf("transcript %q", text)
	}
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, g.url()+"/v2/live/"+s.id+"/file", nil)
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("x-service-key", testKey)
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	if file, err := io.ReadAll(resp.Body); err != nil || !bytes.HasSuffix(bytes.TrimSuffix(file, []byte{0}),
		bytes.TrimSuffix(sent, []byte{0})) {
		t.Errorf("the recording's %d bytes do not end in the %d sent: %v", len(file), len(sent), err)
	}
}

// halveRate halves the sample rate of 16-bit audio, the mean of each pair.
func halveRate(pcm []byte) []byte {
	var half []byte
	for ; len(pcm) >= 4; pcm = pcm[4:] {
		a, b := int16(binary.LittleEndian.Uint16(pcm)), int16(binary.LittleEndian.Uint16(pcm[2:]))
		half = binary.LittleEndian.AppendUint16(half, uint16((int(a)+int(b))/2))
	}
	return half
}
