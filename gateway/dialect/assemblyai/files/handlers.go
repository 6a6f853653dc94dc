package files

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"steno/gateway/dialect"
	"steno/gateway/web"
	"steno/messages"
)

// uploaded is a file that is kept.
type uploaded struct {
	URL string `json:"upload_url"`
}

// upload keeps the file in the body.
func (s service) upload(w http.ResponseWriter, r *http.Request) error {
	received, err := s.ReadFile(w, r, 0, func(body io.Reader, file io.Writer) error {
		_, err := io.CopyBuffer(struct{ io.Writer }{file}, body, make([]byte, 256<<10))
		return err
	})
	if err != nil {
		return err
	}
	defer received.Discard()
	if received.Size == 0 {
		return bad("the body must be a recording")
	}
	id, err := received.Commit("")
	if err != nil {
		return err
	}
	web.WriteJSON(w, http.StatusOK, uploaded{s.FileURL(r, id)})
	return nil
}

// create puts a job into the queue.
func (s service) create(w http.ResponseWriter, r *http.Request) error {
	text, err := web.ReadBody(w, r, s.MaxBody)
	if err != nil {
		return err
	}
	job, o, err := parse(text)
	if err != nil {
		return err
	}
	kept, err := json.Marshal(o)
	if err != nil {
		return fmt.Errorf("encode options: %w", err)
	}
	made, err := s.Submit(w, r, dialect.Task{Request: job, Options: string(kept)})
	if err != nil {
		return err
	}
	record, err := s.Job(r, made.ID)
	if err != nil {
		return err
	}
	return write(w, record)
}

func write(w http.ResponseWriter, r *dialect.Record) error {
	t, err := transcriptOf(r)
	if err != nil {
		return err
	}
	web.WriteJSON(w, http.StatusOK, t)
	return nil
}

// find returns the job of the id in the request's path.
func (s service) find(r *http.Request) (*dialect.Record, error) { return s.Job(r, r.PathValue("id")) }

// get answers with a transcript as far as it is.
func (s service) get(w http.ResponseWriter, r *http.Request) error {
	record, err := s.find(r)
	if err != nil {
		return err
	}
	return write(w, record)
}

// remove deletes a job with its file, and answers with what is left of it.
func (s service) remove(w http.ResponseWriter, r *http.Request) error {
	record, err := s.find(r)
	if err != nil {
		return err
	}
	if err := s.Delete(r, record.ID); err != nil {
		return err
	}
	t, err := transcriptOf(record)
	if err != nil {
		return err
	}
	const deleted = "Deleted by user."
	web.WriteJSON(w, http.StatusOK, transcript{ID: t.ID, Status: t.Status, AudioURL: "http://deleted_by_user",
		LanguageModel: t.LanguageModel, AcousticModel: t.AcousticModel, Text: optional(deleted)})
	return nil
}

// finished returns the job of a request whose transcript is there.
func (s service) finished(r *http.Request) (*dialect.Record, options, error) {
	record, err := s.find(r)
	if err != nil {
		return nil, options{}, err
	}
	if record.Result == nil {
		return nil, options{}, bad("this transcript has a status of " + statuses[record.Status] +
			", a transcript must be completed")
	}
	o, err := parseOptions(record.Options)
	return record, o, err
}

// divided is a text in pieces.
type divided struct {
	ID         string                   `json:"id"`
	Confidence float64                  `json:"confidence"`
	Duration   float64                  `json:"audio_duration"`
	Sentences  messages.List[utterance] `json:"sentences,omitzero"`
	Paragraphs messages.List[utterance] `json:"paragraphs,omitzero"`
}

func dividedOf(r *dialect.Record) divided {
	t := r.Result.Transcription
	var words []messages.Word
	for i := range t.Utterances {
		words = append(words, t.Utterances[i].TimedWords()...)
	}
	return divided{ID: r.ID, Confidence: messages.MeanConfidence(words), Duration: r.Result.Metadata.AudioDuration}
}

func (s service) sentences(w http.ResponseWriter, r *http.Request) error {
	record, o, err := s.finished(r)
	if err != nil {
		return err
	}
	d, v := dividedOf(record), newVoices(o)
	d.Sentences = messages.List[utterance]{}
	for _, one := range dialect.Sentences(record.Result.Transcription.Utterances) {
		d.Sentences = append(d.Sentences, v.utterance(&one))
	}
	web.WriteJSON(w, http.StatusOK, d)
	return nil
}

func (s service) paragraphs(w http.ResponseWriter, r *http.Request) error {
	record, o, err := s.finished(r)
	if err != nil {
		return err
	}
	d, v := dividedOf(record), newVoices(o)
	d.Paragraphs = messages.List[utterance]{}
	for _, sentences := range dialect.Paragraphs(record.Result.Transcription.Utterances) {
		whole := sentences[0]
		whole.Words = nil
		for _, one := range sentences {
			whole.Words = append(whole.Words, one.Words...)
		}
		whole = whole.Excerpt(whole.Words)
		d.Paragraphs = append(d.Paragraphs, v.utterance(&whole))
	}
	web.WriteJSON(w, http.StatusOK, d)
	return nil
}

