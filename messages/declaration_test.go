package messages

import (
	"encoding/json"
	"strings"
	"testing"
)

type tallyOptions struct {
	Least int      `json:"least" default:"2" minimum:"1" doc:"Fewer are not listed"`
	Skip  []string `json:"skip,omitempty" maxItems:"3" maxLength:"10"`
}

type tallied struct {
	Word  string `json:"word"`
	Count int    `json:"count"`
}

// tally is an add-on that the API does not have.
var tally = Declaration{Name: "tally", Doc: "Count words", Scope: ScopeFinals | ScopeRecorded, Options: tallyOptions{},
	Item: tallied{}}

func TestDeclaredInRequests(t *testing.T) {
	for body, want := range map[string]string{
		`{"realtime_processing":{"tally":true}}`:                                  `"tally":true,"tally_config":{"least":2}`,
		`{"realtime_processing":{"tally":true,"tally_config":{"skip":["<a>"]}}}`:  `"tally":true,"tally_config":{"least":2,"skip":["<a>"]}`,
		`{"realtime_processing":{"tally":true,"tally_config":{"least":7.0}}}`:     `"tally_config":{"least":7}`,
		`{"realtime_processing":{"tally":false,"tally_config":{"least":3}}}`:      `"sentiment_analysis":false}`,
		`{"realtime_processing":{"tally":null,"sentiment_analysis":true}}`:        `"sentiment_analysis":true}`,
		`{"realtime_processing":{"custom_vocabulary":false},"callback":false}`:    `"sentiment_analysis":false}`,
		`{"realtime_processing":{"tally":true,"named_entity_recognition":false}}`: `"sentiment_analysis":false,"tally":true`,
	} {
		r, problem := ParseLive([]byte(body), tally)
		if problem != nil {
			t.Fatal(body, problem.ValidationErrors)
		}
		text, err := json.Marshal(r)
		if err != nil || !strings.Contains(strings.NewReplacer(`\u003c`, "<", `\u003e`, ">").Replace(string(text)),
			want) {
			t.Errorf("%s: %s, %v; want %s", body, text, err, want)
		}
		if len(r.Warnings()) > 0 && !strings.Contains(body, "null") && strings.Contains(body, `"tally":true`) {
			t.Errorf("%s: %v", body, r.Warnings())
		}
		if again, problem := ParseLive(text, tally); problem != nil {
			t.Errorf("%s: %v", text, problem.ValidationErrors)
		} else if second, _ := json.Marshal(again); string(second) != string(text) {
			t.Errorf("%s became %s", text, second)
		}
	}
	r, problem := ParsePreRecorded([]byte(`{"audio_url":"http://a","tally":true,"tally_config":{"skip":["b"]}}`), tally)
	if problem != nil {
		t.Fatal(problem.ValidationErrors)
	}
	options, asked := OptionsOf[tallyOptions](r.Declared, "tally")
	if !asked || options.Least != 2 || len(options.Skip) != 1 {
		t.Errorf("%v, %v", options, asked)
	}
	if _, asked := OptionsOf[struct{}](r.Declared, "another"); asked {
		t.Error("another add-on was asked for")
	}
}

func TestDeclaredFaults(t *testing.T) {
	for body, want := range map[string]string{
		`{"realtime_processing":{"tally":"yes"}}`:                                            "realtime_processing.tally must be a boolean",
		`{"realtime_processing":{"tally":true,"tally_config":{"least":0}}}`:                  "realtime_processing.tally_config.least must not be less than 1",
		`{"realtime_processing":{"tally":true,"tally_config":{"skip":["a","b","c","d"]}}}`:   "realtime_processing.tally_config.skip must not have more than 3",
		`{"realtime_processing":{"tally":true,"tally_config":[]}}`:                           "realtime_processing.tally_config must be an object",
		`{"realtime_processing":{"tally":true,"tally_config":{"skip":["abcdefghijklmn"]}}}`:  "skip.0 must not be longer than 10",
		`{"realtime_processing":{"tally":1},"post_processing":{"summarization_config":"x"}}`: "realtime_processing.tally must be a boolean",
	} {
		if _, problem := ParseLive([]byte(body), tally); problem == nil ||
			!strings.Contains(strings.Join(problem.ValidationErrors, "; "), want) {
			t.Errorf("%s: %v, want %s", body, problem, want)
		}
	}
	for body, want := range map[string]string{
		`{"realtime_processing":{"taly":true}}`:                       "did you mean realtime_processing.tally?",
		`{"realtime_processing":{"tally_config":{}}}`:                 "is used only where realtime_processing.tally is true",
		`{"realtime_processing":{"tally_config":{"lest":3}}}`:         "realtime_processing.tally_config.least",
		`{"post_processing":{"tally":true},"callback":false}`:         "is not a known field",
		`{"realtime_processing":{"tally":true,"tally_confi":{}}}`:     "did you mean realtime_processing.tally_config?",
		`{"realtime_processing":{"sentiment_analysi":true},"x":null}`: "did you mean realtime_processing.sentiment_analysis?",
	} {
		r, problem := ParseLive([]byte(body), tally)
		if problem != nil {
			t.Fatal(body, problem.ValidationErrors)
		}
		if text, _ := json.Marshal(r.Warnings()); !strings.Contains(string(text), want) {
			t.Errorf("%s: %s, want %s", body, text, want)
		}
	}
}

