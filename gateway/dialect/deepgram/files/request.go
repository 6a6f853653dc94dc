package files

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"math"
	"mime"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"steno/audio"
	"steno/gateway/dialect"
	"steno/gateway/dialect/deepgram"
	"steno/gateway/web"
	"steno/messages"
)

// options are what of a request its answer depends on. Their JSON is kept with the job.
type options struct {
	Model        string `json:"model"`                // as the client calls it
	Punctuate    bool   `json:"punctuate,omitempty"`  // marks and capitals
	Paragraphs   bool   `json:"paragraphs,omitempty"` // by smart_format too
	Utterances   bool   `json:"utterances,omitempty"`
	Multichannel bool   `json:"multichannel,omitempty"`
	Detect       bool   `json:"detect,omitempty"`
	Speakers     bool   `json:"speakers,omitempty"`
	Summary      bool   `json:"summary,omitempty"`
	SHA256       string `json:"sha256,omitempty"` // of the file
}

func parseOptions(text string) (o options, err error) {
	if err := json.Unmarshal([]byte(text), &o); err != nil {
		return o, fmt.Errorf("read options of a job: %w", err)
	}
	return o, nil
}

// request is what a client asks for.
type request struct {
	options
	job     *messages.PreRecordedRequest
	raw     *audio.Format // of samples without a header; nil: the file has one
	ignored []string
}

// parse reads a query.
func parse(values url.Values) (request, error) {
	q := &deepgram.Query{Values: values}
	o := options{
		Model: q.Get("model"), Punctuate: q.Bool("punctuate") || q.Bool("smart_format"),
		Paragraphs: q.Bool("paragraphs") || q.Bool("smart_format"), Utterances: q.Bool("utterances"),
		Multichannel: q.Bool("multichannel"), Speakers: q.Bool("diarize") || q.Get("diarize_model") != "",
		Detect:  q.Get("detect_language") != "" && q.Get("detect_language") != "false",
		Summary: q.Get("summarize") != "" && q.Get("summarize") != "false",
	}
	if o.Paragraphs {
		o.Punctuate = true
	}
	languages, switching := q.Languages()
	job := messages.NewPreRecordedRequest("", messages.LanguageConfig{Languages: languages, CodeSwitching: switching})
	var err error
	if job.Model, err = deepgram.Model(o.Model); err != nil {
		return request{}, err
	}
	job.Diarization, job.Summarization = o.Speakers, o.Summary
	if job.CustomVocabularyConfig = q.Vocabulary(); job.CustomVocabularyConfig != nil {
		job.CustomVocabulary = true
	}
	if job.CustomSpellingConfig = q.Spelling(); job.CustomSpellingConfig != nil {
		job.CustomSpelling = true
	}
	if kinds := q.Redacted(); len(kinds) > 0 {
		job.PIIRedaction = true
		job.PIIRedactionConfig.EntityTypes = kinds
	}
	raw := rawFormat(q)
	readCallback(q, job)
	if err := q.Fault(); err != nil {
		return request{}, err
	}
	return request{options: o, job: job, raw: raw, ignored: ignoredOf(values)}, refusedJob(job)
}

// readCallback reads where the answer is to be sent.
func readCallback(q *deepgram.Query, job *messages.PreRecordedRequest) {
	address := q.Get("callback")
	if address == "" {
		return
	}
	method := strings.ToUpper(q.Get("callback_method"))
	if method == "" {
		method = http.MethodPost
	}
	if method != http.MethodPost && method != http.MethodPut {
		q.Refuse("callback_method", "must be post or put")
	}
	job.Callback, job.CallbackConfig = true, &messages.ResultCallback{URL: address, Method: method}
}

// refusedJob returns what makes a job of the query invalid, as that of the gateway's own interface
// would be.
func refusedJob(job *messages.PreRecordedRequest) error {
	all := *job
	all.AudioURL = "http://localhost/"
	text, err := json.Marshal(all)
	if err != nil {
		return fmt.Errorf("encode job: %w", err)
	}
	if _, fault := messages.ParsePreRecorded(text); fault != nil {
		return fault
	}
	return nil
}

// encodings are those of samples without a header that can be given one.
var encodings = map[string]struct {
	encoding audio.Encoding
	depth    int
}{"linear16": {audio.PCM, 16}, "mulaw": {audio.MuLaw, 8}, "alaw": {audio.ALaw, 8}}

// rawFormat returns the format of samples that a query describes; nil: it does not.
func rawFormat(q *deepgram.Query) *audio.Format {
	e, ok := encodings[q.Get("encoding")]
	rate, channels := q.Int("sample_rate", 8000, 192000), q.Int("channels", 1, 8)
	if !ok || rate == 0 {
		return nil
	}
	return &audio.Format{Encoding: e.encoding, BitDepth: e.depth, SampleRate: rate, Channels: max(channels, 1)}
}

