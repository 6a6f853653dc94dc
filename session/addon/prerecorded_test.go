package addon_test

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"steno/messages"
	"steno/session/addon"
	"steno/session/addon/addontest"
	"steno/session/addon/entities"
	"steno/session/addon/llm"
	"steno/session/addon/registry"
	"steno/session/addon/remote"
	"steno/session/addon/sentiment"
)

// recorded is the result of a job that wants this of what was heard.
func recorded(t *testing.T, w *addon.Table, request string, heard ...messages.Utterance) *messages.PreRecordedResult {
	t.Helper()
	q, problem := messages.ParsePreRecorded([]byte(`{"audio_url":"http://host/a.wav",` + request + `}`))
	if problem != nil {
		t.Fatal(problem)
	}
	result, err := addon.NewPreRecorded(q, w).Result(t.Context(),
		messages.LiveResult{Transcription: messages.Transcription{Utterances: heard}})
	if err != nil {
		t.Fatal(err)
	}
	return result
}

// said is an utterance of a text, a second for each word, that begins so many seconds in.
func said(start float64, text string) messages.Utterance {
	u := utterance("en", strings.Fields(text)...)
	for i := range u.Words {
		u.Words[i].Start += start
		u.Words[i].End += start
	}
	u.Start, u.End = u.Start+start, u.End+start
	return u
}

// namer is a language model that knows some names, and records its requests. It fails where a text
// holds "poison".
type namer struct {
	knows map[string]string // types by text

	mu   sync.Mutex
	told string
}

func (n *namer) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	var body struct{ Messages []struct{ Content string } }
	if err := json.NewDecoder(r.Body).Decode(&body); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	asked := body.Messages[1].Content
	n.mu.Lock()
	n.told += asked
	n.mu.Unlock()
	if strings.Contains(asked, "poison") {
		http.Error(w, "no", http.StatusUnprocessableEntity)
		return
	}
	list := []any{}
	for text, kind := range n.knows {
		if strings.Contains(asked, text) && strings.Contains(body.Messages[0].Content, kind) {
			list = append(list, map[string]any{"n": 0, "type": kind, "text": text})
		}
	}
	answer, _ := json.Marshal(map[string]any{"entities": list})
	_ = json.NewEncoder(w).Encode(map[string]any{"choices": []any{
		map[string]any{"finish_reason": "stop", "message": map[string]string{"role": "assistant",
			"content": string(answer)}},
	}})
}

// serves returns a client of the model.
func (n *namer) serves(t *testing.T) *llm.Client {
	t.Helper()
	s := httptest.NewServer(n)
	t.Cleanup(s.Close)
	c, err := llm.New(llm.Config{URL: s.URL, Model: "small", Attempts: 1, SchemaMode: "json_schema"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Close() })
	return c
}

func newNamer() *namer {
	return &namer{knows: map[string]string{"Zorkel Vrantz": "NAME", "the Oktoberfest.": "EVENT",
		"Flumberg": "LOCATION_CITY", "[NAME_1]": "NAME", "oranges": "PRODUCT"}}
}

const hiding = `"named_entity_recognition":true,"pii_redaction":true,"pii_redaction_config":{"entity_types":["EVENT","NAME","LOCATION_CITY"]}`

var met = []string{"my name is John Smith.", "We met Zorkel Vrantz in Flumberg at the Oktoberfest.", "He sold oranges."}

func heard(texts ...string) (us []messages.Utterance) {
	for i, text := range texts {
		us = append(us, said(float64(20*i), text))
	}
	return us
}

func listed(a *messages.AddonResult[messages.List[messages.Entity]]) (list []string) {
	for _, e := range a.Results {
		list = append(list, e.EntityType+" "+e.Text)
	}
	return list
}

// In a redacted job, a model receives only redacted text, and redacted entities are listed by their
// placeholders.
func TestModelOfARedactedJob(t *testing.T) {
	n := newNamer()
	w := registry.New(registry.Services{LLM: n.serves(t), LLMUses: []string{"named_entity_recognition"}},
		addon.Runner{})
	got := recorded(t, w, strings.Replace(hiding, `"entity_types"`, `"best_effort":true,"entity_types"`, 1),
		heard(met...)...)
	if len(got.Warnings) != 1 || !strings.Contains(got.Warnings[0].Message, "EVENT in en") {
		t.Errorf("warnings %+v", got.Warnings)
	}
	if text := got.Transcription.FullTranscript; !strings.Contains(text, "my name is [NAME_1].") {
		t.Errorf("transcript %q", text)
	}
	if strings.Contains(n.told, "Smith") || !strings.Contains(n.told, "[NAME_1]") {
		t.Errorf("the model was told %q", n.told)
	}
	// The list omits what was to be redacted and only the model finds.
	want := []string{"NAME [NAME_1]", "PRODUCT oranges"}
	if list := listed(got.NamedEntityRecognition); !slices.Equal(list, want) || !got.NamedEntityRecognition.Success {
		t.Errorf("entities %q, want %q", list, want)
	}
}

