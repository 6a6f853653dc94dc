package openai

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// refusal reads an answer that is an error. It returns the field of the form that was refused, if the answer says so,
// unnamed where the server may have refused any, and a failure with the status.
func refusal(response *http.Response) (field string, err error) {
	b, _ := io.ReadAll(io.LimitReader(response.Body, maxRefusal)) // a part is enough
	field, code := refusedField(b)
	status := response.StatusCode
	if field == "" {
		field = mentionedField(b)
	}
	f := &failure{text: strings.TrimSpace(fmt.Sprintf("HTTP %d %s", status, http.StatusText(status)))}
	switch {
	case status == http.StatusTooManyRequests && code == "insufficient_quota": // a retry would be refused as well
	case status == http.StatusTooManyRequests, status == http.StatusRequestTimeout, status == http.StatusTooEarly, status >= 500:
		f.again, f.asked = true, retryAfter(response.Header.Get("Retry-After"))
		f.own = status >= 500 && f.asked == 0
	case status == http.StatusBadRequest, status == http.StatusRequestEntityTooLarge, status == http.StatusUnprocessableEntity:
		f.own = field == "" || field == "file" || field == "prompt" // other fields are those of all utterances
		if field == "" && status != http.StatusRequestEntityTooLarge {
			field = unnamed
		}
	}
	return field, f
}

// unnamed is the field of refusals that name none.
const unnamed = "?"

// mentionedField returns the field of the form of answers that a refusal mentions anywhere, empty if it mentions none: many
// servers do not say in a field of its own what they refuse.
func mentionedField(b []byte) string {
	text := strings.ToLower(string(b))
	switch {
	case strings.Contains(text, "timestamp_granularit"):
		return "timestamp_granularities"
	case strings.Contains(text, "response_format"), strings.Contains(text, "response format"), strings.Contains(text, "verbose_json"):
		return "response_format"
	}
	return ""
}

// refusedField returns the field that a server refuses, and its code for the reason: in OpenAI's form, or in that of
// servers built with FastAPI.
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

// retryAfter reads how long a server asks not to be called, in seconds or as a date. It returns 0 for a header that
// makes no sense.
func retryAfter(header string) time.Duration {
	const most = 24 * 60 * 60
	if seconds, err := strconv.ParseFloat(header, 64); err == nil && seconds > 0 {
		return time.Duration(min(seconds, most) * float64(time.Second))
	}
	if date, err := http.ParseTime(header); err == nil {
		return min(max(time.Until(date), 0), most*time.Second)
	}
	return 0
}
