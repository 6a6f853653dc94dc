package llm_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"steno/session/addon/llm"
	"steno/session/internal/fakeapi"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

const key = "sk-secret"

// model behaves like a language model's server: it parses requests strictly, and answers with what
// a function returns.
type model struct {
	fakeapi.Log[question]
	t *testing.T
	// reply returns the model's answer.
	reply func(q question) string
	// before is called first; it returns true if it has answered. It may be nil.
	before func(w http.ResponseWriter, q question) bool
}

// question is a request taken apart.
type question struct {
	model    string
	mode     string // of the response format; "": none
	task     string // the schema's name
	schema   map[string]any
	messages []message
	warm     bool // the request had a temperature
	data     data
	tries    int // answers of the model's own in the conversation
}

type message struct{ Role, Content string }

// data is what a request holds between the delimiters.
type data struct {
	Classes   []string
	Topic     string
	Sentences []struct {
		N       int
		Speaker *int
		Text    string
	}
}

func (m *model) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	q, ok := m.Take(m.t, w, r, take)
	if !ok || m.before != nil && m.before(w, q) {
		return
	}
	say(m.t, w, m.reply(q), "stop")
}

func say(t *testing.T, w http.ResponseWriter, content, finish string) {
	w.Header().Set("Content-Type", "application/json")
	if err := json.NewEncoder(w).Encode(map[string]any{
		"id": "x", "object": "chat.completion", "created": 1, "model": "m",
		"choices": []any{map[string]any{"index": 0, "finish_reason": finish,
			"message": map[string]any{"role": "assistant", "content": content}}},
		"usage": map[string]any{"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2},
	}); err != nil {
		t.Logf("answer: %v", err)
	}
}

// take reads a request as the interface is documented, and wants nothing that is not.
func take(r *http.Request) (question, error) {
	var body struct {
		Model          string
		Messages       []message
		Stream         bool
		Temperature    *float64
		ResponseFormat *struct {
			Type       string
			JSONSchema *struct {
				Name   string
				Schema map[string]any
				Strict bool
			} `json:"json_schema"`
		} `json:"response_format"`
	}
	d := json.NewDecoder(r.Body)
	d.DisallowUnknownFields()
	if err := d.Decode(&body); err != nil {
		return question{}, err
	}
	if r.Method != http.MethodPost || r.URL.Path != "/v1/chat/completions" || r.Header.Get("Authorization") !=
		"Bearer "+key || body.Stream {
		return question{}, fmt.Errorf("%s %s", r.Method, r.URL)
	}
	q := question{model: body.Model, messages: body.Messages, warm: body.Temperature != nil}
	if f := body.ResponseFormat; f != nil {
		q.mode = f.Type
		if (f.Type == "json_schema") != (f.JSONSchema != nil) {
			return q, errors.New("schema and type disagree")
		}
		if f.JSONSchema != nil {
			q.task, q.schema = f.JSONSchema.Name, f.JSONSchema.Schema
			if !f.JSONSchema.Strict {
				return q, errors.New("not strict")
			}
			if err := strict(q.schema); err != nil {
				return q, err
			}
		}
	}
	return q, q.read()
}

// strict holds a schema to what OpenAI's strict mode takes.
func strict(schema map[string]any) error {
	known := []string{"type", "properties", "required", "additionalProperties", "items", "maxItems", "minItems",
		"minimum", "maximum", "enum"}
	for word := range schema {
		if !slices.Contains(known, word) {
			return fmt.Errorf("%q is no word of strict schemas", word)
		}
	}
	if item, is := schema["items"].(map[string]any); is {
		return strict(item)
	}
	if schema["type"] != "object" {
		return nil
	}
	properties, _ := schema["properties"].(map[string]any)
	if schema["additionalProperties"] != false || len(properties) == 0 ||
		fmt.Sprint(schema["required"]) != fmt.Sprint(slices.Sorted(maps.Keys(properties))) {
		return fmt.Errorf("loose object: %v", schema)
	}
	for _, property := range properties {
		if err := strict(property.(map[string]any)); err != nil {
			return err
		}
	}
	return nil
}

// read takes the conversation apart: roles in turn, one system message, and data that cannot end
// before its end.
func (q *question) read() error {
	for i, m := range q.messages {
		want := []string{"user", "assistant"}[(i+1)%2]
		if i == 0 {
			want = "system"
		}
		if m.Role != want || m.Content == "" {
			return fmt.Errorf("message %d is of %q: %q", i, m.Role, m.Content)
		}
		if m.Role == "assistant" {
			q.tries++
		}
	}
	if len(q.messages) < 2 {
		return errors.New("no data")
	}
	inner, found := strings.CutPrefix(q.messages[1].Content, "<<<DATA\n")
	inner, _, closed := strings.Cut(inner, "\nDATA>>>")
	if !found || !closed || strings.ContainsAny(inner, "<>\n") {
		return fmt.Errorf("bad delimiters: %q", q.messages[1].Content)
	}
	d := json.NewDecoder(strings.NewReader(inner))
	d.DisallowUnknownFields()
	if err := d.Decode(&q.data); err != nil {
		return err
	}
	for _, s := range q.data.Sentences {
		if len(s.Text) > 10 && strings.Contains(q.messages[0].Content, s.Text) {
			return errors.New("a part of the transcript is among the rules")
		}
	}
	return nil
}

func serve(t *testing.T, h http.Handler, c llm.Config) *llm.Client {
	t.Helper()
	server := httptest.NewServer(h)
	t.Cleanup(server.Close)
	c.URL = server.URL + "/v1"
	c.Key = key
	if c.Model == "" {
		c.Model = "small"
	}
	if c.MinBackoff == 0 {
		c.MinBackoff = time.Millisecond
	}
	client, err := llm.New(c)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = client.Close() })
	return client
}

// always returns a model that always returns the same answer.
func always(t *testing.T, answer string) *model {
	return &model{t: t, reply: func(question) string { return answer }}
}

func encode(value any) string {
	b, err := json.Marshal(value)
	if err != nil {
		panic(err) // of a test's own values
	}
	return string(b)
}

func talk(sentences ...string) llm.Transcript {
	t := llm.Transcript{Language: "en"}
	for _, s := range sentences {
		t.Sentences = append(t.Sentences, llm.Sentence{Text: s})
	}
	return t
}