// A model that may read what is to be hidden hides what only it knows.
func TestConfidant(t *testing.T) {
	n := newNamer()
	c := n.serves(t)
	w := registry.New(registry.Services{LLM: c, LLMUses: []string{"named_entity_recognition"}, RedactionLLM: c},
		addon.Runner{})
	got := recorded(t, w, hiding, heard(met...)...)
	const want = "my name is [NAME_1]. We met [NAME_2] in [LOCATION_CITY_1] at [EVENT_1]. He sold oranges."
	if text := got.Transcription.FullTranscript; text != want {
		t.Errorf("transcript %q", text)
	}
	wantList := []string{"NAME [NAME_1]", "NAME [NAME_2]", "LOCATION_CITY [LOCATION_CITY_1]", "EVENT [EVENT_1]",
		"PRODUCT oranges"}
	if list := listed(got.NamedEntityRecognition); !slices.Equal(list, wantList) {
		t.Errorf("entities %q", list)
	}
	if e := got.NamedEntityRecognition.Results[1]; e.Start != 23 || e.End != 25 {
		t.Errorf("hidden name at %v to %v", e.Start, e.End)
	}
}

// Where the provider that finds PII fails, the embedded detectors redact what they find, and the
// result states that the provider failed, also where the request does not ask for entities.
func TestConfidantFails(t *testing.T) {
	for _, request := range []string{hiding, strings.Replace(hiding, `"named_entity_recognition":true,`, "", 1)} {
		n := newNamer()
		c := n.serves(t)
		w := registry.New(registry.Services{RedactionLLM: c}, addon.Runner{})
		got := recorded(t, w, request, heard("poison for John Smith.", met[1])...)
		const want = "poison for [NAME_1]. We met [NAME_2] in [LOCATION_CITY_1] at [EVENT_1]."
		if text := got.Transcription.FullTranscript; text != want {
			t.Errorf("transcript %q", text)
		}
		a := got.NamedEntityRecognition
		if a == nil || a.Success || a.Error == nil || a.Error.StatusCode != 502 {
			t.Fatalf("%+v", a)
		}
		if list := listed(a); strings.Contains(strings.Join(list, " "), "Smith") || strings.Contains(request,
			"recognition") != (len(list) == 4) {
			t.Errorf("entities %q", list)
		}
	}
}

// Where the confidant fails, nothing that only it could have redacted is returned.
func TestOnlyTheConfidantCouldHide(t *testing.T) {
	w := registry.New(registry.Services{RedactionLLM: newNamer().serves(t)}, addon.Runner{})
	q, problem := messages.ParsePreRecorded([]byte(`{"audio_url":"http://host/a.wav","pii_redaction":true,"pii_redaction_config":{"entity_types":["EVENT"]}}`))
	if problem != nil {
		t.Fatal(problem)
	}
	result, err := addon.NewPreRecorded(q, w).Result(t.Context(), messages.LiveResult{
		Transcription: messages.Transcription{Utterances: heard("poison at the Oktoberfest")},
	})
	if p, ok := errors.AsType[*messages.Problem](err); !ok || p.Status != 502 || result != nil {
		t.Errorf("%+v, %v", result, err)
	}
}

// What cannot be found in a language that turns out to be spoken ends the job, or is in its
// result's warnings.
func TestLanguageWithoutFinder(t *testing.T) {
	for language, lacks := range map[string]string{"en": "", "de": "NAME in de", "tr": "NAME in tr"} {
		for _, best := range []string{"false", "true"} {
			q, problem := messages.ParsePreRecorded([]byte(`{"audio_url":"http://host/a.wav","pii_redaction":true,
				"pii_redaction_config":{"entity_types":["NAME","EMAIL_ADDRESS"],"best_effort":` + best + `}}`))
			if problem != nil {
				t.Fatal(problem)
			}
			us := heard("hello there", "john@example.com")
			us[1].Language = language
			result, err := addon.NewPreRecorded(q, embedded()).Result(t.Context(),
				messages.LiveResult{Transcription: messages.Transcription{Utterances: us}})
			p, failed := errors.AsType[*messages.Problem](err)
			if want := lacks != "" && best == "false"; failed != want || failed &&
				(p.Status != 422 || !strings.Contains(p.Message, lacks)) {
				t.Errorf("%s, best effort %s: %v", language, best, err)
			}
			if failed {
				continue
			}
			warned := len(result.Warnings) == 1 && strings.Contains(result.Warnings[0].Message, lacks)
			if warned != (lacks != "") || result.Transcription.Utterances[1].Text != " [EMAIL_ADDRESS_1]" {
				t.Errorf("%s, best effort %s: %+v", language, best, result)
			}
		}
	}
}

