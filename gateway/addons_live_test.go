package gateway

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"steno/gateway/callbacks"
	"steno/messages"
	"steno/session/addon/addontest"
	"steno/session/addon/remote"
)

// sessionOutput is the output of a session with add-ons: on its socket, to its callback, and the
// result in its record.
type sessionOutput struct {
	frames    []frame
	callbacks []callback
	result    messages.LiveResult
}

// playAddons plays a session that asks for all add-ons.
func playAddons(t *testing.T, providers addontest.Providers, text ...string) sessionOutput {
	t.Helper()
	r, receiver := callbackServer(t), newReceiver(t)
	r.providers, r.engines.asr = providers, recite(text...)
	r.restart()
	id, url := r.create(`{"endpointing":0.3,"maximum_duration_without_endpointing":60,"language_config":{"languages":["en"]},
		"realtime_processing":{"named_entity_recognition":true,"sentiment_analysis":true,
			"translation":true,"translation_config":{"target_languages":["fr"]}},
		"post_processing":{"summarization":true,"summarization_config":{"type":"concise"},"chapterization":true},
		"callback":true,"callback_config":{"url":"` + receiver.url + `"}}`)
	c := call(t, url).mustConnect()
	for i := range text {
		if err := c.send(append(speech(2.2, uint64(i)), make([]byte, 32000)...)); err != nil {
			t.Fatal(err)
		}
		left := map[string]int{} // a step that waits for one that hangs might be refused: none has to wait
		for _, k := range realtimeKinds {
			left[k.String()] = i + 1
		}
		c.await("messages of add-ons", func(f frame) bool {
			if left[f.Type]--; left[f.Type] <= 0 || isUnavailable(f) {
				delete(left, f.Type)
			}
			return len(left) == 0
		})
	}
	if err := c.stop(); err != nil {
		t.Fatal(err)
	}
	if code := c.end(); code != 1000 {
		t.Fatalf("closed with %d", code)
	}
	h := sessionOutput{c.all(), receiver.await(t, callbacks.EndSession), r.result(id)}
	if job := r.job(id); job.Status != messages.StatusDone {
		t.Errorf("job %+v", job)
	}
	h.check(t)
	return h
}

// isUnavailable reports whether a frame states, once for all finals, that an add-on is unavailable.
func isUnavailable(f frame) bool { return strings.Contains(f.text, `"exception":"AddonUnavailable"`) }

var realtimeKinds = []messages.Kind{messages.KindTranslation, messages.KindNamedEntityRecognition,
	messages.KindSentimentAnalysis}

var addonKinds = slices.Concat(realtimeKinds, []messages.Kind{messages.KindPostSummarization,
	messages.KindPostChapterization})

// check checks that each message of an add-on is the same everywhere: as many real-time ones as
// finals, unless the add-on is unavailable, and each of the others once.
func (h sessionOutput) check(t *testing.T) {
	t.Helper()
	finals := len(h.finals())
	if finals < 3 {
		t.Fatalf("%d finals: nothing is tested", finals)
	}
	for _, k := range addonKinds {
		want := 1
		sent := h.of(k)
		if slices.Contains(realtimeKinds, k) && !slices.ContainsFunc(sent, isUnavailable) {
			want = finals
		}
		var called, kept []string
		for _, c := range h.callbacks {
			if c.Event == "live."+k.String() {
				called = append(called, string(c.Payload))
			}
		}
		for _, text := range h.result.Messages {
			if parseFrame(t, text).Type == k.String() {
				kept = append(kept, text)
			}
		}
		var texts []string
		for _, f := range sent {
			texts = append(texts, f.text)
		}
		if len(texts) != want || !slices.Equal(texts, called) || !slices.Equal(texts, kept) {
			t.Errorf("%s: want %d, sent %v, called back %v, kept %v", k, want, texts, called, kept)
		}
	}
	types := h.types()
	closing := []string{"post_transcript", "post_summarization", "post_chapterization", "post_final_transcript"}
	if !slices.Equal(types[len(types)-len(closing):], closing) {
		t.Errorf("the socket ends with %v", types)
	}
}

