package gateway

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"steno/gateway/callbacks"
	"steno/messages"
	"steno/session/addon"
	"steno/session/addon/addontest"
)

type longWordsOptions struct {
	Letters int `json:"letters" default:"8" minimum:"1" maximum:"50" doc:"Words with fewer are not listed"`
}

type longWord struct {
	Word  string  `json:"word" doc:"As it was said"`
	Start float64 `json:"start" minimum:"0" doc:"Seconds from the beginning"`
}

// longWords is an add-on that nothing outside this file knows.
func longWords(name string, scope messages.Scope) addon.Addon {
	type query = addon.Query[longWordsOptions]
	return addon.NewListed(name, "List the long words", scope, addon.Provider[query, []longWord]{
		Name: addon.Embedded,
		Do: func(_ context.Context, q query) (found []longWord, err error) {
			for _, u := range q.Utterances {
				for _, w := range u.Words {
					if text := strings.Trim(w.Word, " ,."); len(text) >= q.Options.Letters {
						found = append(found, longWord{text, w.Start})
					}
				}
			}
			return found, nil
		},
	})
}

func declaredAddons() addontest.Providers {
	return addontest.Providers{Declared: []addon.Addon{
		longWords("long_words", messages.ScopeFinals|messages.ScopeRecorded),
		longWords("longest_words", messages.ScopeSession),
		addon.NewListed("impossible", "Nothing does it", messages.ScopeFinals, addon.Provider[addon.Query[struct{}],
			[]string]{}),
	}}
}

// declaredResult is the add-ons' part of a result.
type declaredResult struct {
	LongWords    messages.AddonResult[[]longWord] `json:"long_words"`
	LongestWords messages.AddonResult[[]longWord] `json:"longest_words"`
	Impossible   messages.AddonResult[[]string]
}

func said(list []longWord) (words []string) {
	for _, w := range list {
		words = append(words, w.Word)
	}
	return words
}

// A declared add-on works in a live session like those of the API: on the socket, in callbacks, for
// followers, in the record.
func TestDeclaredAddonsLive(t *testing.T) {
	r, receiver := callbackServer(t), newReceiver(t)
	r.providers, r.engines.asr = declaredAddons(), recite("My extraordinary friend", "nothing",
		"understands everything")
	r.restart()
	id, url := r.create(`{"endpointing":0.3,"language_config":{"languages":["en"]},
		"realtime_processing":{"long_words":true,"impossible":true},"post_processing":{"longest_words":true,"longest_words_config":{"letters":12}},
		"callback":true,"callback_config":{"url":"` + receiver.url + `"}}`)
	c := call(t, url).mustConnect()
	for i := range 3 {
		if err := c.send(append(speech(2.2, uint64(i)), make([]byte, 32000)...)); err != nil {
			t.Fatal(err)
		}
	}
	if err := c.stop(); err != nil {
		t.Fatal(err)
	}
	if code := c.end(); code != 1000 {
		t.Fatalf("closed with %d", code)
	}
	var listed []string
	byType := map[string][]string{}
	for _, f := range c.all() {
		byType[f.Type] = append(byType[f.Type], f.text)
		if f.Type == "long_words" {
			listed = append(listed, said(data[struct{ Results []longWord }](t, f).Results)...)
		}
	}
	want := []string{"extraordinary", "understands", "everything"}
	if slices.Sort(listed); !slices.Equal(listed, slices.Sorted(slices.Values(want))) || len(byType["long_words"]) <
		3 || len(byType["post_longest_words"]) != 1 {
		t.Errorf("listed %v in %d messages, then %v", listed, len(byType["long_words"]), byType["post_longest_words"])
	}
	if text := strings.Join(byType["impossible"], ""); len(byType["impossible"]) != 1 ||
		!strings.Contains(text, `"status_code":501`) {
		t.Errorf("impossible: %v", text)
	}
	called := map[string][]string{}
	for _, c := range receiver.await(t, callbacks.EndSession) {
		called[c.Event] = append(called[c.Event], string(c.Payload))
	}
	followed := r.do("GET", "/v2/live/"+id+"/events", "")
	for _, name := range []string{"long_words", "impossible", "post_longest_words"} {
		if !slices.Equal(called["live."+name], byType[name]) {
			t.Errorf("%s: called back %v, sent %v", name, called["live."+name], byType[name])
		}
		if strings.Count(string(followed.body), "event: "+name+"\n") != len(byType[name]) {
			t.Errorf("followers are not sent %s", name)
		}
	}
	var result declaredResult
	if err := json.Unmarshal(r.job(id).Result, &result); err != nil {
		t.Fatal(err)
	}
	if got := said(result.LongWords.Results); !result.LongWords.Success || !slices.Equal(got, want) {
		t.Errorf("long_words: %+v", result.LongWords)
	}
	if got := said(result.LongestWords.Results); !result.LongestWords.Success || !slices.Equal(got, want[:1]) {
		t.Errorf("longest_words: %+v", result.LongestWords)
	}
	if failed := result.Impossible; failed.Success || failed.Error == nil || failed.Error.StatusCode != 501 {
		t.Errorf("impossible: %+v", failed)
	}
}

// In a recorded job it has its result, and the record contains what was asked for.
func TestDeclaredAddonsRecorded(t *testing.T) {
	r := addonServer(t, declaredAddons(), "My extraordinary friend", "understands everything")
	up := r.uploadFile("a.wav", wavOf(speech(5, 5), 16000, 1))
	id := r.createJob(`{"audio_url":"` + up.AudioURL +
		`","language_config":{"languages":["en"]},"long_words":true,"long_words_config":{"letters":11}}`)
	var result declaredResult
	job := r.awaitJob(id)
	if err := json.Unmarshal(job.Result, &result); err != nil {
		t.Fatal(err)
	}
	if got := said(result.LongWords.Results); !slices.Equal(got, []string{"extraordinary", "understands"}) {
		t.Errorf("%s", job.Result)
	}
	if params, _ := json.Marshal(job.RequestParams); !strings.Contains(string(params),
		`"long_words":true,"long_words_config":{"letters":11}`) {
		t.Errorf("record has %s", params)
	}
	if refused := r.do("POST", "/v2/pre-recorded", `{"audio_url":"`+up.AudioURL+
		`","long_words":true,"long_words_config":{"letters":0}}`); refused.status != 400 ||
		!strings.Contains(string(refused.body), "long_words_config.letters must not be less than 1") {
		t.Errorf("%d: %s", refused.status, refused.body)
	}
	if offered := r.do("GET", "/v2/models", ""); !strings.Contains(string(offered.body),
		`"name":"long_words","modes":["live","pre-recorded"],"available":true`) {
		t.Errorf("offered is %s", offered.body)
	}
	if described := r.do("GET", "/openapi.json", ""); !strings.Contains(string(described.body), `"LongWordsItem"`) {
		t.Error("it is not described")
	}
}
