package files

import (
	"errors"
	"io"
	"mime"
	"net/http"
	"strings"

	"steno/gateway/dialect"
	"steno/gateway/dialect/openai"
	"steno/gateway/web"
	"steno/messages"
)

// answer returns the handler of a task.
func (s service) answer(t task) web.Handler {
	return func(w http.ResponseWriter, r *http.Request) error {
		q, job, err := s.submit(w, r, t)
		if err != nil {
			return err
		}
		defer job.Release()
		if q.stream {
			return s.sendStream(w, r, q, job)
		}
		result, err := job.Await(r.Context(), nil)
		if err != nil {
			return err
		}
		c, err := q.content(result)
		if err != nil {
			return err
		}
		q.write(w, c)
		return nil
	}
}

// unread are the fields that are received and not held: recordings of speakers.
var unread = []string{"known_speaker_references", "known_speaker_references[]"}

// submit reads a request and puts its job into the queue.
func (s service) submit(w http.ResponseWriter, r *http.Request, t task) (request, *dialect.Job, error) {
	received, fields, kind, err := s.receive(w, r)
	if err != nil {
		return request{}, nil, err
	}
	defer received.Discard()
	q, err := parse(t, fields)
	if err == nil && !received.Sent {
		err = noFile()
	}
	if err != nil {
		return q, nil, err
	}
	upload, err := received.Commit(kind)
	if err != nil {
		return q, nil, badFile(err)
	}
	job, err := s.Submit(w, r, dialect.Task{Request: q.job(), Upload: upload, Own: true, Waits: true})
	return q, job, err
}

// receive receives a form, or JSON. kind is a hint to what the file is.
func (s service) receive(w http.ResponseWriter, r *http.Request) (received *dialect.Received,
	fields map[string][]string, kind string, err error) {
	if media, _, err := mime.ParseMediaType(r.Header.Get("Content-Type")); err != nil || media != "application/json" {
		received, err = s.ReadForm(w, r, "file", unread...)
		if err != nil {
			return nil, nil, "", err
		}
		return received, received.Fields, "", nil
	}
	var body jsonBody
	received, err = s.ReadFile(w, r, maxOverhead, func(in io.Reader, file io.Writer) (err error) {
		body, err = readJSON(in, file)
		return err
	})
	if err != nil {
		return nil, nil, "", err
	}
	received.Sent = received.Size > 0
	if body.InputAudio.Format != "" {
		kind = "audio/" + body.InputAudio.Format
	}
	return received, body.fields(), kind, nil
}

// badFile returns the problem of a file that is no recording, which clients read as a fault of
// theirs.
func badFile(err error) error {
	p, ok := errors.AsType[*messages.Problem](err)
	if !ok || p.Status != http.StatusUnsupportedMediaType && p.Status != http.StatusUnprocessableEntity {
		return err
	}
	return openai.Fault(http.StatusBadRequest, "file", "invalid_file", p.Message)
}

// content is what an answer is made of.
type content struct {
	text       string
	language   string // code; empty: not known
	duration   float64
	utterances []messages.Utterance
	subtitles  string // in the format asked for
}

// content returns what a result has of what was asked for.
func (q request) content(result *messages.PreRecordedResult) (content, error) {
	t := result.Transcription
	c := content{text: t.FullTranscript, utterances: t.Utterances, duration: result.Metadata.AudioDuration,
		subtitles: subtitlesOf(t.Subtitles)}
	switch {
	case len(t.Languages) > 0:
		c.language = t.Languages[0]
	case len(q.languages) > 0:
		c.language = q.languages[0]
	}
	if q.task == transcribe || isEnglish(t) {
		return c, nil
	}
	return c.translated(result.Translation)
}

// isEnglish reports whether there is nothing to translate.
func isEnglish(t *messages.Transcription) bool {
	return t.FullTranscript == "" || len(t.Languages) == 1 && t.Languages[0] == "en"
}

// translated returns the content in English. That it cannot be had is a problem.
func (c content) translated(translation *messages.AddonResult[messages.List[messages.TranslationResult]]) (content,
	error) {
	failed := &messages.Problem{Status: http.StatusNotImplemented, Message: "nothing translates on this server"}
	if translation == nil || len(translation.Results) == 0 {
		return c, failed
	}
	english := translation.Results[0]
	if e := english.Error; e != nil {
		failed.Status, failed.Message = e.StatusCode, e.Message
		return c, failed
	}
	c.text, c.language, c.utterances = english.FullTranscript, "en", english.Utterances
	c.subtitles = subtitlesOf(english.Subtitles)
	return c, nil
}

func subtitlesOf(list []messages.Subtitle) string {
	if len(list) == 0 {
		return ""
	}
	return list[0].Subtitles
}

// write answers in the format that was asked for.
func (q request) write(w http.ResponseWriter, c content) {
	var body any
	switch q.format {
	case "text":
		writeText(w, c.text+"\n")
		return
	case "srt", "vtt":
		writeText(w, c.subtitles)
		return
	case "verbose_json":
		body = q.verbose(c)
	case "diarized_json":
		body = q.diarized(c)
	default:
		body = q.plain(c)
	}
	web.WriteJSON(w, http.StatusOK, body)
}

func writeText(w http.ResponseWriter, text string) {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.WriteHeader(http.StatusOK)
	_, _ = w.Write([]byte(strings.TrimLeft(text, " "))) // only a client that has left causes an error
}