// Entities that a hidden value is too short to be known again by are hidden in the list too.
func TestHiddenEntitiesAreNotListed(t *testing.T) {
	got := recorded(t, embedded(), `"named_entity_recognition":true,"pii_redaction":true`,
		heard("i am five years old and my name is will")...)
	want := []string{"AGE [AGE_1]", "NAME_GIVEN [NAME_GIVEN_1]"}
	if list := listed(got.NamedEntityRecognition); !slices.Equal(list, want) {
		t.Errorf("entities %q of %q", list, got.Transcription.FullTranscript)
	}
}

// An utterance that a model fails for costs the others nothing, of what it names and of its mood.
func TestOneUtteranceFails(t *testing.T) {
	n := newNamer()
	w := registry.New(registry.Services{LLM: n.serves(t), LLMUses: []string{"named_entity_recognition"}},
		addon.Runner{})
	w = addontest.Replace(w, sentiment.WithProvider(sentiment.Provider{Name: addon.Embedded,
		Do: func(_ context.Context, us []messages.Utterance) ([]messages.Sentiment, error) {
			return []messages.Sentiment{{Sentiment: "positive", Text: us[0].Text}},
				errors.New("no answer for the second")
		}}))
	got := recorded(t, w, `"named_entity_recognition":true,"sentiment_analysis":true`,
		heard("Zorkel Vrantz went home.", "poison", "to Flumberg, in haste")...)
	a := got.NamedEntityRecognition
	if list := listed(a); !slices.Equal(list, []string{"NAME Zorkel Vrantz", "LOCATION_CITY Flumberg"}) || a.Success ||
		a.IsEmpty || a.Error == nil {
		t.Errorf("entities %q, %+v", list, a)
	}
	f := got.SentimentAnalysis
	if f.Success || f.IsEmpty || f.Error == nil || !strings.Contains(f.Results, "Zorkel") {
		t.Errorf("moods %+v", f)
	}
}

// What fails altogether has the same form as what finds nothing, in a job as in a live session:
// JSON. The sentences are in it.
func TestFormOfFailures(t *testing.T) {
	broken := addontest.Embedded()
	broken.Sentiments = func(context.Context, []messages.Utterance) ([]messages.Sentiment, error) {
		return nil, errors.New("no")
	}
	const none = `[{"sentiment":"unknown","emotion":"neutral","text":"He sold oranges.","start":1,"end":4,"channel":0}]`
	for name, w := range map[string]*addon.Table{"not there": addontest.Providers{}.Table(), "broken": broken.Table()} {
		us := heard(met[2])
		got := recorded(t, w, `"sentiment_analysis":true`, us...).SentimentAnalysis
		r := messages.LiveResult{Transcription: messages.Transcription{Utterances: us}}
		live(t, `{"realtime_processing":{"sentiment_analysis":true}}`, w).Results().Put(&r, []string{"00_00000000"})
		for where, a := range map[string]*messages.AddonResult[string]{"job": got, "live": r.SentimentAnalysis} {
			if a.Success || a.IsEmpty || a.Error == nil || a.Results != none {
				t.Errorf("%s, %s: %+v", name, where, a)
			}
		}
	}
}

// A server that is gone is not asked about each utterance.
func TestPatience(t *testing.T) {
	var mu sync.Mutex
	asked := 0
	gone := func(_ context.Context, u messages.Utterance) (int, error) {
		mu.Lock()
		defer mu.Unlock()
		asked++
		return 0, remote.NewError(http.StatusBadGateway, "Unreachable", "gone", nil)
	}
	results, err := addon.RunEach(t.Context(), embedded().NewRunner(), "test", make([]messages.Utterance, 1000), gone)
	if remote.Addon(err).StatusCode != http.StatusBadGateway || len(results) != 1000 || asked < 6 || asked >= 6+4 {
		t.Errorf("asked %d times: %v", asked, err)
	}
}

// Data and names of which there are none are none.
func TestNothingFound(t *testing.T) {
	w := addontest.Embedded()
	w.Names = func(context.Context, []messages.Utterance) (string, error) { return "", nil }
	for data, empty := range map[string]bool{
		`{"price":[]}`: true, `{"price":[],"b":[]}`: true, `{}`: true, "": true, `{"price":["3"],"b":[]}`: false,
		"free text": false,
	} {
		w.StructuredData = func(context.Context, []messages.Utterance, []string) (string, error) { return data, nil }
		got := recorded(t, w.Table(),
			`"name_consistency":true,"structured_data_extraction":true,"structured_data_extraction_config":{"classes":["price"]}`)
		if s := got.StructuredDataExtraction; !s.Success || s.IsEmpty != empty || *s.Results != data {
			t.Errorf("%q: %+v", data, s)
		}
		if n := got.NameConsistency; !n.Success || !n.IsEmpty || *n.Results != "" {
			t.Errorf("names %+v", n)
		}
	}
}

