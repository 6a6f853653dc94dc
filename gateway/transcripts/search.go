package transcripts

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"math"
	"net/http"
	"slices"
	"strings"
	"time"
	"unicode"

	"steno/gateway/web"
	"steno/messages"
	"steno/session/store"
)

const (
	searchPath = "/v2/records"

	mostLooked = 2000            // records that one search looks at
	searchTime = 3 * time.Second // after which a search answers with what it has found
	lookedPage = 100
)

// FoundRecords is a page of the records that were searched for, newest first.
type FoundRecords struct {
	Next  *string                    `json:"next" doc:"The rest of the search; null where all records were looked at. A search that takes long answers with a part, which may be empty"`
	Items messages.List[FoundRecord] `json:"items" doc:"The records, the newest first"`
	Until *messages.Timestamp        `json:"searched_until" doc:"When the last record that was looked at was made; null where all were"`
}

// FoundRecord is a job in a list for people.
type FoundRecord struct {
	ID          string                `json:"id" doc:"The job"`
	Kind        messages.JobKind      `json:"kind" doc:"Kind of the job"`
	Status      messages.Status       `json:"status" doc:"Status"`
	CreatedAt   messages.Timestamp    `json:"created_at" doc:"When it was asked for"`
	CompletedAt *messages.Timestamp   `json:"completed_at" doc:"When it was finished"`
	ErrorCode   *int                  `json:"error_code" doc:"In the sense of HTTP; null where nothing failed"`
	Error       string                `json:"error_message,omitempty" doc:"What failed"`
	Title       string                `json:"title" doc:"Title of the custom metadata, or the file's name; may be empty"`
	FirstWords  string                `json:"first_words" doc:"At most 200 characters"`
	Seconds     *float64              `json:"audio_duration" doc:"Seconds; null where it is not known"`
	Progress    *float64              `json:"progress" doc:"Part of the recording that was transcribed, from 0 to 1; null where it is not known, as while another node does that"`
	Channels    int                   `json:"number_of_channels" doc:"0: not known"`
	Speakers    int                   `json:"speakers" doc:"0: not told apart"`
	Languages   messages.List[string] `json:"languages" doc:"Codes, from most to least heard"`
	Encoding    string                `json:"encoding,omitempty" doc:"Of a live job"`
	Redacted    bool                  `json:"redacted" doc:"Personal data is hidden"`
	Callbacks   *CallbackCounts       `json:"callbacks" doc:"Nil: none were asked for"`
	Places      *TextPlaces           `json:"places" doc:"Nil: no text was searched for"`
}

// CallbackCounts is how many of a job's callbacks have not arrived, at most 100 of each.
type CallbackCounts struct {
	Waiting int `json:"waiting" doc:"Not sent yet"`
	GivenUp int `json:"given_up" doc:"Tried too often"`
}

// TextPlaces are where a record contains a text.
type TextPlaces struct {
	Count int     `json:"count" doc:"Utterances"`
	Start float64 `json:"start" doc:"Of the first, in seconds"`
	Text  string  `json:"text" doc:"Of the first"`
}

// Search answers with a page of the account's records.
func (s *Service) Search(w http.ResponseWriter, r *http.Request) error {
	q, fault := messages.ParseSearchQuery(r.URL.Query())
	if fault != nil {
		return fault
	}
	end, err := s.begin(r)
	if err != nil {
		return err
	}
	defer end()
	found, err := s.search(r.Context(), web.Account(r), q)
	if err != nil {
		return err
	}
	if found.next >= 0 {
		next := s.Addresses.Base(r) + searchPath + "?" + searchValues(q, found.next)
		found.Next = &next
	}
	end()
	web.WriteJSON(w, http.StatusOK, found.FoundRecords)
	return nil
}

// searchValues is the query of the same search from an offset on.
func searchValues(q messages.SearchQuery, offset int) string {
	q.Offset = offset
	v := q.ListQuery.Values()
	if q.Text != "" {
		v.Set("text", q.Text)
	}
	if q.Language != "" {
		v.Set("language", q.Language)
	}
	return v.Encode()
}

// foundPage is a page that is being made, and the offset of the rest; -1 where there is none.
type foundPage struct {
	FoundRecords
	next int
}

// search looks at records until a page is full, or for as long as one may.
func (s *Service) search(ctx context.Context, account string, q messages.SearchQuery) (f foundPage, err error) {
	list, limit, until := q.ListQuery, q.Limit, time.Now().Add(searchTime)
	if q.Text != "" || q.Language != "" {
		list.Limit = lookedPage
	}
	for more := true; more; {
		var page []store.Listed
		if page, more, err = s.Store.List(ctx, account, list); err != nil {
			return f, err
		}
		for i, l := range page {
			created, err := s.examine(ctx, account, l.ID, q, &f)
			if err != nil && !errors.Is(err, store.ErrNotFound) { // else deleted meanwhile
				return f, err
			}
			looked := list.Offset + i + 1
			enough := len(f.Items) >= limit || looked-q.Offset >= mostLooked || time.Now().After(until)
			if enough && (more || i+1 < len(page)) {
				f.next = looked
				f.Until = &created
				return f, nil
			}
		}
		list.Offset += len(page)
	}
	f.next = -1
	return f, nil
}