// sortedNames are the names of the parameters without effect.
func sortedNames() []string { return slices.Sorted(maps.Keys(withoutEffect)) }

// ignoredOf returns which parameters of a query have no effect though they ask for something.
func ignoredOf(values url.Values) (names []string) {
	for _, name := range sortedNames() {
		if v := values.Get(name); v != "" && v != "false" && v != "False" {
			names = append(names, name)
		}
	}
	return names
}

// listen answers POST /v1/listen.
func (s service) listen(w http.ResponseWriter, r *http.Request) error {
	q, err := parse(r.URL.Query())
	if err != nil {
		return err
	}
	upload, err := s.take(w, r, &q)
	if err != nil {
		return err
	}
	if len(q.ignored) > 0 {
		w.Header().Add("X-Steno-Ignored", strings.Join(q.ignored, ", "))
	}
	kept, err := json.Marshal(q.options)
	if err != nil {
		return fmt.Errorf("encode options: %w", err)
	}
	job, err := s.Submit(w, r, dialect.Task{Request: q.job, Upload: upload, Own: true, Waits: !q.job.Callback,
		Options: string(kept)})
	if err != nil {
		return err
	}
	if q.job.Callback {
		web.WriteJSON(w, http.StatusOK, accepted{job.ID})
		return nil
	}
	defer job.Release()
	done, err := job.Await(r.Context(), nil)
	if err != nil {
		return err
	}
	web.WriteJSON(w, http.StatusOK, q.answer(job.ID, job.At, done))
	return nil
}

// accepted answers a request whose transcript is sent elsewhere.
type accepted struct {
	ID string `json:"request_id"`
}

// take receives the file in the body, and returns its upload; none for a body with the address of
// one, which becomes the job's.
func (s service) take(w http.ResponseWriter, r *http.Request, q *request) (upload string, err error) {
	if kind, _, _ := mime.ParseMediaType(r.Header.Get("Content-Type")); kind == "application/json" {
		q.job.AudioURL, err = s.readAddress(w, r)
		return "", err
	}
	sum := sha256.New()
	received, err := s.ReadFile(w, r, 0, func(body io.Reader, file io.Writer) error {
		return q.copy(io.TeeReader(body, sum), file, r.ContentLength)
	})
	if err != nil {
		return "", err
	}
	defer received.Discard()
	if received.Size == 0 {
		return "", web.Problem(http.StatusBadRequest, "the body must be a recording, or JSON with its url")
	}
	q.SHA256 = hex.EncodeToString(sum.Sum(nil))
	return received.Commit("")
}

// address is a body with the address of a file.
type address struct {
	URL string `json:"url" required:"true" format:"uri" maxLength:"8192"`
}

// readAddress reads a body with the address of a file.
func (s service) readAddress(w http.ResponseWriter, r *http.Request) (string, error) {
	body, err := web.ReadBody(w, r, s.MaxBody)
	if err != nil {
		return "", err
	}
	var asked address
	if json.Unmarshal(body, &asked) != nil || asked.URL == "" || len(asked.URL) > 8192 {
		return "", web.Problem(http.StatusBadRequest, "the body must be JSON with the url of a recording")
	}
	return asked.URL, nil
}

// copy copies a file. Samples without a header get one. size is that of the body, below 0 where it
// is not known.
func (q request) copy(body io.Reader, file io.Writer, size int64) error {
	head := make([]byte, 12)
	n, err := io.ReadFull(body, head)
	if err != nil && n == 0 {
		return nil // nothing was sent
	}
	head = head[:n]
	if q.raw != nil && !hasHeader(head) {
		if size < 0 {
			size = math.MaxUint32 - 64 // a header for what is as long as it may be
		}
		if _, err := file.Write(audio.WAVHeader(*q.raw, size)); err != nil {
			return err
		}
	}
	all := io.MultiReader(bytes.NewReader(head), body)
	_, err = io.CopyBuffer(struct{ io.Writer }{file}, all, make([]byte, 256<<10))
	return err
}

// hasHeader reports whether a file that was said to be samples has the header of a container.
func hasHeader(head []byte) bool {
	for _, magic := range []string{"RIFF", "ID3", "fLaC", "OggS", "\x1a\x45\xdf\xa3", "caff", "FORM", ".snd"} {
		if bytes.HasPrefix(head, []byte(magic)) {
			return true
		}
	}
	return len(head) >= 8 && string(head[4:8]) == "ftyp"
}
