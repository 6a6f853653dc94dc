package gateway

import (
	"errors"
	"testing"

	"steno/audio"
	"steno/session/asr"
	"steno/session/asr/realtime"
)

// TestGatewayAsEngine has a gateway recognize for another one, as a server of the engine realtime,
// whose variant is detected, with partials, one utterance after the other.
func TestGatewayAsEngine(t *testing.T) {
	r := newTestServer(t, nil)
	engine, err := realtime.New(realtime.Config{
		URL: r.http.URL + "/v1", Key: testKey, Model: "stt-1", Languages: []string{"en", "de"}, Keywords: true,
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = engine.Close() })
	for i, p := range []asr.Params{
		{Partials: true}, {Language: "de"}, {Vocabulary: []asr.Term{{Text: "ice cream"}}}, {Priority: asr.Replay},
	} {
		sound := speech(4, uint64(2+i))
		samples := make([]int16, len(sound)/2)
		audio.DecodePCM(samples, sound)
		u, err := engine.Open(t.Context(), p)
		if err != nil {
			t.Fatal(err)
		}
		if err := errors.Join(u.Write(samples), u.End()); err != nil {
			t.Fatal(err)
		}
		partials := 0
		for {
			got, err := u.Recv()
			if err != nil {
				t.Fatalf("utterance %d: %v", i, err)
			}
			if !got.Final {
				partials++
				continue
			}
			if len(got.Words) < 3 || !got.Timed || got.Words[len(got.Words)-1].End > len(samples) {
				t.Errorf("utterance %d: %+v", i, got)
			}
			break
		}
		if partials == 0 && p.Partials || partials > 0 && !p.Partials {
			t.Errorf("utterance %d: %d partials", i, partials)
		}
	}
	if engine.Variant() != realtime.OpenAI {
		t.Errorf("variant %q", engine.Variant())
	}
}
