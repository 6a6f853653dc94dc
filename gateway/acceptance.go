package gateway

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strings"

	"steno/gateway/web"
	"steno/messages"
	"steno/session/store"
)

// ignoredHeader names what of a request is not done.
const ignoredHeader = "X-Steno-Ignored"

// asked is what requests of both kinds have in common.
type asked struct {
	model     string
	languages []string
	strict    bool
	warnings  messages.Warnings
	query     url.Values
}

// accepted is what becomes of a request: the languages that its job runs with, and what its client is told. Both are kept
// with the record, so that the job is the same whenever it runs.
type accepted struct {
	languages []string // nil: those of the request
	warnings  messages.Warnings
}

// accept decides what of a request is done here. Where it is to be done as asked, anything that is not refuses it.
func (s *Server) accept(ctx context.Context, a asked) (accepted, error) {
	served, missing, err := s.served(ctx, a.model, a.languages)
	if err != nil {
		return accepted{}, err
	}
	to := accepted{warnings: a.warnings}
	if len(missing) > 0 {
		to.languages = served
		to.warnings.Warn("language_config.languages", fmt.Sprintf("%s: not served here by model %s, which takes %s",
			strings.Join(missing, ", "), a.model, strings.Join(served, ", ")))
	}
	to.warnings.WarnOfQuery(a.query)
	if a.strict || s.cfg.Strict {
		if fault := to.warnings.Refusal(); fault != nil {
			return accepted{}, fault
		}
	}
	return to, nil
}

// note puts into a new record what was decided.
func (a accepted) note(r *store.Record) error {
	var err error
	if a.languages != nil {
		if r.Languages, err = json.Marshal(a.languages); err != nil {
			return fmt.Errorf("encode languages: %w", err)
		}
	}
	if len(a.warnings) > 0 {
		if r.Warnings, err = json.Marshal(a.warnings); err != nil {
			return fmt.Errorf("encode warnings: %w", err)
		}
	}
	return nil
}

// tell puts into an answer's header, and the log, what is not done. The log has names of fields alone.
func (s *Server) tell(w http.ResponseWriter, r *http.Request, job string, warnings messages.Warnings) {
	ignored := warnings.Ignored()
	if len(ignored) == 0 {
		return
	}
	w.Header().Set(ignoredHeader, ignored.Header())
	s.log.Info().Str("job", job).Strs("ignored", ignored.Names()).Str("request_id", web.RequestID(r)).
		Msg("parts of a request are ignored")
}

// languagesOf are those that a record's job runs with: of the request, or fewer.
func languagesOf(r store.Record, request messages.LanguageConfig) (messages.List[string], error) {
	if len(r.Languages) == 0 {
		return request.Languages, nil
	}
	var codes messages.List[string]
	if err := json.Unmarshal(r.Languages, &codes); err != nil {
		return nil, fmt.Errorf("read languages: %w", err)
	}
	return codes, nil
}
