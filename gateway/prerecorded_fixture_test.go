package gateway

import (
	"bytes"
	"encoding/json"
	"errors"
	"io/fs"
	"mime/multipart"
	"net/http"
	"net/textproto"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"steno/audio"
	"steno/audio/media"
	"steno/gateway/outbound"
	"steno/messages"
	"steno/session/store/embedded/embeddedtest"
)

// recordedServer is a test server that decodes recordings and may reach this machine.
func recordedServer(t *testing.T, change func(*Config), set ...func(*testServer)) *testServer {
	t.Helper()
	client := outbound.New(true)
	t.Cleanup(func() { _ = client.Close() })
	base := func(r *testServer) { r.media, r.outbound = newDecoder(t), client }
	return newTestServer(t, change, append([]func(*testServer){base}, set...)...)
}

// newDecoder returns the decoder that tests share: trying its sandbox starts programs.
func newDecoder(t *testing.T) *media.Decoder {
	t.Helper()
	d, err := decoder()
	if err != nil {
		t.Skip(err)
	}
	return d
}

var decoder = sync.OnceValues(func() (*media.Decoder, error) { return sandboxed(media.Limits{}) })

// sandboxed returns a decoder in Bubblewrap, if that works: with Landlock this program would start
// again for each file, which takes longer than most of the tests' recordings.
func sandboxed(limits media.Limits) (*media.Decoder, error) {
	d, err := media.New(media.Config{Sandbox: media.Bubblewrap, Limits: limits})
	if errors.Is(err, media.ErrNoSandbox) {
		return media.New(media.Config{Enters: true, Limits: limits})
	}
	return d, err
}

// wavOf returns a WAV file of 16-bit samples.
func wavOf(pcm []byte, rate, channels int) []byte {
	f := audio.Format{Encoding: audio.PCM, BitDepth: 16, SampleRate: rate, Channels: channels}
	return append(audio.WAVHeader(f, int64(len(pcm))), pcm...)
}

// encode converts a WAV file to the format of the name's extension.
func encode(t *testing.T, wav []byte, name string, args ...string) []byte {
	t.Helper()
	return encodeAll(t, wav, append(args, name))[name]
}

// encodeAll converts a WAV file to several formats by one start of ffmpeg, and returns the files by
// name. Each of files has the arguments of one, the last of which is its name.
func encodeAll(t *testing.T, wav []byte, files ...[]string) map[string][]byte {
	t.Helper()
	dir := embeddedtest.Folder(t)
	from := filepath.Join(dir, "in.wav")
	if err := os.WriteFile(from, wav, 0o600); err != nil {
		t.Fatal(err)
	}
	args := []string{"-v", "error", "-i", from}
	for _, file := range files {
		last := len(file) - 1
		args = append(append(args, file[:last]...), filepath.Join(dir, file[last]))
	}
	if out, err := exec.Command("ffmpeg", args...).CombinedOutput(); err != nil {
		t.Skipf("ffmpeg cannot make %v here: %v %s", files, err, out)
	}
	encoded := map[string][]byte{}
	for _, file := range files {
		name := file[len(file)-1]
		b, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		encoded[name] = b
	}
	return encoded
}

// filled is a multipart form: pairs of names and values, then a file in the field audio.
type filled struct {
	fields         []string
	filename, kind string
	content        []byte
	last           []string // fields after the file
}

// send posts a form.
func (r *testServer) send(path string, f filled, headers ...string) answer {
	r.t.Helper()
	var b bytes.Buffer
	w := multipart.NewWriter(&b)
	write := func(fields []string) {
		for i := 0; i+1 < len(fields); i += 2 {
			if err := w.WriteField(fields[i], fields[i+1]); err != nil {
				r.t.Fatal(err)
			}
		}
	}
	write(f.fields)
	if f.content != nil {
		head := textproto.MIMEHeader{"Content-Disposition": {`form-data; name="audio"; filename="` + f.filename + `"`}}
		if f.kind != "" {
			head.Set("Content-Type", f.kind)
		}
		part, err := w.CreatePart(head)
		if err == nil {
			_, err = part.Write(f.content)
		}
		if err != nil {
			r.t.Fatal(err)
		}
	}
	write(f.last)
	if err := w.Close(); err != nil {
		r.t.Fatal(err)
	}
	return r.do("POST", path, b.String(), append([]string{"Content-Type", w.FormDataContentType()}, headers...)...)
}

// uploadFile uploads a file.
func (r *testServer) uploadFile(name string, content []byte) messages.Upload {
	r.t.Helper()
	a := r.send("/v2/upload", filled{filename: name, content: content})
	var up messages.Upload
	if err := json.Unmarshal(a.body, &up); err != nil || a.status != http.StatusOK {
		r.t.Fatalf("upload: %d %s", a.status, a.body)
	}
	return up
}

// createJob creates a job and returns its id.
func (r *testServer) createJob(body string) string {
	r.t.Helper()
	a := r.do("POST", "/v2/pre-recorded", body)
	var got messages.Created
	if err := json.Unmarshal(a.body, &got); err != nil || a.status != http.StatusCreated {
		r.t.Fatalf("create: %d %s", a.status, a.body)
	}
	if want := r.http.URL + "/v2/pre-recorded/" + got.ID; got.ResultURL != want {
		r.t.Errorf("result_url %q, want %q", got.ResultURL, want)
	}
	return got.ID
}

// recordedJob returns a job.
func (r *testServer) recordedJob(id string) messages.Job {
	r.t.Helper()
	a := r.do("GET", "/v2/pre-recorded/"+id, "")
	var job messages.Job
	if err := json.Unmarshal(a.body, &job); err != nil || a.status != http.StatusOK {
		r.t.Fatalf("job: %d %s", a.status, a.body)
	}
	return job
}

// awaitJob waits until a job is finished, and returns it.
func (r *testServer) awaitJob(id string) (job messages.Job) {
	r.t.Helper()
	waitUntil(r.t, "the job has ended", func() bool {
		job = r.recordedJob(id)
		return job.CompletedAt != nil
	})
	return job
}

// awaitResult waits for the result of a job.
func (r *testServer) awaitResult(id string) messages.PreRecordedResult {
	r.t.Helper()
	job := r.awaitJob(id)
	if job.Status != messages.StatusDone {
		r.t.Fatalf("job %+v", job)
	}
	var result messages.PreRecordedResult
	if err := json.Unmarshal(job.Result, &result); err != nil || result.Transcription == nil {
		r.t.Fatalf("result %s: %v", job.Result, err)
	}
	return result
}

// transcribeFile returns the result of a job for a file.
func (r *testServer) transcribeFile(name string, content []byte) messages.PreRecordedResult {
	r.t.Helper()
	return r.awaitResult(r.createJob(`{"audio_url":"` + r.uploadFile(name, content).AudioURL + `"}`))
}

// uploadFiles lists the files of uploads on disk, including unfinished ones.
func (r *testServer) uploadFiles() (names []string) {
	r.t.Helper()
	err := filepath.WalkDir(filepath.Join(r.dir, "uploads"), func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			names = append(names, path)
		}
		return err
	})
	if err != nil {
		r.t.Fatal(err)
	}
	return names
}

// texts returns the words of each utterance.
func texts(list []messages.Utterance) (all []string) {
	for _, u := range list {
		all = append(all, strings.TrimSpace(u.Text))
	}
	return all
}
