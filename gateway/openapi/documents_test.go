package openapi

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"steno/gateway/dialect/gladia"
	"steno/messages"
)

func info() Info {
	return Info{Title: "test", Version: "2", Description: "a test", KeyHeaders: []string{"x-service-key",
		"x-other-key"}, URL: "https://stt.example.com"}
}

// tree is a document as any reader of JSON sees it.
func tree(t *testing.T, v any) any {
	t.Helper()
	text, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	return doc
}

func async(t *testing.T) *AsyncAPI {
	t.Helper()
	doc, err := NewAsyncAPI(info())
	if err != nil {
		t.Fatal(err)
	}
	return doc
}

// closed forbids what the schemas of a tree do not name.
func closed(v any) any {
	switch v := v.(type) {
	case map[string]any:
		for _, child := range v {
			closed(child)
		}
		if _, ok := v["properties"].(map[string]any); ok && v["additionalProperties"] == nil && v["type"] != nil {
			v["additionalProperties"] = false
		}
	case []any:
		for _, child := range v {
			closed(child)
		}
	}
	return v
}

func compiler(t *testing.T, doc any) *jsonschema.Compiler {
	t.Helper()
	c := jsonschema.NewCompiler()
	c.DefaultDraft(jsonschema.Draft2020)
	c.AssertFormat()
	c.AssertContent()
	if err := c.AddResource("test:doc", doc); err != nil {
		t.Fatal(err)
	}
	return c
}

func compile(t *testing.T, c *jsonschema.Compiler, pointer string) *jsonschema.Schema {
	t.Helper()
	s, err := c.Compile("test:doc#" + pointer)
	if err != nil {
		t.Fatalf("%s: %v", pointer, err)
	}
	return s
}

func validate(t *testing.T, s *jsonschema.Schema, text []byte) {
	t.Helper()
	v, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	if err := s.Validate(v); err != nil {
		t.Errorf("%s: %v", text, err)
	}
}

// TestKinds sees that each kind of message is described once, with examples that were really
// encoded, and that the description allows nothing more and nothing less.
func TestKinds(t *testing.T) {
	doc := async(t)
	c := compiler(t, closed(tree(t, doc)))
	var kinds []messages.Kind
	for _, e := range events() {
		kinds = append(kinds, e.kind)
		m, _ := doc.Components.Messages.get(e.name)
		if len(m.Examples) == 0 {
			t.Errorf("%s has no example", e.name)
		}
		s := compile(t, c, "/components/messages/"+e.name+"/payload")
		wrapped := compile(t, c, "/components/messages/"+e.name+"Callback/payload")
		for _, x := range m.Examples {
			validate(t, s, x.Payload)
			var is struct{ Type string }
			if err := json.Unmarshal(x.Payload, &is); err != nil {
				t.Fatal(err)
			}
			validate(t, wrapped, messages.AppendLiveCallback(nil, exampleID, is.Type, x.Payload))
			withoutEach(t, s, x.Payload, strings.Split(e.item, ","))
		}
	}
	// declared ones alone have these
	all := messages.FilterOf(messages.Kinds()...).Without(messages.KindAddonFinal, messages.KindAddonSession)
	if messages.FilterOf(kinds...) != all || len(kinds) != len(messages.Kinds())-2 {
		t.Errorf("described are %v of %v", kinds, messages.Kinds())
	}
}

// TestNumbered sees that the messages that are logged may have a number where subscribers are sent
// them, and no others.
func TestNumbered(t *testing.T) {
	doc := async(t)
	c := compiler(t, closed(tree(t, doc)))
	for _, e := range events() {
		m, _ := doc.Components.Messages.get(e.name)
		s := compile(t, c, "/components/messages/"+e.name+"Event/payload")
		for _, x := range m.Examples {
			validate(t, s, x.Payload)
			numbered, err := jsonschema.UnmarshalJSON(bytes.NewReader(slices.Concat([]byte(`{"seq":7,`),
				x.Payload[1:])))
			if err != nil {
				t.Fatal(err)
			}
			if may := s.Validate(numbered) == nil; may != e.kind.Logged() {
				t.Errorf("%s: a number is described: %t", e.name, may)
			}
		}
	}
}

// withoutEach sees that every field of a message but these is required.
func withoutEach(t *testing.T, s *jsonschema.Schema, text []byte, but []string) {
	t.Helper()
	var fields map[string]any
	if err := json.Unmarshal(text, &fields); err != nil {
		t.Fatal(err)
	}
	for name, value := range fields {
		if slices.Contains(but, name) {
			continue
		}
		delete(fields, name)
		if s.Validate(tree(t, fields)) == nil {
			t.Errorf("%s may lack %s", text, name)
		}
		fields[name] = value
	}
}