func (h sessionOutput) types() (list []string) {
	for _, f := range h.frames {
		list = append(list, f.Type)
	}
	return list
}

func (h sessionOutput) finals() (list []frame) {
	return slices.DeleteFunc(slices.Clone(h.frames), func(f frame) bool { return f.final() == "" })
}

func (h sessionOutput) of(k messages.Kind) []frame {
	return slices.DeleteFunc(slices.Clone(h.frames), func(f frame) bool { return f.Type != k.String() })
}

// data returns the data of a frame.
func data[T any](t *testing.T, f frame) T {
	t.Helper()
	var d T
	if err := json.Unmarshal(f.Data, &d); err != nil {
		t.Fatalf("%s: %v", f.text, err)
	}
	return d
}

// With embedded providers only, names, moods, a summary and chapters are sent to the socket and the
// callback, and are in the record; only translation is unavailable.
func TestEmbeddedAddonsLive(t *testing.T) {
	h := playAddons(t, addontest.Embedded(),
		"My name is Sasha Miller and I live in Berlin.",
		"I love this wonderful phone, it makes me so happy.",
		"The delivery was terrible and I hate waiting for it.")
	var named, moods []string
	for _, f := range h.of(messages.KindNamedEntityRecognition) {
		d := data[struct {
			UtteranceID string `json:"utterance_id"`
			Results     []messages.Entity
		}](t, f)
		if d.UtteranceID == "" {
			t.Errorf("no id: %s", f.text)
		}
		for _, e := range d.Results {
			named = append(named, e.Text)
		}
	}
	for _, f := range h.of(messages.KindSentimentAnalysis) {
		for _, s := range data[struct{ Results []messages.Sentiment }](t, f).Results {
			moods = append(moods, s.Sentiment)
		}
	}
	if all := strings.Join(named, "|"); !strings.Contains(all, "Sasha") || !strings.Contains(all, "Berlin") {
		t.Errorf("named %q", all)
	}
	if !slices.Contains(moods, "positive") || !slices.Contains(moods, "negative") {
		t.Errorf("moods %v", moods)
	}
	summary := data[struct{ Results string }](t, h.of(messages.KindPostSummarization)[0]).Results
	chapters := data[struct{ Results []messages.Chapter }](t, h.of(messages.KindPostChapterization)[0]).Results
	if summary == "" || !strings.Contains(h.result.Transcription.FullTranscript, strings.TrimRight(summary, ".")) {
		t.Errorf("summary %q of %q", summary, h.result.Transcription.FullTranscript)
	}
	if len(chapters) == 0 || chapters[0].Headline == "" || len(chapters[0].Sentences) == 0 {
		t.Errorf("chapters %+v", chapters)
	}

	r := h.result
	var kept []messages.Sentiment
	if err := json.Unmarshal([]byte(r.SentimentAnalysis.Results), &kept); err != nil || len(kept) != len(moods) ||
		!r.SentimentAnalysis.Success {
		t.Errorf("sentiment_analysis %+v (%v)", r.SentimentAnalysis, err)
	}
	if w := r.NamedEntityRecognition; !w.Success || w.Error != nil || len(w.Results) != len(named) {
		t.Errorf("named_entity_recognition %+v", w)
	}
	if w := r.Summarization; !w.Success || w.IsEmpty || *w.Results != summary {
		t.Errorf("summarization %+v", w)
	}
	if w := r.Chapterization; !w.Success || w.IsEmpty || len(w.Results) != len(chapters) {
		t.Errorf("chapterization %+v", w)
	}
	if w := r.Translation; w.Success || w.Error.StatusCode != 501 {
		t.Errorf("translation %+v", w)
	}
}

