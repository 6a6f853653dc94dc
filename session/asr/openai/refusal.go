package openai

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"

	"steno/session/asr/remote"
)

// refusal reads an answer that is an error. It returns what was refused, as far as the answer
// states it, and a failure with the status.
func refusal(response *http.Response) (by refused, err error) {
	b, _ := io.ReadAll(io.LimitReader(response.Body, maxRefusal)) // a part is enough
	field, code := refusedField(b)
	if field == "" {
		field = mentionedField(b)
	}
	status := response.StatusCode
	if field != "" {
		by = refused{field, forField}
	} else {
		by.how = mayRefuse(status)
	}
	f := &remote.Failure{Text: strings.TrimSpace(fmt.Sprintf("HTTP %d %s", status, http.StatusText(status)))}
	switch status {
	case http.StatusTooManyRequests, http.StatusRequestTimeout, http.StatusTooEarly:
		f.Again = code != "insufficient_quota" // a retry would be refused as well
		f.Asked = remote.RetryAfter(response.Header.Get("Retry-After"))
	case http.StatusUnauthorized, http.StatusPaymentRequired, http.StatusForbidden, http.StatusProxyAuthRequired:
	default:
		if status >= 500 {
			f.Again, f.Asked = true, remote.RetryAfter(response.Header.Get("Retry-After"))
		}
		// other fields are those of all utterances
		f.Own = f.Asked == 0 && (field == "" || field == "file" || field == "prompt")
	}
	return by, f
}

// mayRefuse returns how a status without a reason may be one of the form's.
func mayRefuse(status int) howRefused {
	switch status {
	case http.StatusBadRequest, http.StatusNotFound, http.StatusNotAcceptable, http.StatusUnsupportedMediaType,
		http.StatusUnprocessableEntity:
		return unnamed
	case http.StatusInternalServerError, http.StatusNotImplemented:
		return broken
	}
	return forOther
}

// mentionedField returns the field of the form of answers that a refusal mentions anywhere, empty
// if it mentions none: many servers have no field of its own for what they refuse.
func mentionedField(b []byte) string {
	text := strings.ToLower(string(b))
	switch {
	case strings.Contains(text, "timestamp_granularit"):
		return "timestamp_granularities"
	case strings.Contains(text, "response_format"), strings.Contains(text, "response format"),
		strings.Contains(text, "verbose_json"):
		return "response_format"
	}
	return ""
}

// refusedField returns the field that a server refuses, and its code for the reason: in OpenAI's
// form, or in that of servers built with FastAPI.
func refusedField(b []byte) (field, code string) {
	var told struct {
		Error  json.RawMessage
		Detail json.RawMessage
	}
	if json.Unmarshal(b, &told) != nil {
		return "", ""
	}
	var like struct{ Param, Code any }
	if json.Unmarshal(told.Error, &like) == nil {
		field, _ = like.Param.(string)
		code, _ = like.Code.(string)
	}
	var details []struct{ Loc []any }
	if json.Unmarshal(told.Detail, &details) == nil && len(details) > 0 && len(details[0].Loc) > 1 {
		field, _ = details[0].Loc[1].(string)
	}
	return strings.TrimSuffix(field, "[]"), code
}
