// Package admission decides whether a request for a live session or a recorded job is accepted, and
// on which terms: which of its languages are served, what of it is ignored, whether its addresses
// may be used and whether the disk has room for more.
package admission

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/rs/zerolog"

	"steno/gateway/outbound"
	"steno/gateway/web"
	"steno/messages"
	"steno/session/store"
)

// IgnoredHeader is the header of an answer that names the parts of the request that are ignored.
const IgnoredHeader = "X-Steno-Ignored"

// StartTime is how long after the start of the server engines may still be expected to come.
const StartTime = 2 * time.Minute

// Models knows the models of the API.
type Models interface {
	// Model returns a model by its name; false if it cannot be used.
	Model(ctx context.Context, name string) (messages.Model, bool)
}

// Addresses judges addresses that clients ask the server to use.
type Addresses interface {
	// Check returns an error for an address that would be refused later. Names are judged when they
	// are dialled.
	Check(url string) error
}

// Policy is the server's part of each decision. It must not be changed while it is in use; its
// methods may be called from any goroutine.
type Policy struct {
	Models     Models
	Addresses  Addresses
	Strict     bool // refuse every request of which anything would be ignored
	Started    time.Time
	RetryAfter time.Duration // for clients refused because engines are starting
	Log        zerolog.Logger
	// Offers describes the add-ons; nil: nothing is known of them.
	Offers func(context.Context) []messages.Addon
	// Transient are the parts of an account's jobs that are erased at their end unless a request
	// has it otherwise; nil: none.
	Transient func(account string) store.Parts
}

// Request is what a request for a job of either kind has to be decided on, and what its record
// keeps of it.
type Request struct {
	Kind      messages.JobKind
	Params    any // the request as it was parsed
	Metadata  messages.Object
	Model     string
	Languages []string
	Switching bool // languages may change within the speech
	Strict    bool // the client wants a refusal rather than anything ignored
	Warnings  messages.Warnings
	Storage   messages.Storage
	// Check judges what else of the request can be done in the languages that its job runs with,
	// none meaning any. Nil: nothing is judged.
	Check func(languages []string) (messages.Warnings, error)

	wanted []wanted
}

// Live returns the Request for a live session.
func Live(r *messages.LiveRequest) Request {
	return Request{
		Kind: messages.JobLive, Params: r, Metadata: r.CustomMetadata, Model: r.Model,
		Languages: r.LanguageConfig.Languages,
		Switching: r.LanguageConfig.CodeSwitching, Strict: r.Strict, Warnings: r.Warnings(), wanted: wantedLive(r),
		Storage: r.Storage,
	}
}

// PreRecorded returns the Request for the transcription of a recorded file.
func PreRecorded(r *messages.PreRecordedRequest) Request {
	return Request{
		Kind: messages.JobPreRecorded, Params: r, Metadata: r.CustomMetadata, Model: r.Model,
		Languages: r.LanguageConfig.Languages,
		Switching: r.LanguageConfig.CodeSwitching, Strict: r.Strict, Warnings: r.Warnings(), wanted: wantedRecorded(r),
		Storage: r.Storage,
	}
}

// Accept decides what of a request is done here. It returns the record of the new job, which is not
// stored yet, and the warnings for the client. Its errors are problems: 422 for what is not served,
// or for what would be ignored where the client or the operator refuses that, those of the
// request's Check, 503 while engines are starting.
func (p *Policy) Accept(r *http.Request, request Request) (store.Record, messages.Warnings, error) {
	served, missing, err := p.served(r.Context(), request.Model, request.Languages)
	if err != nil {
		return store.Record{}, nil, err
	}
	p.warnOfDetection(r.Context(), &request, served)
	var languages []string
	if len(missing) > 0 {
		languages = served
		request.Warnings.Warn("language_config.languages",
			fmt.Sprintf("%s: not served here by model %s, which takes %s",
				strings.Join(missing, ", "), request.Model, strings.Join(served, ", ")))
	}
	if request.Check != nil {
		more, err := request.Check(served)
		if err != nil {
			return store.Record{}, nil, err
		}
		for _, w := range more {
			request.Warnings.Warn(w.Field, w.Message)
		}
	}
	p.warnOfMissing(r.Context(), &request, served)
	request.Warnings.WarnOfQuery(r.URL.Query())
	if request.Strict || p.Strict {
		if fault := request.Warnings.Refusal(); fault != nil {
			return store.Record{}, nil, fault
		}
	}
	record, err := NewRecord(web.Account(r), request, languages)
	if key := web.PrincipalOf(r).Key; key != (web.KeyHash{}) {
		record.Key = key[:]
	}
	record.Transient = p.transient(record.Account, request.Storage)
	return record, request.Warnings, err
}

// taken is the language that all speech is taken for where no engine can tell languages: the first
// that is asked for, else English where there is any.
func taken(m messages.Model, asked []string) string {
	switch {
	case len(asked) > 0:
		return asked[0]
	case slices.Contains(m.Languages, "en") || len(m.Languages) == 0:
		return "en"
	}
	return m.Languages[0]
}

