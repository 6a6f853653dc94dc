// Package openai is what the dialects of OpenAI's audio interface share: models, languages, prompts
// and errors. What clients do with files is package files.
package openai

import (
	"fmt"
	"net/http"
	"slices"
	"strings"

	"steno/gateway/dialect"
	"steno/gateway/web"
	"steno/messages"
)

// Name is that of the dialect.
const Name = "openai"

// DefaultModel is the model that stands for those of OpenAI's.
var DefaultModel = dialect.Models[0]

// Known are names of models that clients of OpenAI send and that stand for [DefaultModel]. Others
// of its names for speech to text, such as those with a date, stand for it as well; see [Model].
var Known = []string{"whisper-1", "gpt-4o-transcribe", "gpt-4o-mini-transcribe", "gpt-4o-transcribe-diarize"}

// Model returns the model of this server that a name stands for, and whether it tells speakers
// apart. A name that is none of a model of speech to text is a problem, 404.
func Model(name string) (model string, speakers bool, err error) {
	lower := strings.ToLower(name)
	switch {
	case name == "":
		return DefaultModel, false, nil
	case slices.Contains(dialect.Models, name):
		return name, false, nil
	case strings.HasPrefix(lower, "whisper"), strings.HasPrefix(lower, "gpt-") &&
		(strings.Contains(lower, "transcribe") || strings.Contains(lower, "whisper")):
		return DefaultModel, strings.HasSuffix(lower, "-diarize"), nil
	}
	return "", false, Fault(http.StatusNotFound, "model", "model_not_found",
		fmt.Sprintf("the model %q does not exist here; there are %s, and %s stand for %s", web.Shorten(name),
			strings.Join(dialect.Models, ", "), strings.Join(Known, ", "), DefaultModel))
}

// fault is the parameter and the code of an error, as the cause of its problem.
type fault struct{ param, code string }

func (f *fault) Error() string { return "parameter " + f.param + ", code " + f.code }

// Fault returns a problem with a parameter of the request.
func Fault(status int, param, code, message string) *messages.Problem {
	return &messages.Problem{Status: status, Message: message, Err: &fault{param, code}}
}

// Invalid returns the problem, 400, of a parameter whose value cannot be used.
func Invalid(param, why string) *messages.Problem {
	return Fault(http.StatusBadRequest, param, "invalid_value", param+" "+why)
}

// Error is an error as clients read it.
type Error struct {
	Message string  `json:"message"`
	Type    string  `json:"type"`
	Param   *string `json:"param"`
	Code    *string `json:"code"`
}

// Refusal is the body of an answer that refuses a request.
type Refusal struct {
	Error Error `json:"error"`
}

// ErrorOf returns a problem as clients read it.
func ErrorOf(p *messages.Problem) Error {
	e := Error{Message: p.Text(), Type: "invalid_request_error"}
	if f, ok := p.Err.(*fault); ok {
		e.Param, e.Code = optional(f.param), optional(f.code)
		return e
	}
	switch {
	case p.Status == http.StatusUnauthorized:
		e.Code = optional("invalid_api_key")
	case p.Status == http.StatusForbidden:
		e.Type, e.Code = "permission_error", optional("insufficient_permissions")
	case p.Status == http.StatusTooManyRequests:
		e.Type, e.Code = "rate_limit_error", optional("rate_limit_exceeded")
	case p.Status >= http.StatusInternalServerError:
		e.Type = "server_error"
	}
	return e
}

func optional(text string) *string {
	if text == "" {
		return nil
	}
	return &text
}

// Refuse answers with a problem. Clients try some statuses again automatically: they are kept from
// that where it would end the same way.
func Refuse(w http.ResponseWriter, _ *http.Request, p *messages.Problem) {
	switch p.Status {
	case http.StatusTooManyRequests, http.StatusServiceUnavailable, http.StatusInternalServerError:
	default:
		w.Header().Set("X-Should-Retry", "false")
	}
	web.WriteJSON(w, p.Status, Refusal{ErrorOf(p)})
}