// TestClientMessages holds the description of what clients send against the parser.
func TestClientMessages(t *testing.T) {
	c := compiler(t, tree(t, async(t)))
	chunk := compile(t, c, "/components/messages/AudioChunk/payload")
	stop := compile(t, c, "/components/messages/StopRecording/payload")
	for text, want := range map[string]*jsonschema.Schema{
		`{"type":"audio_chunk","data":{"chunk":"AAA="}}`:       chunk,
		`{"type":"audio_chunk","data":{"chunk":""}}`:           chunk,
		`{"data":{"chunk":"AAA=","x":1},"type":"audio_chunk"}`: chunk,
		`{"type":"stop_recording"}`:                            stop,
		`{"type":"stop_recording","data":null}`:                stop,
		`{"type":"audio_chunk"}`:                               nil,
		`{"type":"audio_chunk","data":{"chunk":1}}`:            nil,
		`{"type":"start"}`:                                     nil,
		`{}`:                                                   nil,
	} {
		_, err := gladia.Parse([]byte(text))
		if (err == nil) != (want != nil) {
			t.Errorf("%s: the parser says %v", text, err)
		}
		v, _ := jsonschema.UnmarshalJSON(strings.NewReader(text))
		for _, s := range []*jsonschema.Schema{chunk, stop} {
			if (s.Validate(v) == nil) != (s == want) {
				t.Errorf("%s: described wrongly", text)
			}
		}
	}
}

// TestResultCallbacks holds the bodies of recorded files' callbacks against their description.
func TestResultCallbacks(t *testing.T) {
	c := compiler(t, closed(tree(t, async(t))))
	for _, metadata := range []messages.Object{nil, {"a": map[string]any{"b": 1}}} {
		for name, body := range map[string]any{
			"Success": messages.NewCallbackSuccess(exampleID, fullResult(), metadata),
			"Error":   messages.NewCallbackError(exampleID, 400, "no audio", metadata),
		} {
			text, err := json.Marshal(body)
			if err != nil {
				t.Fatal(err)
			}
			validate(t, compile(t, c, "/components/messages/"+name+"/payload"), text)
		}
	}
}

// fullResult has every add-on, some having failed.
func fullResult() messages.PreRecordedResult {
	text := exampleTranscription()
	text.Sentences = []messages.AddonResult[messages.List[string]]{{Success: true, Results: []string{"Hello Ada"}}}
	text.Subtitles = []messages.Subtitle{{Format: "srt", Subtitles: "1"}}
	speaker := 0
	text.Utterances[0].Speaker = &speaker
	failed := &messages.AddonError{StatusCode: 501, Exception: "NotImplemented", Message: "not available"}
	empty := &messages.AddonResult[*string]{Error: failed}
	return messages.PreRecordedResult{
		Metadata: exampleResult().Metadata, Transcription: &text,
		Translation: &messages.AddonResult[messages.List[messages.TranslationResult]]{Results: []messages.TranslationResult{
			{FullTranscript: "Bonjour Ada", Languages: []string{"fr"}, Utterances: text.Utterances}, {Error: failed},
		}},
		Summarization: exampleResult().Summarization, NameConsistency: empty, StructuredDataExtraction: empty,
		NamedEntityRecognition: &messages.AddonResult[messages.List[messages.Entity]]{Error: failed},
		SentimentAnalysis:      &messages.AddonResult[string]{Success: true, Results: "[]"},
		AudioToLLM: &messages.AddonResult[messages.List[messages.AudioToLLM]]{Results: []messages.AudioToLLM{
			{Success: true, Results: &messages.LLMAnswer{Prompt: pointer("Who?"), Response: pointer("Ada")}},
			{Error: failed},
		}},
		Sentences:   &messages.AddonResult[messages.List[string]]{Error: failed},
		DisplayMode: &messages.AddonResult[messages.List[string]]{Error: failed},
		Diarization: &messages.AddonResult[messages.List[messages.Utterance]]{Error: failed},
	}
}

// TestReferences sees that all references of the documents lead somewhere, and nothing is described
// in vain.
func TestReferences(t *testing.T) {
	open, err := NewOpenAPI(info(), []Operation{
		{Method: "POST", Path: "/v2/live", Details: Details{Takes: Body(JSON[LiveRequest]())}},
		{Method: "GET", Path: "/v2/transcription", Details: Details{Query: ListOfBoth(),
			Gives: Answers(200, JSON[Page]())}},
	})
	if err != nil {
		t.Fatal(err)
	}
	for name, doc := range map[string]any{"openapi": tree(t, open), "asyncapi": tree(t, async(t))} {
		used := map[string]bool{}
		walk(doc, func(ref string) {
			used[ref] = true
			if at(doc, ref) == nil {
				t.Errorf("%s: %s leads nowhere", name, ref)
			}
		})
		for schema := range at(doc, "#/components/schemas").(map[string]any) {
			if !used["#/components/schemas/"+schema] {
				t.Errorf("%s: %s is used nowhere", name, schema)
			}
		}
	}
}

