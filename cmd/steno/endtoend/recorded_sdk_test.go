package endtoend_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"mime/multipart"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"steno/audio"
	"steno/session/asr/asrtest/corpus"
	"steno/session/asr/wer"
)

// recordedWithin is how long a recorded clip may take, others being worked on as well.
const recordedWithin = 8 * time.Minute

// TestRecorded has files transcribed by the built programs: through the public client library,
// across a crash, and in all formats.
func TestRecorded(t *testing.T) {
	if testing.Short() {
		t.Skip("builds and starts the programs, takes about a minute")
	}
	if _, err := exec.LookPath("ffmpeg"); err != nil {
		t.Skip("ffmpeg is not installed")
	}
	t.Parallel()
	bin := build(t)
	for _, e := range engines() {
		t.Run(e.name, func(t *testing.T) {
			t.Parallel()
			e.need(t)
			g := newGateway(t, bin, e.name)
			if e.name == "scripted" {
				t.Run("library", func(t *testing.T) { testRecordedLibrary(t, findSDK(t), g, e) })
				t.Run("killed gateway", func(t *testing.T) { testKilledWorker(t, g, e) })
				return // its words are made from the bytes: any loss of an encoding changes all
			}
			t.Run("formats", func(t *testing.T) { testFormats(t, g) })
			t.Run("vocabulary", func(t *testing.T) { testVocabulary(t, g, e) })
		})
	}
}

// job is a recorded file's job as far as the tests look at it.
type job struct {
	ID        string
	Status    string
	Kind      string
	ErrorCode *int `json:"error_code"`
	File      struct {
		Filename *string
		Duration float64 `json:"audio_duration"`
	}
	Result struct {
		Metadata      map[string]float64
		Transcription struct {
			FullTranscript string `json:"full_transcript"`
			Utterances     any
		}
	}
}

