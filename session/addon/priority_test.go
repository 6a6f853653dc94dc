package addon_test

import (
	"encoding/json"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"steno/messages"
	"steno/session/addon"
	"steno/session/addon/llm"
	"steno/session/addon/registry"
	"steno/session/addon/remote"
	"steno/session/internal/fakeapi"
)

// slowModel takes a minute for each request and notes which of the names asked about it.
type slowModel struct {
	names []string
	asked []string
}

func (m *slowModel) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
	}
	time.Sleep(time.Minute)
	for _, name := range m.names {
		if strings.Contains(string(body), name) {
			m.asked = append(m.asked, name)
		}
	}
	answer := `{"summary":"x"}`
	if strings.Contains(string(body), "sentiment") {
		answer = `{"sentences":[{"n":0,"sentiment":"neutral","emotion":"neutral"}]}`
	}
	_ = json.NewEncoder(w).Encode(map[string]any{"choices": []any{
		map[string]any{"finish_reason": "stop", "message": map[string]any{"role": "assistant", "content": answer}},
	}})
}

// Where a model makes one request at a time, what somebody waits for goes first: an utterance just
// said, then the end of a live session, then recorded files.
func TestWhoGoesFirst(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := &slowModel{names: []string{"alpha", "bravo", "charlie", "delta"}}
		c, err := llm.New(llm.Config{
			URL: "http://model/v1", Model: "small", Concurrency: 1, Timeout: time.Hour, Budget: time.Hour,
			Client: fakeapi.Direct(m),
		})
		if err != nil {
			t.Fatal(err)
		}
		table := registry.New(registry.Services{LLM: c, LLMUses: []string{"summarization", "sentiment_analysis"}},
			addon.Runner{Realtime: time.Hour, PostProcessing: time.Hour})
		l := live(t, `{"realtime_processing":{"sentiment_analysis":true},"post_processing":{"summarization":true}}`,
			table)
		request, problem := messages.ParsePreRecorded([]byte(`{"audio_url":"http://host/a.wav","summarization":true}`))
		if problem != nil {
			t.Fatal(problem)
		}
		var all sync.WaitGroup
		begin := func(work func() *messages.AddonError) {
			all.Go(func() {
				if failed := work(); failed != nil {
					t.Errorf("%+v", failed)
				}
			})
			synctest.Wait()
		}
		recorded := func(word string) func() *messages.AddonError {
			return func() *messages.AddonError {
				result, err := addon.NewPreRecorded(request, table).Result(t.Context(), messages.LiveResult{
					Transcription: messages.Transcription{Utterances: []messages.Utterance{utterance("en", word)}},
				})
				if err != nil {
					return remote.Addon(err)
				}
				return result.Summarization.Error
			}
		}
		begin(recorded("alpha"))
		begin(recorded("bravo"))
		begin(func() *messages.AddonError {
			r := messages.LiveResult{Transcription: messages.Transcription{Utterances: []messages.Utterance{utterance("en", "charlie")}}}
			if err := l.Results().Finish(t.Context(), &r, func(messages.Message) error { return nil }); err != nil {
				return remote.Addon(err)
			}
			return r.Summarization.Error
		})
		begin(func() *messages.AddonError {
			said := done(t, l.Steps("00_00000000", utterance("en", "delta"))[0])
			return said.(messages.SentimentAnalysis).Error
		})
		all.Wait()
		if err := c.Close(); err != nil {
			t.Error(err)
		}
		if want := []string{"alpha", "delta", "charlie", "bravo"}; !slices.Equal(m.asked, want) {
			t.Errorf("asked in the order %v, want %v", m.asked, want)
		}
	})
}