// maxCharacters bounds a caption.
const maxCharacters = 1000

// captions returns the handler of a format of captions.
func (s service) captions(format string) web.Handler {
	return func(w http.ResponseWriter, r *http.Request) error {
		characters := 0
		if text := r.URL.Query().Get("chars_per_caption"); text != "" {
			n, err := strconv.Atoi(text)
			if err != nil || n < 1 || n > maxCharacters {
				return bad(fmt.Sprintf("chars_per_caption must be a number from 1 to %d", maxCharacters))
			}
			characters = n
		}
		record, _, err := s.finished(r)
		if err != nil {
			return err
		}
		text, err := s.Subtitles(record.Result.Transcription.Utterances, format, characters,
			record.Result.Metadata.AudioDuration)
		if err != nil {
			return err
		}
		w.Header().Set("Content-Type", "text/plain; charset=utf-8")
		_, _ = io.WriteString(w, text) // fails only where the client has left
		return nil
	}
}

// listed is a job in a list.
type listed struct {
	ID        string  `json:"id"`
	URL       string  `json:"resource_url"`
	Status    string  `json:"status"`
	Created   string  `json:"created"`
	Completed *string `json:"completed"`
	AudioURL  string  `json:"audio_url"`
	Error     *string `json:"error"`
}

// pageDetails name a page of a list, and the older one after it.
type pageDetails struct {
	Limit    int     `json:"limit"`
	Count    int     `json:"result_count"`
	Current  string  `json:"current_url"`
	Previous *string `json:"prev_url"` // of older jobs
	Next     *string `json:"next_url"`
}

type listPage struct {
	Details     pageDetails           `json:"page_details"`
	Transcripts messages.List[listed] `json:"transcripts"`
}

// defaultPage is how many jobs a page has that names no number.
const defaultPage = 10

// list answers with a page of jobs, newest first.
func (s service) list(w http.ResponseWriter, r *http.Request) error {
	q, err := s.listQuery(r)
	if err != nil {
		return err
	}
	records, more, err := s.Jobs(r, q)
	if err != nil {
		return err
	}
	base := s.FileURL(r, "")
	base = base[:len(base)-len("/file/")] + r.URL.Path
	page := listPage{Transcripts: messages.List[listed]{}}
	page.Details = pageDetails{Limit: q.Limit, Count: len(records), Current: base + "?" + r.URL.RawQuery}
	for _, record := range records {
		t, err := transcriptOf(record)
		if err != nil {
			return err
		}
		page.Transcripts = append(page.Transcripts, listed{ID: t.ID, URL: base + "/" + t.ID, Status: t.Status,
			Created: stamp(record.At), Completed: completed(record), AudioURL: t.AudioURL, Error: optional(t.Error)})
	}
	if n := len(records); more && n > 0 {
		older := base + "?" + url.Values{"limit": {strconv.Itoa(q.Limit)}, "before_id": {records[n-1].ID}}.Encode()
		page.Details.Previous = &older
	}
	web.WriteJSON(w, http.StatusOK, page)
	return nil
}

// listQuery reads which jobs are asked for.
func (s service) listQuery(r *http.Request) (q messages.ListQuery, err error) {
	values := r.URL.Query()
	q.Limit = defaultPage
	if text := values.Get("limit"); text != "" {
		if q.Limit, err = strconv.Atoi(text); err != nil || q.Limit < 1 {
			return q, bad("limit must be a number above 0")
		}
		q.Limit = min(q.Limit, messages.MaxLimit)
	}
	if text := values.Get("status"); text != "" {
		for own, theirs := range statuses {
			if theirs == text {
				q.Statuses = []messages.Status{own}
			}
		}
		if q.Statuses == nil {
			return q, bad("status must be queued, processing, completed or error")
		}
	}
	if text := values.Get("created_on"); text != "" {
		if q.Date, err = time.Parse(time.DateOnly, text); err != nil {
			return q, bad("created_on must be a day, such as 2026-03-01")
		}
	}
	if text := values.Get("throttled_only"); text != "" && !strings.EqualFold(text, "false") {
		return q, bad("throttled_only must be left out: no transcript is throttled")
	}
	for name, at := range map[string]*time.Time{"before_id": &q.Before, "after_id": &q.After} {
		if id := values.Get(name); id != "" {
			record, err := s.Job(r, id)
			if err != nil {
				return q, err
			}
			*at = record.At
		}
	}
	return q, nil
}

func stamp(t time.Time) string { return t.UTC().Format("2006-01-02T15:04:05.000000") }

func completed(r *dialect.Record) *string {
	if r.Completed == nil {
		return nil
	}
	return optional(stamp(*r.Completed))
}