// warnOfDetection warns of a request that leaves the language of its speech open between several
// where no engine can tell which is spoken. Without languages of its own a request takes what the
// server has.
func (p *Policy) warnOfDetection(ctx context.Context, request *Request, served []string) {
	m, ok := p.Models.Model(ctx, request.Model)
	if !ok || m.Detection || starting(m) || len(m.Engines) == 0 || len(served) == 1 || len(served) == 0 &&
		!request.Switching {
		return
	}
	field := "language_config.languages"
	if request.Switching {
		field = "language_config.code_switching"
	}
	engine := p.Engine(ctx, request.Model, served).Engine
	request.Warnings.Warn(field, fmt.Sprintf("the engine %s cannot tell languages: %s is taken for all speech", engine,
		taken(m, served)))
}

// served divides the languages asked for into those that the model has an engine for and those it
// has not. It refuses a model without an engine, languages of which none is served, and, while
// engines are starting, any list of which more may be served soon.
func (p *Policy) served(ctx context.Context, name string, asked []string) (served, missing []string, err error) {
	m, ok := p.Models.Model(ctx, name)
	if !ok {
		return nil, nil, web.Problem(http.StatusUnprocessableEntity,
			fmt.Sprintf("model %s has no engine on this server", name))
	}
	for _, code := range asked {
		if slices.Contains(m.Languages, code) && messages.ModelHas(name, code) {
			served = append(served, code)
		} else {
			missing = append(missing, code)
		}
	}
	if len(missing) == 0 {
		return served, nil, nil
	}
	if starting(m) && (len(served) == 0 || time.Since(p.Started) < StartTime) {
		return nil, nil, web.Refuse(http.StatusServiceUnavailable, "the engines are starting", p.RetryAfter)
	}
	if len(served) == 0 {
		return nil, nil, web.Problem(http.StatusUnprocessableEntity, fmt.Sprintf(
			"no engine has a model for the language %s; model %s has: %s", quotedList(missing), name,
			strings.Join(m.Languages, ", ")))
	}
	return served, missing, nil
}

// engineTime bounds how long an engine that hangs may hold up [Policy.Engine], which then goes by
// what was known before.
const engineTime = 200 * time.Millisecond

// Target is the engine that speech is meant for.
type Target struct {
	Engine  string // empty: none has the model and one of the languages
	Present bool   // it takes speech now
}

// Engine returns the engine that is preferred for a model and languages: of those that have one of
// them the first that takes speech now, else the first that will, as far as is known, when it is
// there.
func (p *Policy) Engine(ctx context.Context, model string, languages []string) (target Target) {
	ctx, cancel := context.WithTimeout(ctx, engineTime)
	defer cancel()
	m, ok := p.Models.Model(ctx, model)
	if !ok {
		return Target{}
	}
	for _, e := range m.Engines {
		switch {
		case !mayServe(e, languages):
		case e.Available:
			return Target{e.Name, true}
		case target.Engine == "":
			target.Engine = e.Name
		}
	}
	return target
}

// mayServe reports whether an engine has one of the languages, none meaning any, or has not
// reported its languages yet. An engine that is available without any waits for a model to be
// installed.
func mayServe(e messages.Engine, languages []string) bool {
	if len(e.Languages) == 0 {
		return !e.Available
	}
	return len(languages) == 0 || slices.ContainsFunc(languages,
		func(l string) bool { return slices.Contains(e.Languages, l) })
}

// starting reports whether some engine has not reported its languages yet.
func starting(m messages.Model) bool {
	return slices.ContainsFunc(m.Engines, untold)
}

// untold is starting for one engine.
func untold(e messages.Engine) bool { return !e.Available && len(e.Languages) == 0 }

func quotedList(codes []string) string {
	quoted := make([]string, len(codes))
	for i, code := range codes {
		quoted[i] = strconv.Quote(code)
	}
	return strings.Join(quoted, " or ")
}

// CheckAddress returns a problem, 422, for an address in a field of a request that cannot be used.
func (p *Policy) CheckAddress(field, address string) error {
	if err := p.Addresses.Check(address); err != nil {
		return &messages.Problem{
			Status: http.StatusUnprocessableEntity, Message: field + " cannot be used: " + outbound.Message(err),
			Err: err,
		}
	}
	return nil
}

// Announce names what is ignored of an accepted request in the answer's header, and in the log,
// which gets names of fields alone. The audit log gets the id of the job.
func (p *Policy) Announce(w http.ResponseWriter, r *http.Request, job string, warnings messages.Warnings) {
	web.TrailOf(r).Concern(job)
	ignored := warnings.Ignored()
	if len(ignored) == 0 {
		return
	}
	w.Header().Set(IgnoredHeader, ignored.Header())
	p.Log.Info().Str("job", job).Strs("ignored", ignored.Names()).Str("request_id", web.RequestID(r)).
		Msg("parts of a request are ignored")
}