// For a recording without speech a model is not asked for data and names, and there are none.
func TestSilenceHoldsNothing(t *testing.T) {
	n := newNamer()
	got := recorded(t, registry.New(registry.Services{LLM: n.serves(t)}, addon.Runner{}),
		`"name_consistency":true,"structured_data_extraction":true,"structured_data_extraction_config":{"classes":["price"]}`)
	for name, a := range map[string]*messages.AddonResult[*string]{"data": got.StructuredDataExtraction,
		"names": got.NameConsistency} {
		if !a.Success || !a.IsEmpty || a.Error != nil || n.told != "" {
			t.Errorf("%s: %+v, the model was told %q", name, a, n.told)
		}
	}
}

// A punctuation model that hangs has its time, and pauses decide.
func TestHangingPunctuation(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		asked := 0
		w := addontest.Providers{Runner: addon.Runner{PostProcessing: time.Minute},
			Punctuate: func(ctx context.Context, _, _ string) (string, error) {
				asked++
				<-ctx.Done()
				return "", ctx.Err()
			}}
		began := time.Now()
		got := recorded(t, w.Table(), `"punctuation_enhanced":true`, heard("hello there", "good morning")...)
		if text := got.Transcription.FullTranscript; text != "Hello there. Good morning." {
			t.Errorf("%q", text)
		}
		if took := time.Since(began); took != time.Minute || asked != 1 {
			t.Errorf("asked %d times in %v", asked, took)
		}
	})
}

// A configuration can be served where all that it names can be found in each of the languages.
func TestRequestsForRedactionAreChecked(t *testing.T) {
	finds := addontest.Providers{FindPII: func(context.Context, messages.Utterance, []string) ([]entities.Found,
		error) {
		return nil, nil
	}}.Table()
	for _, c := range []struct{ types, languages, lacks string }{
		{"", "", ""}, {"LOCATION", "", ""}, {"CCI", "en", ""}, {"NUMERICAL_PII", "", ""}, {"GDPR", "en", ""},
		{"EVENT", "", "EVENT in any language"}, {"EVENT,PRODUCT", "en", "EVENT, PRODUCT in en"},
		{"EVENT,NAME", "en", "EVENT in en"},
		{"CREDIT_CARD,EMAIL_ADDRESS", "de,ja", ""}, {"NAME", "de", "NAME in de"}, {"CVV,NAME,URL", "fr,en,tr",
			"CVV, NAME in fr, CVV, NAME in tr"},
		{"PCI", "es", "CREDIT_CARD_EXPIRATION, CVV, PASSWORD, ROUTING_NUMBER in es"},
		{"", "de", "ACCOUNT_NUMBER, AGE,"},
	} {
		q := messages.PreRecordedRequest{PIIRedaction: true}
		if c.types != "" {
			q.PIIRedactionConfig.EntityTypes = strings.Split(c.types, ",")
		}
		languages := strings.FieldsFunc(c.languages, func(r rune) bool { return r == ',' })
		warnings, err := embedded().Check(&q, languages)
		p, refused := errors.AsType[*messages.Problem](err)
		if refused != (c.lacks != "") || len(warnings) != 0 {
			t.Errorf("%q in %q: %v, %v", c.types, languages, err, warnings)
		} else if refused && (p.Status != 400 || !strings.Contains(p.ValidationErrors[0], c.lacks)) {
			t.Errorf("%q in %q: %+v", c.types, languages, p)
		}
		q.PIIRedactionConfig.BestEffort = true
		warnings, err = embedded().Check(&q, languages)
		if err != nil || (len(warnings) == 1) != refused || refused && !strings.Contains(warnings[0].Message, c.lacks) {
			t.Errorf("best effort for %q in %q: %v, %v", c.types, languages, warnings, err)
		}
		if warnings, err := finds.Check(&q, languages); err != nil || len(warnings) != 0 {
			t.Errorf("with a language model %q in %q: %v, %v", c.types, languages, err, warnings)
		}
	}
	types := func(table *addon.Table) messages.EntityTypes {
		var m messages.Models
		table.Describe(&m)
		return m.EntityTypes
	}
	if got := types(finds); !slices.Contains(got.Found, "EVENT") || !slices.IsSorted(got.Found) ||
		len(got.Unable) != 0 {
		t.Errorf("%+v", got)
	}
	if got := types(embedded()); !slices.Contains(got.Unable, "EVENT") {
		t.Errorf("unable: %v", got.Unable)
	}
}