func walk(v any, visit func(ref string)) {
	switch v := v.(type) {
	case map[string]any:
		if ref, ok := v["$ref"].(string); ok {
			visit(ref)
		}
		for _, child := range v {
			walk(child, visit)
		}
	case []any:
		for _, child := range v {
			walk(child, visit)
		}
	}
}

// at is what a reference leads to.
func at(doc any, ref string) any {
	for part := range strings.SplitSeq(strings.TrimPrefix(ref, "#/"), "/") {
		m, _ := doc.(map[string]any)
		doc = m[part]
	}
	return doc
}

// TestSame sees that the documents do not change from one time to the next.
func TestSame(t *testing.T) {
	first := fmt.Sprint(tree(t, async(t)))
	a, _ := json.Marshal(async(t))
	b, _ := json.Marshal(async(t))
	if !bytes.Equal(a, b) || first == "" {
		t.Error("two descriptions differ")
	}
}

// TestSpecification compares the descriptions with the specification of fields: the stage they are
// in, whether there are better ones, and the bounds of their values.
func TestSpecification(t *testing.T) {
	g := everything(t)
	field := func(path string) *Schema {
		owner, name, _ := strings.Cut(path, ".")
		s := g.schemas[owner]
		if s == nil {
			t.Fatalf("no schema %s", owner)
		}
		for _, f := range s.Properties {
			if f.Name == name {
				return f.Value
			}
		}
		t.Fatalf("no field %s", path)
		return nil
	}
	for name, stage := range map[string]string{
		"custom_vocabulary": "beta", "translation": "beta", "named_entity_recognition": "alpha",
		"custom_spelling":      "alpha",
		"punctuation_enhanced": "alpha", "diarization": "", "summarization": "",
	} {
		for _, owner := range []string{"PreRecordedRequest", "PreRecordedParams", "RealtimeProcessingInput",
			"RealtimeProcessing"} {
			if strings.HasPrefix(owner, "Realtime") && (name == "punctuation_enhanced" || name == "summarization") {
				continue
			}
			f := field(owner + "." + name)
			if f.Stability != stage || strings.HasPrefix(strings.ToLower(f.Description), "["+stage+"] ") !=
				(stage != "") {
				t.Errorf("%s.%s: %q, %s", owner, name, f.Stability, f.Description)
			}
		}
	}
	for _, path := range []string{
		"PreRecordedRequest.callback_url", "PreRecordedParams.callback_url", "PreRecordedResult.sentences",
		"PreRecordedResult.name_consistency",
		"PreRecordedResult.diarization", "PreRecordedRequest.language", "PreRecordedRequest.detect_language",
	} {
		if !field(path).Deprecated {
			t.Errorf("%s is not deprecated", path)
		}
	}
	for path, want := range map[string]string{
		"SubtitlesConfigInput.minimum_duration": "0..", "SubtitlesConfigInput.maximum_duration": "1..30",
		"SubtitlesConfigInput.maximum_rows_per_caption":   "1..5",
		"SubtitlesConfigInput.maximum_characters_per_row": "1..",
		"SubtitlesConfigInput.formats":                    "1 items..",
		"DiarizationConfigInput.number_of_speakers":       "1..",
		"DiarizationConfigInput.min_speakers":             "0..", "DiarizationConfigInput.max_speakers": "0..",
		"CustomVocabularyConfigInput.default_intensity": "0..1",
		"TranslationConfigInput.target_languages":       "1 items..200",
		"PreRecordedJob.error_code":                     "400..599", "LiveJob.error_code": "400..599",
		"File.number_of_channels":              "1..",
		"Metadata.number_of_distinct_channels": "1..", "Utterance.channel": "0..", "Utterance.speaker": "0..",
	} {
		f := field(path)
		got := string(f.Minimum) + ".." + string(f.Maximum)
		if f.MinItems != nil {
			got = fmt.Sprintf("%d items..", *f.MinItems)
			if f.MaxItems != nil {
				got += fmt.Sprint(*f.MaxItems)
			}
		}
		if got != want {
			t.Errorf("%s: %s, want %s", path, got, want)
		}
	}
}
