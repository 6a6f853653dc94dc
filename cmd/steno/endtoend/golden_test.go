package endtoend_test

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/coder/websocket"
	"github.com/zaf/g711"
)

// TestGolden records everything that clients receive in a few dozen sessions and jobs: messages,
// callbacks, records and refusals. It runs where STENO_GOLDEN names a folder. Answers that are not
// in the folder yet are written to it, others are compared, byte for byte. So a change of the
// code's shape can be held against the build before it:
//
//	STENO_GOLDEN=/tmp/golden go test -run TestGolden ./cmd/steno    # before, and after
//
// What differs from run to run by its nature is replaced: ids, tokens, addresses, dates and times
// taken. Partials are left out: how many there are depends on the machine. Messages are sorted,
// since no order is promised between channels.
func TestGolden(t *testing.T) {
	dir := os.Getenv("STENO_GOLDEN")
	if dir == "" {
		t.Skip("STENO_GOLDEN names no folder")
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	bin := build(t)
	for _, e := range engines() {
		t.Run(e.name, func(t *testing.T) {
			e.need(t)
			n := &goldenRun{dir: filepath.Join(dir, e.name), callbacks: newCallbackLog(t), clip: e.clip(t)}
			n.gateway = newGateway(t, bin, e.name, "STENO_ALLOW_PRIVATE=true", "STENO_ADDONS_REALTIME=1m")
			if err := os.MkdirAll(n.dir, 0o755); err != nil {
				t.Fatal(err)
			}
			for name, body := range goldenSessions() {
				t.Run("live "+name, func(t *testing.T) { n.session(t, name, body) })
			}
			for name, body := range goldenJobs() {
				t.Run("recorded "+name, func(t *testing.T) { n.job(t, name, body) })
			}
			t.Run("refusals", n.refusals)
			t.Run("sockets", n.sockets)
		})
	}
}

// goldenSessions are the bodies of live sessions, by name.
func goldenSessions() map[string]string {
	all := `"messages_config":{"receive_lifecycle_events":true,"receive_errors":true,"receive_pre_processing_events":true}`
	return map[string]string{
		"default":        `{}`,
		"all messages":   `{` + all + `}`,
		"no messages":    `{"messages_config":{"receive_final_transcripts":false,"receive_speech_events":false,"receive_acknowledgments":false,"receive_post_processing_events":false}}`,
		"long silences":  `{"endpointing":0.8,"maximum_duration_without_endpointing":60}`,
		"short pieces":   `{"endpointing":0.01,"maximum_duration_without_endpointing":5}`,
		"any sound":      `{"pre_processing":{"speech_threshold":0}}`,
		"enhanced":       `{"pre_processing":{"audio_enhancer":true},` + all + `}`,
		"8 bit":          `{"bit_depth":8}`,
		"24 bit":         `{"bit_depth":24}`,
		"32 bit":         `{"bit_depth":32}`,
		"a-law":          `{"encoding":"wav/alaw"}`,
		"mu-law":         `{"encoding":"wav/ulaw"}`,
		"8 kHz":          `{"sample_rate":8000}`,
		"48 kHz":         `{"sample_rate":48000}`,
		"44.1 kHz":       `{"sample_rate":44100}`,
		"two channels":   `{"channels":2,"realtime_processing":{"diarization":true}}`,
		"code switching": `{"language_config":{"languages":["en"],"code_switching":true}}`,
		"callbacks":      `{"callback":true,"callback_config":{"url":"HOOK"},"custom_metadata":{"a":1}}`,
		"all callbacks": `{"callback":true,"callback_config":{"url":"HOOK","receive_speech_events":true,"receive_acknowledgments":true,
			"receive_errors":true}}`,
		"words": `{"realtime_processing":{"custom_vocabulary":true,"custom_vocabulary_config":{"vocabulary":["Dashwood",{"value":"Norland","intensity":0.9}]},
			"custom_spelling":true,"custom_spelling_config":{"spelling_dictionary":{"Mister":["mr","harbor"]}}}}`,
		"add-ons": `{"realtime_processing":{"named_entity_recognition":true,"sentiment_analysis":true,"diarization":true,
			"translation":true,"translation_config":{"target_languages":["es"]}},
			"post_processing":{"summarization":true,"chapterization":true},` + all + `}`,
		"bullet points": `{"post_processing":{"summarization":true,"summarization_config":{"type":"bullet_points"}}}`,
		"two tongues":   `{"realtime_processing":{"translation":true,"translation_config":{"target_languages":["es","fr"]}}}`,
	}
}

// goldenJobs are the parameters of recorded jobs, by name.
func goldenJobs() map[string]string {
	return map[string]string{
		"default":        ``,
		"diarization":    `"diarization":true`,
		"subtitles":      `"subtitles":true,"subtitles_config":{"formats":["srt","vtt"],"maximum_characters_per_row":20,"maximum_rows_per_caption":2}`,
		"sentences":      `"sentences":true,"punctuation_enhanced":true,"display_mode":true`,
		"words":          `"custom_vocabulary":true,"custom_vocabulary_config":{"vocabulary":["Dashwood"]},"custom_spelling":true,"custom_spelling_config":{"spelling_dictionary":{"Mister":["mr"]}}`,
		"understanding":  `"named_entity_recognition":true,"sentiment_analysis":true,"summarization":true,"summarization_config":{"type":"concise"}`,
		"translation":    `"translation":true,"translation_config":{"target_languages":["es","fr"]}`,
		"redaction":      `"pii_redaction":true,"pii_redaction_config":{"entity_types":["NAME","MONEY","DATE"],"processed_text_type":"MASK"}`,
		"language model": `"audio_to_llm":true,"audio_to_llm_config":{"prompts":[["What is it about?"]]},"name_consistency":true`,
		"callback":       `"callback":true,"callback_config":{"url":"HOOK","method":"PUT"},"custom_metadata":{"a":"b"}`,
		"fusion":         `"model":"stt-fusion"`,
		"model 3":        `"model":"stt-3","language_config":{"languages":["en"]}`,
		"everything": `"diarization":true,"subtitles":true,"sentences":true,"named_entity_recognition":true,"sentiment_analysis":true,"summarization":true,
			"translation":true,"translation_config":{"target_languages":["es"]},"pii_redaction":true,"punctuation_enhanced":true`,
	}
}

// goldenRun is a gateway and where its answers are kept.
type goldenRun struct {
	dir       string
	gateway   *gateway
	callbacks *callbackLog
	clip      clip
}

// session streams the clip in the format that the body declares and keeps what came of it.
func (n *goldenRun) session(t *testing.T, name, body string) {
	var request map[string]any
	if err := json.Unmarshal([]byte(strings.ReplaceAll(body, "HOOK", n.callbacks.url)), &request); err != nil {
		t.Fatal(err)
	}
	n.callbacks.reset()
	s := n.gateway.openLive(t, "/v2/live", request)
	for piece := range slices.Chunk(inFormat(t, n.clip, request), 4000) {
		if err := s.conn.Write(t.Context(), websocket.MessageBinary, piece); err != nil {
			t.Fatal(err)
		}
	}
	s.stop()
	var told []string
	for {
		_, text, err := s.conn.Read(t.Context())
		if err != nil {
			told = append(told, fmt.Sprintf(`{"type":"~closed","code":%d}`, websocket.CloseStatus(err)))
			break
		}
		told = append(told, string(text))
	}
	record, err := n.gateway.text(t, "GET", "/v2/live/"+s.id, "")
	if err != nil {
		t.Fatal(err)
	}
	file, err := n.gateway.text(t, "GET", "/v2/live/"+s.id+"/file", "")
	if err != nil {
		t.Fatal(err)
	}
	n.keep(t, "live "+name, slices.Concat(told, n.callbacks.await(t, n.gateway, record)),
		record+fmt.Sprintf("\n%d bytes of recording\n", len(file)))
}

// job has the clip transcribed as a file and keeps what came of it.
func (n *goldenRun) job(t *testing.T, name, params string) {
	n.callbacks.reset()
	var list []string
	if params != "" {
		list = append(list, strings.ReplaceAll(params, "HOOK", n.callbacks.url))
	}
	path := n.gateway.submit(t, n.clip.wav(t), list...)
	n.gateway.awaitEnd(t, path)
	record, err := n.gateway.text(t, "GET", path, "")
	if err != nil {
		t.Fatal(err)
	}
	n.keep(t, "recorded "+name, n.callbacks.await(t, n.gateway, record), record)
}

// refusals keeps the answers to requests that cannot be served.
func (n *goldenRun) refusals(t *testing.T) {
	var told []string
	for _, r := range []struct{ method, path, body string }{
		{"POST", "/v2/live", `{"endpointing":0,"sample_rate":11025,"channels":9,"encoding":"opus","model":"x"}`},
		{"POST", "/v2/live", `{"model":"stt-3"}`},
		{"POST", "/v2/live", `{"language_config":{"languages":["zh"]}}`},
		{"POST", "/v2/live", `{"callback":true}`},
		{"POST", "/v2/live", `{`},
		{"POST", "/v2/pre-recorded", `{}`},
		{"POST", "/v2/pre-recorded", `{"audio_url":"ftp://x/y","subtitles":1,"translation":true}`},
		{"POST", "/v2/upload", `{"audio_url":1}`},
		{"GET", "/v2/live?limit=0&offset=-1&status=x", ""},
		{"GET", "/v2/live/00000000-0000-4000-8000-000000000000", ""},
		{"DELETE", "/v2/pre-recorded/00000000-0000-4000-8000-000000000000", ""},
		{"PATCH", "/v2/live/00000000-0000-4000-8000-000000000000", "[]"},
		{"PUT", "/v2/live", ""},
		{"GET", "/nowhere", ""},
	} {
		text, err := n.gateway.text(t, r.method, r.path, r.body)
		if err != nil {
			t.Fatal(err)
		}
		told = append(told, r.method+" "+r.path+" "+r.body+"\n  "+text)
	}
	n.keep(t, "refusals", told, "")
}

// keep compares an answer with the one kept, or keeps it.
func (n *goldenRun) keep(t *testing.T, name string, told []string, record string) {
	t.Helper()
	var lines []string
	for _, line := range told {
		if strings.Contains(line, `"is_final":false`) || strings.Contains(line, `"type":"audio_chunk"`) {
			continue // how many there are depends on the machine
		}
		lines = append(lines, constant(line))
	}
	slices.Sort(lines)
	got := []byte(strings.Join(lines, "\n") + "\n\n" + constant(inOrder(t, record)))
	path := filepath.Join(n.dir, strings.ReplaceAll(name, " ", "_")+".txt")
	want, err := os.ReadFile(path)
	if errors.Is(err, os.ErrNotExist) {
		if err := os.WriteFile(path, got, 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		if err := os.WriteFile(path+".new", got, 0o644); err != nil {
			t.Error(err)
		}
		t.Errorf("differs: diff %q %q", path, path+".new")
	}
}

// changing is what differs from run to run, each with what stands for it.
var changing = []struct {
	what *regexp.Regexp
	with string
}{
	{regexp.MustCompile(`[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}`), "ID"},
	{regexp.MustCompile(`G-[0-9a-f]{8}`), "REQUEST"},
	{regexp.MustCompile(`\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d+Z`), "DATE"},
	{regexp.MustCompile(`token=[A-Z0-9]+`), "token=TOKEN"},
	{regexp.MustCompile(`127\.0\.0\.1:\d+`), "HOST"},
	{regexp.MustCompile(`(\\*"(?:exec_time|transcription_time|recording_left_to_process)\\*"):[0-9.e+-]+`), "$1:TIME"},
}

// constant replaces what differs from run to run.
func constant(text string) string {
	for _, c := range changing {
		text = c.what.ReplaceAllString(text, c.with)
	}
	return text
}

// inOrder is a record with the messages of its result sorted.
func inOrder(t *testing.T, record string) string {
	t.Helper()
	begin := strings.Index(record, `"messages":[`)
	if begin < 0 {
		return record
	}
	begin += len(`"messages":`)
	var list []string
	d := json.NewDecoder(strings.NewReader(record[begin:]))
	if err := d.Decode(&list); err != nil {
		t.Fatal(err)
	}
	for i := range list {
		list[i] = constant(list[i])
	}
	slices.Sort(list)
	return record[:begin] + "\n" + strings.Join(list, "\n") + "\n" + record[begin+int(d.InputOffset()):]
}

// inFormat is the clip in the format that a live session's body declares.
func inFormat(t *testing.T, c clip, request map[string]any) []byte {
	t.Helper()
	number := func(name string, otherwise int) int {
		if v, ok := request[name].(float64); ok {
			return int(v)
		}
		return otherwise
	}
	pcm := c.pcm
	if rate := number("sample_rate", clipRate); rate != clipRate {
		pcm = resampled(t, c, rate)
	}
	switch request["encoding"] {
	case "wav/alaw":
		return g711.EncodeAlaw(pcm)
	case "wav/ulaw":
		return g711.EncodeUlaw(pcm)
	}
	r := rand.New(rand.NewPCG(1, 2))
	var out []byte
	for ; len(pcm) >= 2; pcm = pcm[2:] {
		x := int16(binary.LittleEndian.Uint16(pcm))
		for channel := range number("channels", 1) {
			if channel > 0 {
				x = int16(4 * r.NormFloat64()) // a quiet room
			}
			out = appendSample(out, x, number("bit_depth", 16))
		}
	}
	return out
}

// appendSample appends a sample in another depth.
func appendSample(to []byte, x int16, depth int) []byte {
	switch depth {
	case 8:
		return append(to, byte(int(x)>>8+128))
	case 24:
		return append(to, 0, byte(x), byte(x>>8))
	case 32:
		return append(to, 0, 0, byte(x), byte(x>>8))
	}
	return binary.LittleEndian.AppendUint16(to, uint16(x))
}

// resampled is the clip at another rate.
func resampled(t *testing.T, c clip, rate int) []byte {
	t.Helper()
	out, err := exec.Command("ffmpeg", "-v", "error", "-f", "s16le", "-ar", fmt.Sprint(clipRate), "-ac", "1", "-i",
		c.file(t),
		"-ar", fmt.Sprint(rate), "-f", "s16le", "-bitexact", "-").Output()
	if err != nil {
		t.Skipf("ffmpeg: %v", err)
	}
	return out
}

// text is the answer to a request, whatever its status.
func (g *gateway) text(t *testing.T, method, path, body string) (string, error) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), method, g.url()+path, strings.NewReader(body))
	if err != nil {
		return "", err
	}
	req.Header.Set("x-service-key", testKey)
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return "", err
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	return fmt.Sprintf("%d %s", resp.StatusCode, text), err
}

