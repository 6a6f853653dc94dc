package addon_test

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"

	"steno/messages"
	"steno/session/addon"
)

type shoutOptions struct {
	Mark string `json:"mark" default:"!" doc:"What follows each text"`
}

// shout lists the texts of utterances, aloud. It fails for those that are empty.
func shout(name string, scope messages.Scope) addon.Addon {
	type query = addon.Query[shoutOptions]
	return addon.NewListed(name, "Say it aloud", scope, addon.Provider[query, []string]{
		Name: addon.Embedded,
		Do: func(_ context.Context, q query) (list []string, err error) {
			for _, u := range q.Utterances {
				if u.Text == "" {
					return nil, errors.New("nothing was said")
				}
				list = append(list, strings.ToUpper(u.Text)+q.Options.Mark)
			}
			return list, nil
		},
	})
}

func declaredTable() *addon.Table {
	return &addon.Table{Addons: []addon.Addon{
		shout("aloud", messages.ScopeFinals|messages.ScopeRecorded), shout("aloud_at_last", messages.ScopeSession),
	}}
}

func declaredRequest(t *testing.T, table *addon.Table) *messages.LiveRequest {
	t.Helper()
	q, problem := messages.ParseLive([]byte(`{"realtime_processing":{"aloud":true},
		"post_processing":{"aloud_at_last":true,"aloud_at_last_config":{"mark":"?"}}}`), table.Declarations()...)
	if problem != nil {
		t.Fatal(problem.ValidationErrors)
	}
	return q
}

// stored is a message as a stored log has it.
func stored(t *testing.T, key messages.Key, m messages.Message) messages.Message {
	t.Helper()
	e := messages.Event{Seq: 1, Key: messages.ParseKey(key.Kind, key.String()), Body: messages.Append(nil,
		messages.Envelope{}, m)}
	read, err := e.Decode()
	if err != nil {
		t.Fatal(err)
	}
	return read
}

// The results of a session are those of its messages, also where these were read from a stored log.
func TestDeclaredResultsOfSession(t *testing.T) {
	for _, restored := range []bool{false, true} {
		table := declaredTable()
		live := addon.NewLive(declaredRequest(t, table), table)
		us := []messages.Utterance{{Text: "one"}, {}, {Text: "three"}}
		ids := []string{"00_00000000", "00_00000001", "00_00000002"}
		results := live.Results()
		for i, u := range us {
			for _, s := range live.Steps(ids[i], u) {
				m, _ := s.Do(t.Context())
				if restored {
					m = stored(t, s.Key, m)
				}
				results.Add(s.Key, m)
			}
		}
		result := messages.LiveResult{Transcription: messages.Transcription{Utterances: []messages.Utterance{us[0],
			us[2]}}}
		results.Put(&result, ids)
		var last messages.Message
		err := results.Finish(t.Context(), &result, func(m messages.Message) error { last = m; return nil })
		if err != nil {
			t.Fatal(err)
		}
		if r := result.Declared["aloud"]; r.Success || r.Error == nil || string(r.Results) != `["ONE!","THREE!"]` {
			t.Errorf("aloud: %+v, %s", r, r.Results)
		}
		if r := result.Declared["aloud_at_last"]; !r.Success || string(r.Results) != `["ONE?","THREE?"]` {
			t.Errorf("aloud_at_last: %+v, %s", r, r.Results)
		}
		again := live.Results()
		again.Add(messages.AddonSessionKey("aloud_at_last"), stored(t, messages.AddonSessionKey("aloud_at_last"), last))
		second := messages.LiveResult{}
		if err := again.Finish(t.Context(), &second, func(messages.Message) error { return nil }); err != nil {
			t.Fatal(err)
		}
		if r := second.Declared["aloud_at_last"]; !r.Success || string(r.Results) != `["ONE?","THREE?"]` {
			t.Errorf("taken up again: %+v", r)
		}
	}
}

// A recorded job has one result; what was not asked for has none, and nothing that was said is an
// empty list.
func TestDeclaredResultsOfJob(t *testing.T) {
	table := declaredTable()
	for body, want := range map[string]string{
		`{"audio_url":"http://a","aloud":true,"aloud_config":{"mark":"<"}}`: `"results":["ONE<"]`,
		`{"audio_url":"http://a"}`: "",
	} {
		q, problem := messages.ParsePreRecorded([]byte(body), table.Declarations()...)
		if problem != nil {
			t.Fatal(problem.ValidationErrors)
		}
		transcript := messages.LiveResult{Transcription: messages.Transcription{Utterances: []messages.Utterance{{Text: "one"}}}}
		result, err := addon.NewPreRecorded(q, table).Result(t.Context(), transcript)
		if err != nil {
			t.Fatal(err)
		}
		text, _ := json.Marshal(result.Declared["aloud"])
		if plain := strings.ReplaceAll(string(text), `\u003c`, "<"); !strings.Contains(plain, want) || (want == "") !=
			(plain == "null") {
			t.Errorf("%s: %s", body, text)
		}
	}
	q, _ := messages.ParsePreRecorded([]byte(`{"audio_url":"http://a","aloud":true}`), table.Declarations()...)
	silent, err := addon.NewPreRecorded(q, table).Result(t.Context(), messages.LiveResult{})
	if r := silent.Declared["aloud"]; err != nil || !r.Success || !r.IsEmpty || string(r.Results) != "[]" {
		t.Errorf("of silence: %+v, %v", r, err)
	}
	if !slices.Contains(table.Names(), "aloud") {
		t.Error("it is not in the table")
	}
}
