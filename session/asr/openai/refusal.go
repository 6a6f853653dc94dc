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

// refusal reads an answer that is none. It returns the field of the form that was refused, as far as it says so, and a
// failure with the status.
func refusal(response *http.Response) (field string, err error) {
	b, _ := io.ReadAll(io.LimitReader(response.Body, maxRefusal)) // what could be read is enough
	field, code := blame(b)
	status := response.StatusCode
	f := &failure{text: strings.TrimSpace(fmt.Sprintf("HTTP %d %s", status, http.StatusText(status)))}
	switch {
	case status == http.StatusTooManyRequests && code == "insufficient_quota": // there will be none in a moment either
	case status == http.StatusTooManyRequests, status == http.StatusRequestTimeout, status == http.StatusTooEarly, status >= 500:
		f.again, f.asked = true, retryAfter(response.Header.Get("Retry-After"))
	}
	return field, f
}

// blame finds out which field a server refuses, and its code for why: as OpenAI tells it, or as servers built with
// FastAPI do.
func blame(b []byte) (field, code string) {
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

// retryAfter reads how long a server asks to be left alone, in seconds or as a date. No sensible header, no wait.
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