// callbackLog receives callbacks and keeps them.
type callbackLog struct {
	url string

	mu       sync.Mutex
	received []string
	arrived  chan struct{}
}

func newCallbackLog(t *testing.T) *callbackLog {
	h := &callbackLog{arrived: make(chan struct{}, 1)}
	server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		text, err := io.ReadAll(io.LimitReader(r.Body, 16<<20))
		if err != nil {
			text = []byte(err.Error())
		}
		h.mu.Lock()
		h.received = append(h.received, r.Method+" "+string(text))
		h.mu.Unlock()
		select {
		case h.arrived <- struct{}{}:
		default:
		}
	}))
	t.Cleanup(server.Close)
	h.url = server.URL
	return h
}

// reset forgets what was received.
func (h *callbackLog) reset() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.received = nil
}

// await waits for the last callback of a job, if its record asks for any, and returns all that
// came.
func (h *callbackLog) await(t *testing.T, g *gateway, record string) []string {
	t.Helper()
	for {
		h.mu.Lock()
		received := slices.Clone(h.received)
		h.mu.Unlock()
		if !strings.Contains(record, `"callback":true`) || slices.ContainsFunc(received, isLast) {
			return received
		}
		select {
		case <-h.arrived:
		case <-t.Context().Done():
			t.Fatal("no callback")
		}
	}
}

// isLast reports whether a callback is the last of its job.
func isLast(text string) bool {
	return strings.Contains(text, `"event":"live.end_session"`) || strings.Contains(text, `"event":"transcription.`)
}
