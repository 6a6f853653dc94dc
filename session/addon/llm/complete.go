package llm

import (
	"context"
	"encoding/json"
	"errors"
	"math"
	"net/http"
	"strings"

	"github.com/sashabaranov/go-openai"

	"steno/session/addon/remote"
)

// maxAnswer bounds the body of an answer, in bytes: the longest sensible one, a translation of
// MaxInput, is far below.
const maxAnswer = 2 << 20

// modes are how the form of an answer is asked for, from the surest.
var modes = [...]string{"json_schema", "json_object", "none"}

// form is what a server is asked to heed, as far as it can.
type form struct {
	mode int  // index of modes
	free bool // without a temperature
}

// complete has the model continue a conversation. With a task the answer is asked for in its form;
// nil: free text.
func (c *Client) complete(ctx context.Context, model string, t *Task, talk []openai.ChatCompletionMessage) (string,
	error) {
	var text string
	err := c.caller.Call(ctx, func(ctx context.Context) (err error) {
		text, err = c.requestInForm(ctx, model, t, talk)
		return err
	})
	return text, err
}

// requestInForm makes a request in the form that worked before, and in simpler ones where that is
// refused.
func (c *Client) requestInForm(ctx context.Context, model string, t *Task,
	talk []openai.ChatCompletionMessage) (string, error) {
	f := form{mode: int(c.mode.Load()), free: c.free.Load()}
	for {
		text, err := c.request(ctx, model, t, talk, f)
		var e *remote.Error
		if err == nil {
			c.mode.Store(int32(f.mode))
			c.free.Store(f.free)
			return text, nil
		}
		if !errors.As(err, &e) {
			return "", err
		}
		status, said := e.Refused()
		if status != http.StatusBadRequest && status != http.StatusUnprocessableEntity {
			return "", err
		}
		simpler, ok := f.without(refusedField(said), t != nil)
		if !ok {
			return "", err
		}
		f = simpler
	}
}

// without is a form that a server may take which refused this one for a field of the request. Many
// servers do not name the field: then it is taken to be the schema.
func (f form) without(field string, schema bool) (form, bool) {
	switch {
	case field == "temperature" && !f.free:
		return form{f.mode, true}, true
	case (field == "" || strings.HasPrefix(field, "response_format")) && schema && f.mode < len(modes)-1:
		return form{f.mode + 1, f.free}, true
	}
	return f, false
}

// refusedField is the field that a refusal names, in the form of OpenAI or of servers built with
// FastAPI do. Other texts are not looked at, since they may quote the request. "other": not for a
// field.
func refusedField(said []byte) string {
	var told struct {
		Error  json.RawMessage
		Detail json.RawMessage
	}
	if json.Unmarshal(said, &told) != nil {
		return ""
	}
	var like struct{ Param, Code any }
	if json.Unmarshal(told.Error, &like) == nil {
		if param, _ := like.Param.(string); param != "" {
			return param
		}
		if code, _ := like.Code.(string); code != "" && code != "invalid_request_error" {
			return "other" // context_length_exceeded, invalid_api_key and the like
		}
	}
	var details []struct{ Loc []any }
	if json.Unmarshal(told.Detail, &details) == nil && len(details) > 0 && len(details[0].Loc) > 1 {
		field, _ := details[0].Loc[1].(string)
		return field
	}
	return ""
}

// request makes one request.
func (c *Client) request(ctx context.Context, model string, t *Task, talk []openai.ChatCompletionMessage,
	f form) (string, error) {
	r := openai.ChatCompletionRequest{Model: model, Messages: talk}
	if t != nil {
		r.Messages, r.ResponseFormat = t.form(talk, f.mode)
	}
	r.Temperature = math.SmallestNonzeroFloat32 // a plain 0 is left out
	if f.free || openai.NewReasoningValidator().Validate(r) != nil {
		r.Temperature = 0
	}
	answer, err := c.api.CreateChatCompletion(ctx, r)
	var e *remote.Error
	switch {
	case errors.As(err, &e):
		return "", e
	case err != nil:
		return "", c.caller.Invalid("it is no chat completion", true)
	case len(answer.Choices) != 1:
		return "", c.caller.Invalid("it has not one choice", true)
	}
	choice := answer.Choices[0]
	switch {
	case choice.FinishReason == openai.FinishReasonContentFilter, choice.Message.Refusal != "":
		return "", c.caller.Fault(http.StatusBadGateway, "Declined", "declined to answer", nil)
	case choice.FinishReason == openai.FinishReasonLength:
		return "", c.caller.Invalid("it is cut off", false)
	}
	return withoutThinking(choice.Message.Content), nil
}

// withoutThinking is an answer without what some servers leave of the model's thinking.
func withoutThinking(content string) string {
	content = strings.TrimSpace(content)
	if strings.HasPrefix(content, "<think>") {
		if _, after, found := strings.Cut(content, "</think>"); found {
			return strings.TrimSpace(after)
		}
	}
	return content
}