// wav writes the clip as a WAV file.
func (c clip) wav(t *testing.T) string {
	t.Helper()
	f := audio.Format{Encoding: audio.PCM, BitDepth: 16, SampleRate: clipRate, Channels: 1}
	path := filepath.Join(t.TempDir(), "clip.wav")
	if err := os.WriteFile(path, append(audio.WAVHeader(f, int64(len(c.pcm))), c.pcm...), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// testRecordedLibrary goes through what the public client library can do with recorded files.
func testRecordedLibrary(t *testing.T, sdk string, g *gateway, e engineCase) {
	c := e.clip(t)
	path := c.wav(t)
	ctx, cancel := context.WithTimeout(t.Context(), 2*recordedWithin)
	defer cancel()
	task, err := json.Marshal(map[string]string{"url": g.url(), "key": testKey, "audio": path, "tag": "library"})
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(ctx, "node", "recorded.mjs", string(task))
	cmd.Dir = sdk
	complaints := new(lockedBuffer)
	cmd.Stderr = complaints
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("client: %v\n%s", err, complaints)
	}
	var said struct {
		Jobs        []job
		Polled, Got job
		Upload      struct {
			AudioURL string `json:"audio_url"`
		}
		Created struct {
			ID  string
			URL string `json:"result_url"`
		}
		Filtered, One       []string
		Nothing             []int
		Pages               [][]string
		Deleted             bool
		Gone, Again, Failed int
		File                struct {
			Bytes  int
			SHA256 string
		}
	}
	if err := json.Unmarshal(out, &said); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	newestFirst := []string{said.Created.ID}
	for _, j := range slices.Backward(said.Jobs) {
		newestFirst = append(newestFirst, j.ID)
	}
	for _, j := range append(said.Jobs, said.Polled, said.Got) {
		if j.Status != "done" || j.Kind != "pre-recorded" || j.File.Filename == nil || *j.File.Filename != "clip.wav" ||
			!reflect.DeepEqual(j.Result.Transcription, said.Got.Result.Transcription) {
			t.Errorf("job %+v", j)
		}
	}
	if text := said.Got.Result.Transcription.FullTranscript; !e.plausible(text) {
		t.Errorf("transcript %q", text)
	}
	if !slices.Equal(said.Filtered, newestFirst) || len(said.One) != 1 || said.One[0] != said.Jobs[2].ID {
		t.Errorf("lists %q and %q, want %q and number 2", said.Filtered, said.One, newestFirst)
	}
	if !reflect.DeepEqual(said.Nothing, make([]int, len(said.Nothing))) {
		t.Errorf("filters that nothing passes let %v pass", said.Nothing)
	}
	if len(said.Pages) != 2 || len(said.Pages[0]) != 3 || !slices.Equal(slices.Concat(said.Pages...), newestFirst) {
		t.Errorf("pages %q", said.Pages)
	}
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	sum := sha256.Sum256(content)
	if said.File.Bytes != len(content) || said.File.SHA256 != hex.EncodeToString(sum[:]) {
		t.Errorf("file %+v is not the one sent", said.File)
	}
	if !said.Deleted || said.Gone != 404 || said.Again != 404 || said.Failed != 422 {
		t.Errorf("deleted %v, then %d and %d; a missing file: %d", said.Deleted, said.Gone, said.Again, said.Failed)
	}
}

// testKilledWorker kills the gateway while a worker has a job in hand and another waits, and starts
// it again: both are done as if nothing had happened.
func testKilledWorker(t *testing.T, g *gateway, e engineCase) {
	c := e.clip(t)
	want := g.await(t, g.submit(t, c.wav(t)))
	const times = 20
	long := clip{bytes.Repeat(c.pcm, times)}
	first, second := g.submit(t, long.wav(t)), g.submit(t, c.wav(t))
	for deadline := time.Now().Add(recordedWithin); g.look(t, first).Status == "queued"; {
		if time.Now().After(deadline) {
			t.Fatal("no worker takes the job")
		}
	}
	if got := g.look(t, first); got.Status != "processing" {
		t.Fatalf("job is %s: too quick to be killed", got.Status)
	}
	restart(t, g)
	if got := g.await(t, second); !reflect.DeepEqual(got.Result.Transcription, want.Result.Transcription) {
		t.Errorf("after the crash\n%+v\nwithout\n%+v", got.Result.Transcription, want.Result.Transcription)
	}
	if got := g.await(t, first); len(strings.Fields(got.Result.Transcription.FullTranscript)) < times/
		2*len(strings.Fields(want.Result.Transcription.FullTranscript)) {
		t.Errorf("after the crash %q", got.Result.Transcription.FullTranscript)
	}
}

// commands are the recordings of Debian's tests that are spoken clearly: where words are in doubt,
// the recognizer's choice hangs on less than an encoder changes.
func commands(t *testing.T) (c clip) {
	t.Helper()
	for _, name := range []string{"goforward", "numbers"} {
		pcm, err := os.ReadFile("/usr/share/pocketsphinx/test/data/" + name + ".raw")
		if os.IsNotExist(err) {
			t.Skip("no recordings: install pocketsphinx-testdata")
		}
		if err != nil {
			t.Fatal(err)
		}
		c.pcm = append(c.pcm, pcm...)
	}
	return c
}

// formats are the encodings whose transcripts are compared. More are tested where files are only
// decoded.
var formats = []struct {
	name  string
	words int // that may differ
	args  []string
}{
	{"clip.flac", 0, nil},
	{"clip.mp3", 2, []string{"-b:a", "128k"}},
	{"clip.webm", 2, []string{"-c:a", "libopus", "-b:a", "64k"}},
}

// testFormats has the same clip transcribed from each encoding: the same words from the lossless
// ones, and two others at most where the audio is not the same.
func testFormats(t *testing.T, g *gateway) {
	path := commands(t).wav(t)
	plain := g.submit(t, path)
	dir := t.TempDir()
	jobs := make([]string, len(formats))
	for i, f := range formats {
		encoded := filepath.Join(dir, f.name)
		out, err := exec.Command("ffmpeg", slices.Concat([]string{"-v", "error", "-i", path}, f.args,
			[]string{encoded})...).CombinedOutput()
		if err != nil {
			t.Logf("ffmpeg cannot write %s here: %v %s", f.name, err, out)
			continue
		}
		jobs[i] = g.submit(t, encoded)
	}
	want := corpus.Words(g.await(t, plain).Result.Transcription.FullTranscript)
	if len(want) < 6 {
		t.Errorf("transcript %q", want)
	}
	for i, f := range formats {
		if jobs[i] == "" {
			continue
		}
		got := corpus.Words(g.await(t, jobs[i]).Result.Transcription.FullTranscript)
		if n := wer.Distance(got, want); n > f.words {
			t.Errorf("%s: %d words differ:\n%q\n%q", f.name, n, got, want)
		}
	}
}

// submit uploads a file and returns the path of its job, which may have more parameters: JSON
// fields.
func (g *gateway) submit(t *testing.T, path string, params ...string) string {
	t.Helper()
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var form bytes.Buffer
	w := multipart.NewWriter(&form)
	part, err := w.CreateFormFile("audio", filepath.Base(path))
	if err == nil {
		_, err = part.Write(content)
	}
	if err == nil {
		err = w.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	var up struct {
		URL string `json:"audio_url"`
	}
	g.ask(t, "POST", "/v2/upload", w.FormDataContentType(), &form, 200, &up)
	var made struct{ ID string }
	g.ask(t, "POST", "/v2/pre-recorded", "application/json",
		strings.NewReader("{"+strings.Join(append(params, fmt.Sprintf(`"audio_url":%q`, up.URL)), ",")+"}"), 201, &made)
	return "/v2/pre-recorded/" + made.ID
}

// look asks for a job once.
func (g *gateway) look(t *testing.T, path string) (j job) {
	t.Helper()
	g.ask(t, "GET", path, "", nil, 200, &j)
	return j
}

// await asks for a job until it is done.
func (g *gateway) await(t *testing.T, path string) job {
	t.Helper()
	j := g.awaitEnd(t, path)
	if j.Status != "done" {
		t.Fatalf("job %+v", j)
	}
	return j
}

// awaitEnd asks for a job until it has ended, well or not.
func (g *gateway) awaitEnd(t *testing.T, path string) job {
	t.Helper()
	for deadline := time.Now().Add(recordedWithin); ; time.Sleep(100 * time.Millisecond) {
		j := g.look(t, path)
		if j.Status == "done" || j.Status == "error" {
			return j
		}
		if time.Now().After(deadline) {
			t.Fatalf("job %+v", j)
		}
	}
}

func (g *gateway) ask(t *testing.T, method, path, kind string, body io.Reader, status int, into any) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), method, g.url()+path, body)
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("x-service-key", testKey)
	if kind != "" {
		req.Header.Set("Content-Type", kind)
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	if err != nil || resp.StatusCode != status {
		t.Fatalf("%s %s: %d %s, %v", method, path, resp.StatusCode, text, err)
	}
	if err := json.Unmarshal(text, into); err != nil {
		t.Fatalf("%s: %v", text, err)
	}
}
