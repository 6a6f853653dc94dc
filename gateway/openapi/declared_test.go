package openapi

import (
	"encoding/json"
	"testing"

	"steno/messages"
)

type tallyOptions struct {
	Least int `json:"least" default:"2" minimum:"1" doc:"Fewer are not listed"`
}

type tallied struct {
	Word  string `json:"word" doc:"A word"`
	Count int    `json:"count" minimum:"1" doc:"How often it was said"`
}

func declarations() []messages.Declaration {
	return []messages.Declaration{
		{Name: "word_tally", Doc: "Count words", Scope: messages.ScopeFinals | messages.ScopeRecorded,
			Options: tallyOptions{}, Item: tallied{}},
		{Name: "questions", Doc: "List questions", Scope: messages.ScopeSession, Item: ""},
	}
}

// What is declared is described: its switch and options in requests, its item in results, its
// messages.
func TestDeclaredAddons(t *testing.T) {
	about := info()
	about.Addons = declarations()
	open, err := NewOpenAPI(about, []Operation{
		{Method: "POST", Path: "/v2/live", Details: Details{Takes: Body(JSON[LiveRequest]())}},
		{Method: "POST", Path: "/v2/pre-recorded", Details: Details{Takes: Body(JSON[PreRecordedRequest]())}},
		{Method: "GET", Path: "/v2/transcription", Details: Details{Gives: Answers(200, JSON[Page]())}},
	})
	if err != nil {
		t.Fatal(err)
	}
	doc := tree(t, open)
	for _, place := range []string{"RealtimeProcessingInput", "PreRecordedRequest"} {
		properties := at(doc, "#/components/schemas/"+place+"/properties").(map[string]any)
		if properties["word_tally"] == nil || properties["word_tally_config"] == nil ||
			(properties["questions"] != nil) {
			t.Errorf("%s has %v and %v", place, properties["word_tally"], properties["word_tally_config"])
		}
	}
	if at(doc, "#/components/schemas/RealtimeProcessingInput/properties/word_tally/x-addon") != true {
		t.Error("the switch is not marked as an add-on's")
	}
	c := compiler(t, closed(doc))
	valid := map[string]string{
		"LiveRequest":          `{"realtime_processing":{"word_tally":true,"word_tally_config":{"least":1}},"post_processing":{"questions":true}}`,
		"PreRecordedRequest":   `{"audio_url":"https://a.example/a.wav","word_tally":true,"word_tally_config":null}`,
		"RealtimeProcessing":   encodedText(t, parsed(t).RealtimeProcessing),
		"PostProcessing":       encodedText(t, parsed(t).PostProcessing),
		"AddonResultWordTally": `{"success":true,"is_empty":false,"exec_time":0,"error":null,"results":[{"word":"a","count":2}]}`,
		"AddonResultQuestions": `{"success":true,"is_empty":false,"exec_time":0,"error":null,"results":["a"]}`,
	}
	for name, text := range valid {
		validate(t, compile(t, c, "/components/schemas/"+name), []byte(text))
	}
}

func parsed(t *testing.T) *messages.LiveRequest {
	t.Helper()
	q, problem := messages.ParseLive([]byte(`{"realtime_processing":{"word_tally":true},"post_processing":{"questions":true}}`), declarations()...)
	if problem != nil {
		t.Fatal(problem.ValidationErrors)
	}
	return q
}

func encodedText(t *testing.T, v any) string {
	t.Helper()
	text, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// Their messages are valid by the description, on the socket, in callbacks and for subscribers.
func TestDeclaredMessages(t *testing.T) {
	about := info()
	about.Addons = declarations()
	doc, err := NewAsyncAPI(about)
	if err != nil {
		t.Fatal(err)
	}
	c := compiler(t, closed(tree(t, doc)))
	failed := &messages.AddonError{StatusCode: 501, Exception: "E", Message: "m"}
	list := json.RawMessage(`[{"word":"a","count":2}]`)
	for name, m := range map[string]messages.Message{
		"WordTally": messages.AddonFinal{Addon: "word_tally", UtteranceID: "00_00000001",
			Utterance: exampleUtterance(), Results: list},
		"WordTallyEvent": messages.AddonFinal{Addon: "word_tally", UtteranceID: "00_00000001", Error: failed},
		"PostQuestions":  messages.AddonSession{Addon: "questions", Results: json.RawMessage(`["a?"]`)},
	} {
		body := messages.Append(nil, messages.Envelope{SessionID: exampleID, CreatedAt: ExampleTime().Time}, m)
		validate(t, compile(t, c, "/components/messages/"+name+"/payload"), body)
	}
	body := messages.Append(nil, messages.Envelope{SessionID: exampleID, CreatedAt: ExampleTime().Time},
		messages.AddonSession{Addon: "questions", Error: failed})
	validate(t, compile(t, c, "/components/messages/PostQuestionsCallback/payload"), messages.AppendLiveCallback(nil,
		exampleID, "post_questions", body))
}
