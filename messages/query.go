package messages

import (
	"encoding/json"
	"net/url"
	"strconv"
	"time"
)

// The page of a list that names none.
const (
	DefaultLimit = 20
	MaxLimit     = 100
)

const dayLayout = "2006-01-02"

// ListQuery selects jobs. Zero fields select nothing away.
type ListQuery struct {
	Offset int // from 0
	Limit  int // 1 to [MaxLimit]
	// Date is the start of a day in UTC: jobs created on it.
	Date time.Time
	// Before and After are exclusive.
	Before, After time.Time
	Statuses      []Status  // any of them
	Kinds         []JobKind // any of them
	// CustomMetadata must be contained in the job's: values compare by their string form, objects
	// by containment.
	CustomMetadata Object
}

// ParseListQuery reads the query of a list. The Problem lists all faults. Parameters that are not
// known are ignored, empty ones are missing.
func ParseListQuery(values url.Values) (ListQuery, *Problem) {
	p := queryParser{values: values}
	if p.tooMany() {
		return ListQuery{}, p.problem()
	}
	q := ListQuery{
		Offset: p.number("offset", 0, 0, maxOffset),
		Limit:  p.number("limit", DefaultLimit, 1, MaxLimit),
		Date:   p.day("date"),
		Before: p.moment("before_date"),
		After:  p.moment("after_date"),
	}
	for _, s := range p.several("status", "queued", "processing", "done", "error") {
		q.Statuses = append(q.Statuses, Status(s))
	}
	for _, k := range p.several("kind", string(JobPreRecorded), string(JobLive)) {
		q.Kinds = append(q.Kinds, JobKind(k))
	}
	q.CustomMetadata = p.metadata()
	if problem := p.problem(); problem != nil {
		return ListQuery{}, problem
	}
	return q, nil
}

// Values is the query that reads back as q, for links to other pages of the same list.
func (q ListQuery) Values() url.Values {
	v := url.Values{}
	v.Set("offset", strconv.Itoa(q.Offset))
	v.Set("limit", strconv.Itoa(q.Limit))
	if !q.Date.IsZero() {
		v.Set("date", q.Date.UTC().Format(dayLayout))
	}
	if !q.Before.IsZero() {
		v.Set("before_date", q.Before.UTC().Format(time.RFC3339Nano))
	}
	if !q.After.IsZero() {
		v.Set("after_date", q.After.UTC().Format(time.RFC3339Nano))
	}
	for _, s := range q.Statuses {
		v.Add("status", string(s))
	}
	for _, k := range q.Kinds {
		v.Add("kind", string(k))
	}
	if len(q.CustomMetadata) > 0 {
		if text, err := json.Marshal(q.CustomMetadata); err == nil {
			v.Set("custom_metadata", string(text))
		}
	}
	return v
}

// DeleteQuery is how a job is to be deleted.
type DeleteQuery struct {
	Cancel bool // also if it is not finished
}

// ParseDeleteQuery reads the query of a deletion. The Problem lists all faults. Parameters that are
// not known are ignored, empty ones are missing.
func ParseDeleteQuery(values url.Values) (DeleteQuery, *Problem) {
	p := queryParser{values: values}
	if p.tooMany() {
		return DeleteQuery{}, p.problem()
	}
	q := DeleteQuery{Cancel: p.truth("cancel")}
	if problem := p.problem(); problem != nil {
		return DeleteQuery{}, problem
	}
	return q, nil
}

// truth is a parameter that is true or false; false where it is missing.
func (p *queryParser) truth(name string) bool {
	switch p.single(name) {
	case "", "false", "0":
		return false
	case "true", "1":
		return true
	}
	p.fault(name, "must be true or false")
	return false
}

const (
	// MaxErased is how many records of a subject are erased by one request, and MaxExported how
	// many are in one export.
	MaxErased, MaxExported = 100, 1000
)

// SubjectQuery selects the records of a person or a thing that custom metadata name.
type SubjectQuery struct {
	ListQuery
	Account string // whose records are meant; empty: the client's own
	Cancel  bool   // also those that are not finished
}

// ParseSubjectQuery reads the query of a request for the records of a subject, most at a time. The
// Problem lists all faults. Parameters that are not known are ignored, empty ones are missing, but
// custom_metadata must not be.
func ParseSubjectQuery(values url.Values, most int) (SubjectQuery, *Problem) {
	p := queryParser{values: values}
	if p.tooMany() {
		return SubjectQuery{}, p.problem()
	}
	q := SubjectQuery{
		ListQuery: ListQuery{Offset: p.number("offset", 0, 0, maxOffset), Limit: p.number("limit", most, 1, most)},
		Account:   p.single("account"), Cancel: p.truth("cancel"),
	}
	if q.CustomMetadata = p.metadata(); q.CustomMetadata == nil {
		p.fault("custom_metadata", "must hold a value at least")
	}
	if problem := p.problem(); problem != nil {
		return SubjectQuery{}, problem
	}
	return q, nil
}