// examine adds a record to the page if it is wanted, and returns when it was made.
func (s *Service) examine(ctx context.Context, account, id string, q messages.SearchQuery,
	f *foundPage) (created messages.Timestamp, err error) {
	record, err := s.Store.Get(ctx, account, id)
	if err != nil {
		return created, err
	}
	created = messages.Stamp(record.CreatedAt)
	if !mayMatch(record, q) {
		return created, nil
	}
	item, err := s.item(ctx, record)
	if err != nil {
		return created, err
	}
	if q.Language != "" && !slices.Contains(item.Languages, q.Language) {
		return created, nil
	}
	if q.Text != "" {
		if item.Places, err = s.placesIn(ctx, record, item, q.Text); err != nil || item.Places == nil {
			return created, err
		}
	}
	if item.Callbacks, err = s.callbacksOf(ctx, record); err != nil {
		return created, err
	}
	f.Items = append(f.Items, item)
	return created, nil
}

// mayMatch tells cheaply that a record has not what is searched for. Letters that JSON writes
// otherwise are looked for later.
func mayMatch(record store.Record, q messages.SearchQuery) bool {
	if q.Text == "" || record.Upload != "" {
		return true
	}
	if written, err := json.Marshal(q.Text); err != nil || string(written) != `"`+q.Text+`"` {
		return true
	}
	if strings.ContainsFunc(q.Text, func(r rune) bool {
		return r > unicode.MaxASCII || strings.ContainsRune("iIsSkK",
			r)
	}) {
		return true // letters that have other forms in some language
	}
	fields := strings.Fields(folded(q.Text, ""))
	for _, where := range [][]byte{record.Result, record.CustomMetadata, []byte(record.ID)} {
		where = bytes.ToLower(where)
		if !slices.ContainsFunc(fields, func(f string) bool { return !bytes.Contains(where, []byte(f)) }) {
			return true
		}
	}
	return false
}

// item returns a record as lists have it.
func (s *Service) item(ctx context.Context, record store.Record) (FoundRecord, error) {
	job, err := s.Records.Job(ctx, record)
	if err != nil {
		return FoundRecord{}, err
	}
	d, err := s.previewOf(ctx, record)
	if err != nil {
		return FoundRecord{}, err
	}
	var request struct {
		Encoding string `json:"encoding"`
		Redacts  bool   `json:"pii_redaction"`
		Live     struct {
			Redacts bool `json:"pii_redaction"`
		} `json:"realtime_processing"`
	}
	if err := json.Unmarshal(record.Params, &request); err != nil {
		return FoundRecord{}, err
	}
	item := FoundRecord{
		ID: job.ID, Kind: job.Kind, Status: job.Status, CreatedAt: job.CreatedAt, CompletedAt: job.CompletedAt,
		ErrorCode: job.ErrorCode,
		Error:     record.ErrorMessage, Title: titleOf(&job), FirstWords: d.first, Channels: record.Channels,
		Speakers:  d.speakers,
		Languages: d.languages, Encoding: request.Encoding, Redacted: request.Redacts || request.Live.Redacts,
	}
	if job.File != nil {
		item.Seconds = job.File.AudioDuration
	}
	item.Progress = s.progressOf(&job)
	return item, nil
}

// progressOf returns the part of a job's recording that was transcribed; nil where it is not known.
func (s *Service) progressOf(job *messages.Job) *float64 {
	if job.Status != messages.StatusProcessing || job.File == nil || job.File.AudioDuration == nil ||
		*job.File.AudioDuration <= 0 {
		return nil
	}
	seconds, ok := s.Heard(job.ID)
	if !ok {
		return nil
	}
	part := math.Round(100*min(1, seconds / *job.File.AudioDuration)) / 100
	return &part
}

// placesIn returns where a record contains a text; nil where it does not, in its title and id
// neither.
func (s *Service) placesIn(ctx context.Context, record store.Record, item FoundRecord, text string) (*TextPlaces,
	error) {
	of, err := s.resultOf(ctx, record)
	if err != nil {
		return nil, err
	}
	places := of.places(text)
	if len(places) > 0 {
		u := &of.utterances[places[0]]
		return &TextPlaces{Count: len(places), Start: u.Start, Text: around(u.Text, text, u.Language)}, nil
	}
	if containsFold(item.Title, text) || strings.Contains(record.ID, strings.ToLower(text)) {
		return &TextPlaces{}, nil
	}
	return nil, nil
}

// mostCounted bounds the callbacks that are counted.
const mostCounted = 100

// callbacksOf counts the callbacks of a record that have not arrived.
func (s *Service) callbacksOf(ctx context.Context, record store.Record) (*CallbackCounts, error) {
	if !bytes.Contains(record.Params, []byte(`"callback":true`)) && !bytes.Contains(record.Params,
		[]byte(`"callback_url":"`)) {
		return nil, nil
	}
	deliveries, err := s.Store.JobDeliveries(ctx, record.Account, record.ID, mostCounted)
	if err != nil {
		return nil, err
	}
	counts := new(CallbackCounts)
	for _, d := range deliveries {
		switch d.State {
		case store.DeliveryPending:
			counts.Waiting++
		case store.DeliveryDead:
			counts.GivenUp++
		}
	}
	return counts, nil
}