func TestDeclaredMessages(t *testing.T) {
	at := Envelope{SessionID: "s"}
	u := Utterance{Text: " a"}
	list := json.RawMessage(`[{"word":"a","count":2}]`)
	for _, c := range []struct {
		key  Key
		m    Message
		want string
		kind string
	}{
		{AddonFinalKey("tally", "00_00000001"), AddonFinal{Addon: "tally", UtteranceID: "00_00000001", Utterance: u,
			Results: list},
			`"error":null,"type":"tally","data":{"utterance_id":"00_00000001","utterance":{"start":0,`, "tally"},
		{AddonFinalKey("tally", "00_00000001"), AddonFinal{Addon: "tally", UtteranceID: "00_00000001",
			Error: &AddonError{StatusCode: 501}},
			`"type":"tally","data":null,"utterance_id":"00_00000001"}`, "tally"},
		{AddonSessionKey("tally"), AddonSession{Addon: "tally", Results: list},
			`"type":"post_tally","data":{"results":[{"word":"a","count":2}]}}`, "post_tally"},
		{AddonSessionKey("tally"), AddonSession{Addon: "tally", Results: json.RawMessage(`["` + strings.Repeat("a",
			maxData) + `"]`)},
			`"type":"post_tally","data":{"results":[]}}`, "post_tally"},
	} {
		e := Event{Seq: 1, Key: c.key, Body: Append(nil, at, c.m)}
		if !strings.Contains(string(e.Body), c.want) || e.Type() != c.kind || c.key.Type() != c.kind {
			t.Errorf("%s %s: %s, want %s", e.Type(), c.key, e.Body, c.want)
		}
		if again := ParseKey(c.key.Kind, c.key.String()); again != c.key {
			t.Errorf("key %v became %v", c.key, again)
		}
		m, err := e.Decode()
		if err != nil {
			t.Fatal(err)
		}
		if second := Append(nil, at, m); string(second) != string(e.Body) {
			t.Errorf("%s became %s", e.Body, second)
		}
		if !(Flags{RealtimeProcessing: true, PostProcessing: true}).Filter().Has(c.key.Kind) {
			t.Error("no flag lets it through")
		}
	}
}

func TestDeclaredResults(t *testing.T) {
	r := LiveResult{Messages: List[string]{"m"}}
	r.Declared.Reserve("tally")
	r.Declared.Set("tally", &AddonResult[json.RawMessage]{Success: true, Results: json.RawMessage(`[1]`)})
	text, err := json.Marshal(r)
	if want := `"messages":["m"],"tally":{"success":true,"is_empty":false,"exec_time":0,"error":null,"results":[1]}}`; err != nil || !strings.HasSuffix(string(text), want) {
		t.Errorf("%s, %v", text, err)
	}
	final := string(Append(nil, Envelope{}, PostFinalTranscript{r}))
	if !strings.Contains(final, `"tally":{"success":true`) || strings.Contains(final, `"messages"`) {
		t.Error(final)
	}
	r.Declared.Set("tally", &AddonResult[json.RawMessage]{Success: true,
		Results: json.RawMessage(`["` + strings.Repeat("a", maxData) + `"]`)})
	if final := Append(nil, Envelope{}, PostFinalTranscript{r}); len(final) > maxData ||
		!strings.Contains(string(final), `"results":[]}`) {
		t.Errorf("%d bytes", len(final))
	}
	job := PreRecordedResult{Declared: r.Declared}
	if text, err := json.Marshal(job); err != nil || !strings.Contains(string(text), `"tally":{"success":true`) {
		t.Errorf("%d bytes, %v", len(text), err)
	}
}

func TestDeclarationsThatCannotBe(t *testing.T) {
	if err := tally.Check(); err != nil {
		t.Error(err)
	}
	for want, change := range map[string]func(*Declaration){
		"lower-case":    func(d *Declaration) { d.Name = "Tally" },
		"without a":     func(d *Declaration) { d.Scope = 0 },
		"cannot be":     func(d *Declaration) { d.Scope = ScopeFinals | ScopeSession },
		"not a struct":  func(d *Declaration) { d.Options = 1 },
		"results list":  func(d *Declaration) { d.Item = nil },
		"field already": func(d *Declaration) { d.Name = "subtitles" },
		"languages is":  func(d *Declaration) { d.Name = "languages" },
		"type already":  func(d *Declaration) { d.Name = "transcript" },
		"has that type": func(d *Declaration) { d.Name = "final_transcript" },
	} {
		d := tally
		change(&d)
		if err := d.Check(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", want, err)
		}
	}
}
