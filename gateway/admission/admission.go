// Package admission decides whether a request for a live session or a recorded job is accepted, and on which terms: which of
// its languages are served, what of it is ignored, whether its addresses may be used and whether the disk has room for more.
package admission

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/rs/zerolog"

	"steno/gateway/outbound"
	"steno/gateway/web"
	"steno/messages"
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
	// Check returns an error for an address that would be refused later. Names are judged when they are dialled.
	Check(url string) error
}

// Policy is the server's part of each decision. It must not be changed while it is in use; its methods may be called from any
// goroutine.
type Policy struct {
	Models     Models
	Addresses  Addresses
	Strict     bool // refuse every request of which anything would be ignored
	Started    time.Time
	RetryAfter time.Duration // for clients refused because engines are starting
	Log        zerolog.Logger
}

// Request is what the decision needs of a request of any kind.
type Request struct {
	Model     string
	Languages []string
	Strict    bool // the client wants a refusal rather than anything ignored
	Warnings  messages.Warnings
	Query     url.Values
}

// Terms are what a request is accepted on. They are kept with the record, so that the job is the same whenever it runs.
type Terms struct {
	Languages []string // those that the job runs with; nil: those of the request
	Warnings  messages.Warnings
}

// Accept decides what of a request is done here. Its errors are problems: 422 for what is not served, or for what would be
// ignored where the client or the operator refuses that, 503 while engines are starting.
func (p *Policy) Accept(ctx context.Context, r Request) (Terms, error) {
	served, missing, err := p.served(ctx, r.Model, r.Languages)
	if err != nil {
		return Terms{}, err
	}
	t := Terms{Warnings: r.Warnings}
	if len(missing) > 0 {
		t.Languages = served
		t.Warnings.Warn("language_config.languages", fmt.Sprintf("%s: not served here by model %s, which takes %s",
			strings.Join(missing, ", "), r.Model, strings.Join(served, ", ")))
	}
	t.Warnings.WarnOfQuery(r.Query)
	if r.Strict || p.Strict {
		if fault := t.Warnings.Refusal(); fault != nil {
			return Terms{}, fault
		}
	}
	return t, nil
}

// served divides the languages asked for into those that the model has an engine for and those it has not. It refuses a model
// without an engine, languages of which none is served, and, while engines are starting, any list of which more may be
// served soon.
func (p *Policy) served(ctx context.Context, name string, asked []string) (served, missing []string, err error) {
	m, ok := p.Models.Model(ctx, name)
	if !ok {
		return nil, nil, web.Problem(http.StatusUnprocessableEntity, fmt.Sprintf("model %s has no engine on this server", name))
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
			"no engine has a model for the language %s; model %s has: %s", quotedList(missing), name, strings.Join(m.Languages, ", ")))
	}
	return served, missing, nil
}

// starting reports whether an engine has not told yet which languages it has.
func starting(m messages.Model) bool {
	return slices.ContainsFunc(m.Engines, func(e messages.Engine) bool { return !e.Available && len(e.Languages) == 0 })
}

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
			Status: http.StatusUnprocessableEntity, Message: field + " cannot be used: " + outbound.Message(err), Err: err,
		}
	}
	return nil
}

// Announce names what is ignored of an accepted request in the answer's header, and in the log, which gets names of fields
// alone.
func (p *Policy) Announce(w http.ResponseWriter, r *http.Request, job string, warnings messages.Warnings) {
	ignored := warnings.Ignored()
	if len(ignored) == 0 {
		return
	}
	w.Header().Set(IgnoredHeader, ignored.Header())
	p.Log.Info().Str("job", job).Strs("ignored", ignored.Names()).Str("request_id", web.RequestID(r)).
		Msg("parts of a request are ignored")
}
