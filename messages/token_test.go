package messages

import (
	"slices"
	"testing"
)

func TestParseToken(t *testing.T) {
	for _, body := range []string{"", " ", "{}", `{"scopes":null,"something":1}`} {
		r, problem := ParseToken([]byte(body))
		if problem != nil || !slices.Equal(r.Scopes, []string{"read"}) || r.Lifetime != 3600 || r.Kinds() != 0 ||
			len(r.Sessions) > 0 || r.Cookie {
			t.Errorf("%q: %+v, %v", body, r, problem)
		}
	}
	r, problem := ParseToken([]byte(`{"name":"n","scopes":["live","read","live"],"sessions":["a","b"],"lifetime":60,"cookie":true,"receive_speech_events":false}`))
	if problem != nil || !slices.Equal(r.Scopes, []string{"live", "read"}) || !slices.Equal(r.Sessions,
		[]string{"a", "b"}) || r.Lifetime != 60 || !r.Cookie {
		t.Errorf("%+v, %v", r, problem)
	}
	if kinds := r.Kinds(); !kinds.Has(KindFinal) || kinds.Has(KindSpeechStart) || kinds.Has(KindAudioAck) ||
		kinds.Has(KindPartial) {
		t.Errorf("kinds are %v", kindsOf(kinds))
	}
	for _, body := range []string{
		"[]", "{", `{"scopes":[]}`, `{"scopes":["all"]}`, `{"lifetime":0}`, `{"lifetime":86401}`, `{"lifetime":1.5}`,
		`{"sessions":"a"}`,
		`{"cookie":1}`, `{"receive_errors":"yes"}`,
	} {
		if r, problem := ParseToken([]byte(body)); problem == nil || problem.Status != 400 {
			t.Errorf("%s: %+v, %v", body, r, problem)
		}
	}
	// Kinds has no value for a token that shows nothing: one would show all.
	nothing := []byte(`{"receive_final_transcripts":false,"receive_speech_events":false,"receive_pre_processing_events":false,` +
		`"receive_realtime_processing_events":false,"receive_post_processing_events":false,"receive_errors":false}`)
	if r, problem := ParseToken(nothing); problem == nil || problem.Status != 400 {
		t.Errorf("%+v, %v", r, problem)
	}
	if s, problem := ParseSubscriber(nothing); problem == nil || problem.Status != 400 {
		t.Errorf("%+v, %v", s, problem)
	}
	if s, problem := ParseSubscriber([]byte(`{"lifetime":5}`)); problem != nil || s.Lifetime != 5 {
		t.Errorf("%+v, %v", s, problem)
	}
}