// answering returns providers that call do and then answer, with nothing if empty is set.
func answering(empty bool, first func(context.Context) error) addontest.Providers {
	var w addontest.Providers
	w.Entities = func(ctx context.Context, u messages.Utterance) ([]messages.Entity, error) {
		if empty {
			return nil, first(ctx)
		}
		return []messages.Entity{{EntityType: "NAME", Text: "Ada"}}, first(ctx)
	}
	w.Sentiments = func(ctx context.Context, _ []messages.Utterance) ([]messages.Sentiment, error) {
		if empty {
			return nil, first(ctx)
		}
		return []messages.Sentiment{{Sentiment: "mixed", Emotion: "calm"}}, first(ctx)
	}
	w.Translate = func(ctx context.Context, us []messages.Utterance, target string,
		_ messages.TranslationConfig) ([]messages.Utterance, error) {
		u := messages.Utterance{Language: target}
		if !empty {
			u.Text = " oui"
		}
		return []messages.Utterance{u}, first(ctx)
	}
	w.Summarize = func(ctx context.Context, _ []messages.Utterance, kind string) (string, error) {
		if empty {
			return "", first(ctx)
		}
		return "a " + kind + " one", first(ctx)
	}
	w.Chapters = func(ctx context.Context, _ []messages.Utterance) ([]messages.Chapter, error) {
		if empty {
			return nil, first(ctx)
		}
		return []messages.Chapter{{Headline: "All"}}, first(ctx)
	}
	return w
}

// liveWrappers returns the outcomes of all add-ons of a result, by name.
func liveWrappers(r messages.LiveResult) map[string]outcome {
	list := map[string]outcome{}
	put(list, "translation", r.Translation)
	put(list, "named_entity_recognition", r.NamedEntityRecognition)
	put(list, "sentiment_analysis", r.SentimentAnalysis)
	put(list, "summarization", r.Summarization)
	put(list, "chapterization", r.Chapterization)
	return list
}

// Whatever the outcome of an add-on, its messages and its wrapper agree on it, and the rest of the
// session is unaffected.
func TestOutcomesOfLiveAddons(t *testing.T) {
	done := func(context.Context) error { return nil }
	hangs := answering(false, func(ctx context.Context) error { <-ctx.Done(); return ctx.Err() })
	hangs.Realtime, hangs.PostProcessing = 500*time.Millisecond, 500*time.Millisecond
	for name, c := range map[string]struct {
		providers addontest.Providers
		status    int
		says      string // in each add-on's message
		empty     bool
	}{
		"success": {answering(false, done), 0, `"error":null`, false},
		"empty":   {answering(true, done), 0, `"error":null`, true},
		"failure": {answering(false, func(context.Context) error {
			return remote.NewError(502, "ServiceAway", "The service is away", errors.New("secret"))
		}), 502, `"error":{"status_code":502,"exception":"ServiceAway","message":"The service is away"}`, true},
		"time-out": {hangs, 504, `"exception":"Timeout"`, true},
		"break-down": {answering(false, func(context.Context) error { panic("secret") }), 500,
			`"exception":"AddonFailed"`, true},
		"none": {addontest.Providers{}, 501, `"exception":"AddonUnavailable"`, true},
	} {
		t.Run(name, func(t *testing.T) {
			h := playAddons(t, c.providers, "Good morning.", "How are you?", "Fine.")
			for _, k := range addonKinds {
				for _, f := range h.of(k) {
					if !strings.Contains(f.text, c.says) || strings.Contains(f.text, "secret") ||
						(string(f.Data) == "null") != (c.status != 0) {
						t.Errorf("%s says %s", k, f.text)
					}
				}
			}
			for name, w := range liveWrappers(h.result) {
				status := 0
				if w.failed != nil {
					status = w.failed.StatusCode
				}
				if status != c.status || w.success != (c.status == 0) || w.empty != (c.empty && c.status == 0) &&
					name != "translation" {
					t.Errorf("%s: %+v, status %d, want %d", name, w, status, c.status)
				}
			}
			if got := h.result.Transcription.FullTranscript; got != "Good morning. How are you? Fine." {
				t.Errorf("transcript %q", got)
			}
		})
	}
}
