package session

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"steno/messages"
	"steno/session/addon"
	"steno/session/addon/addontest"
	"steno/session/asr"
	"steno/session/asr/scripted"
)

// allAddons is the part of a request that asks for every add-on.
const allAddons = `"realtime_processing":{"named_entity_recognition":true,"sentiment_analysis":true,
	"translation":true,"translation_config":{"target_languages":["fr","de"]}},
	"post_processing":{"summarization":true,"chapterization":true}`

// perFinal are the keys of the messages that follow each final, without the utterance's id.
var perFinal = []string{"translation/%s/fr", "translation/%s/de", "named_entity_recognition/%s",
	"sentiment_analysis/%s"}

// doing returns providers that all call what before they answer; nil answers immediately.
func doing(what func(context.Context) error) addontest.Providers {
	first := func(ctx context.Context) error {
		if what == nil {
			return nil
		}
		return what(ctx)
	}
	return addontest.Providers{
		Runner: addon.Runner{Realtime: 5 * time.Second, PostProcessing: time.Minute},
		Entities: func(ctx context.Context, u messages.Utterance) ([]messages.Entity, error) {
			return []messages.Entity{{EntityType: "WORD", Text: strings.TrimSpace(u.Words[0].Word), Start: u.Start,
				End: u.Words[0].End}}, first(ctx)
		},
		Sentiments: func(ctx context.Context, us []messages.Utterance) (list []messages.Sentiment, err error) {
			for _, u := range us {
				list = append(list, messages.Sentiment{Sentiment: "neutral", Emotion: "calm", Text: u.Text,
					Start: u.Start, End: u.End})
			}
			return list, first(ctx)
		},
		Translate: func(ctx context.Context, us []messages.Utterance, target string,
			_ messages.TranslationConfig) ([]messages.Utterance, error) {
			us = slices.Clone(us)
			for i := range us {
				us[i].Text, us[i].Words, us[i].Language = " "+target+us[i].Text, nil, target
			}
			return us, first(ctx)
		},
		Summarize: func(ctx context.Context, us []messages.Utterance, kind string) (string, error) {
			return fmt.Sprintf("%s of %d", kind, len(us)), first(ctx)
		},
		Chapters: func(ctx context.Context, us []messages.Utterance) ([]messages.Chapter, error) {
			return []messages.Chapter{{Headline: "All", Start: us[0].Start, End: us[len(us)-1].End}}, first(ctx)
		},
	}
}

func fails(context.Context) error { return errors.New("a cause for operators alone") }

func breaks(context.Context) error { panic("add-on") }

func hangs(ctx context.Context) error {
	<-ctx.Done()
	return ctx.Err()
}

// takes returns a function that lasts so long, or until its context is done.
func takes(d time.Duration) func(context.Context) error {
	return func(ctx context.Context) error {
		if !sleep(ctx, d) {
			return ctx.Err()
		}
		return nil
	}
}

func openAddons(t *testing.T, l Ledger, request string, r asr.Recognizer, p addontest.Providers,
	sinks ...Sink) (*Session, error) {
	t.Helper()
	req, problem := messages.ParseLive([]byte(request))
	if problem != nil {
		t.Fatal(problem)
	}
	return Open(context.Background(), Config{
		ID: "S", Request: req, Recognizer: r, Ledger: l, Sinks: sinks, Addons: addon.NewLive(req, p.Table()),
	})
}

// watch is a sink that records the times of events since it was made.
type watch struct {
	eventRecorder
	began time.Time
	times []time.Duration
}

func newWatch() *watch {
	return &watch{eventRecorder: eventRecorder{wants: messages.FilterOf(messages.Kinds()...)}, began: time.Now()}
}

func (w *watch) Send(ev messages.Event) {
	w.eventRecorder.Send(ev)
	w.eventRecorder.mu.Lock()
	defer w.eventRecorder.mu.Unlock()
	w.times = append(w.times, time.Since(w.began))
}

// transcript lists the transcripts with the times of their events, sorted if no order is promised.
func (w *watch) transcript() string {
	type line struct {
		at         time.Duration
		key, words string
	}
	var list []line
	for i, ev := range w.events {
		switch ev.Kind {
		case messages.KindFinal, messages.KindSpeechStart, messages.KindSpeechEnd, messages.KindStopAck:
			_, body, _ := strings.Cut(string(ev.Body), `"type"`)
			list = append(list, line{w.times[i], ev.Key.String(), body})
		}
	}
	slices.SortStableFunc(list, func(a, b line) int { return cmp.Compare(a.at, b.at) })
	return fmt.Sprintln(list)
}

// at returns the time of the event.
func (w *watch) at(key string) time.Duration { return w.times[slices.Index(w.keys(), key)] }

// playWith plays audio as it is spoken, by a recognizer that takes a while, to a session with
// add-ons.
func playWith(t *testing.T, request string, providers addontest.Providers, audio []byte) (*Memory, *watch) {
	var m Memory
	var w *watch
	synctest.Test(t, func(t *testing.T) {
		w = newWatch()
		r := scripted.New(scripted.Config{Delay: 70 * time.Millisecond, Factor: 0.1})
		s, err := openAddons(t, &m, request, r, providers, w)
		if err != nil {
			t.Fatal(err)
		}
		for pcm := range slices.Chunk(audio, s.run.format.TickBytes()*2) {
			write(t, s, pcm)
			time.Sleep(20 * time.Millisecond)
		}
		stopAndWait(t, s)
	})
	return &m, w
}

const twoChannels = `{"channels":2,"endpointing":0.1,`

// Add-ons do not change the text, times or order of transcripts, whether they succeed or fail.
func TestAddonsTouchNoTranscript(t *testing.T) {
	audio := scene(2, 10, 3)
	bare, without := playWith(t, twoChannels[:len(twoChannels)-1]+"}", addontest.Providers{}, audio)
	for name, c := range map[string]struct {
		providers addontest.Providers
		status    int
	}{
		"unavailable": {addontest.Providers{}, 501},
		"failing":     {doing(fails), 500},
		"hanging":     {doing(hangs), 504},
		"breaking":    {doing(breaks), 500},
		"slow":        {doing(takes(4 * time.Second)), 0},
		"quick":       {doing(nil), 0},
	} {
		t.Run(name, func(t *testing.T) {
			m, with := playWith(t, twoChannels+allAddons+"}", c.providers, audio)
			if got, want := with.transcript(), without.transcript(); got != want {
				t.Errorf("got  %s\nwant %s", got, want)
			}
			if got, want := utterancesText(t, m), utterancesText(t, bare); got != want {
				t.Errorf("got  %s\nwant %s", got, want)
			}
			if n := checkFollowing(t, m, c.status); n < 20 {
				t.Errorf("only %d messages wanted: nothing is tested", n)
			}
			checkClosing(t, m, c.status)
		})
	}
}

// statusOf returns the status code of a message's error, 0 without one.
func statusOf(t *testing.T, e messages.Event) int {
	t.Helper()
	var body struct {
		Error *messages.AddonError
		Data  json.RawMessage
	}
	if err := json.Unmarshal(e.Body, &body); err != nil {
		t.Fatal(err)
	}
	if body.Error == nil {
		return 0
	}
	if string(body.Data) != "null" {
		t.Errorf("%s: failed and has data", e.Key)
	}
	if strings.Contains(body.Error.Message, "for operators alone") {
		t.Errorf("%s: tells a cause: %s", e.Key, body.Error.Message)
	}
	return body.Error.StatusCode
}

// checkFollowing checks that each add-on's message about each final is logged once, after the final
// and before the end of the recording, with the status. It returns the number of messages.
func checkFollowing(t *testing.T, m *Memory, status int) (wanted int) {
	t.Helper()
	index := map[string]int{}
	for i, e := range m.events {
		if _, twice := index[e.Key.String()]; twice {
			t.Errorf("%s twice", e.Key)
		}
		index[e.Key.String()] = i
	}
	for key, final := range index {
		id, ok := strings.CutPrefix(key, "final/")
		if !ok {
			continue
		}
		for _, form := range perFinal {
			wanted++
			if status == 501 { // reported once, after the first final
				id, final = "once", 0
			}
			at, ok := index[fmt.Sprintf(form, id)]
			if !ok || at < final || at > index["end_recording"] {
				t.Errorf("%s: at %d, %v; the final is at %d, the end at %d", fmt.Sprintf(form, id), at, ok, final,
					index["end_recording"])
			} else if got := statusOf(t, m.events[at]); got != status {
				t.Errorf("%s: status %d, want %d", m.events[at].Key, got, status)
			}
		}
	}
	return wanted
}

// checkClosing checks the order of the closing messages, and that their wrappers have the status.
func checkClosing(t *testing.T, m *Memory, status int) {
	t.Helper()
	want := []string{"end_recording", "post_transcript", "post_summarization", "post_chapterization",
		"post_final_transcript", "end_session"}
	var got []string
	for _, e := range m.events[len(m.events)-len(want):] {
		if got = append(got, e.Key.String()); e.Kind == messages.KindPostSummarization ||
			e.Kind == messages.KindPostChapterization {
			if s := statusOf(t, e); s != status {
				t.Errorf("%s: status %d, want %d", e.Key, s, status)
			}
		}
	}
	if !slices.Equal(got, want) {
		t.Errorf("the last events are %v, want %v", got, want)
	}
	r := m.Outcome().Result
	for name, w := range map[string]struct {
		success, empty bool
		failed         *messages.AddonError
	}{
		"translation": {r.Translation.Success, r.Translation.IsEmpty, r.Translation.Error},
		"entities": {r.NamedEntityRecognition.Success, r.NamedEntityRecognition.IsEmpty,
			r.NamedEntityRecognition.Error},
		"sentiments":    {r.SentimentAnalysis.Success, r.SentimentAnalysis.IsEmpty, r.SentimentAnalysis.Error},
		"summarization": {r.Summarization.Success, r.Summarization.IsEmpty, r.Summarization.Error},
		"chapters":      {r.Chapterization.Success, r.Chapterization.IsEmpty, r.Chapterization.Error},
	} {
		if w.success != (status == 0) || status == 0 && (w.empty || w.failed != nil) || status != 0 &&
			(w.failed == nil || w.failed.StatusCode != status) {
			t.Errorf("%s: %+v %+v, want status %d", name, w, w.failed, status)
		}
	}
}

// The results of a session equal its messages, in the order of time.
func TestResultsAreWhatTheMessagesSaid(t *testing.T) {
	m, _ := playWith(t, twoChannels+allAddons+"}", doing(takes(time.Second)), scene(2, 10, 3))
	r := m.Outcome().Result
	us := r.Transcription.Utterances
	var moods []messages.Sentiment
	if err := json.Unmarshal([]byte(r.SentimentAnalysis.Results), &moods); err != nil {
		t.Fatal(err)
	}
	if len(r.Translation.Results) != 2 || len(r.NamedEntityRecognition.Results) != len(us) || len(moods) != len(us) {
		t.Fatalf("%d translations, %d entities, %d moods of %d utterances", len(r.Translation.Results),
			len(r.NamedEntityRecognition.Results), len(moods), len(us))
	}
	for i, u := range us {
		if got := r.NamedEntityRecognition.Results[i].Start; got != u.Start {
			t.Errorf("entity %d at %v, want %v", i, got, u.Start)
		}
		if moods[i].Text != u.Text {
			t.Errorf("mood %d of %q, want %q", i, moods[i].Text, u.Text)
		}
	}
	for i, target := range []string{"fr", "de"} {
		got := r.Translation.Results[i]
		if got.Error != nil || !slices.Equal(got.Languages, []string{target}) || len(got.Utterances) != len(us) ||
			got.Utterances[0].Text != " "+target+us[0].Text || !strings.HasPrefix(got.FullTranscript,
			target+us[0].Text) {
			t.Errorf("translation %+v", got)
		}
	}
	if got, want := *r.Summarization.Results, fmt.Sprintf("general of %d", len(us)); got != want {
		t.Errorf("summary %q, want %q", got, want)
	}
	if len(r.Chapterization.Results) != 1 || r.NamedEntityRecognition.ExecTime != float64(len(us)) {
		t.Errorf("chapters %+v, entities took %v s", r.Chapterization.Results, r.NamedEntityRecognition.ExecTime)
	}
}

// If an add-on fails for one utterance, only its own results lack it, and they report so.
func TestOneFailureIsOneFailure(t *testing.T) {
	providers := doing(nil)
	translate := providers.Translate
	providers.Translate = func(ctx context.Context, us []messages.Utterance, target string,
		c messages.TranslationConfig) ([]messages.Utterance, error) {
		if target == "de" && us[0].Start < 3 {
			return nil, nil // one for one was asked for
		}
		return translate(ctx, us, target, c)
	}
	m, _ := playWith(t, twoChannels+allAddons+"}", providers, scene(2, 10, 3))
	r := m.Outcome().Result
	fr, de := r.Translation.Results[0], r.Translation.Results[1]
	all := len(r.Transcription.Utterances)
	if r.Translation.Success || r.Translation.Error == nil || fr.Error != nil || len(fr.Utterances) != all {
		t.Errorf("%+v, french %+v", r.Translation, fr)
	}
	if de.Error == nil || de.Error.StatusCode != 500 || len(de.Utterances) == 0 || len(de.Utterances) >= all {
		t.Errorf("german %+v, of %d utterances", de, all)
	}
	if !r.NamedEntityRecognition.Success || len(r.NamedEntityRecognition.Results) != all {
		t.Errorf("entities %+v", r.NamedEntityRecognition)
	}
}

// In a session without speech no provider is asked, and no result has a failure.
func TestNothingSaidNothingAsked(t *testing.T) {
	for status, providers := range map[int]addontest.Providers{0: doing(breaks), 501: {}} {
		m, _ := playWith(t, `{`+allAddons+`}`, providers, make([]byte, 64000))
		r := m.Outcome().Result
		for name, got := range map[string]*messages.AddonError{
			"translation": r.Translation.Error, "entities": r.NamedEntityRecognition.Error,
			"sentiments":    r.SentimentAnalysis.Error,
			"summarization": r.Summarization.Error, "chapters": r.Chapterization.Error,
		} {
			if (got == nil) != (status == 0) || got != nil && got.StatusCode != status {
				t.Errorf("%s: %+v, want status %d", name, got, status)
			}
		}
		for name, empty := range map[string]bool{
			"translation": r.Translation.IsEmpty, "entities": r.NamedEntityRecognition.IsEmpty,
			"sentiments":    r.SentimentAnalysis.IsEmpty,
			"summarization": r.Summarization.IsEmpty, "chapters": r.Chapterization.IsEmpty,
		} {
			if empty != (status == 0) {
				t.Errorf("%s, status %d: empty %v", name, status, empty)
			}
		}
	}
}

// The end of a session waits for real-time add-ons no longer than twice their timeout after the
// last final, and for all others together no longer than their timeout.
func TestTheEndWaitsForNoMoreThanTheTimeAllowed(t *testing.T) {
	_, w := playWith(t, twoChannels+allAddons+"}", doing(hangs), scene(2, 10, 3))
	var last time.Duration
	for i, ev := range w.events {
		if ev.Kind == messages.KindFinal {
			last = w.times[i]
		}
	}
	if got := w.at("end_recording") - last; got < 5*time.Second || got > 10*time.Second {
		t.Errorf("the end of recording comes %v after the last final", got)
	}
	if got := w.at("post_transcript") - w.at("end_recording"); got != 0 {
		t.Errorf("the transcript comes %v after the end of recording", got)
	}
	if got := w.at("end_session") - w.at("end_recording"); got != time.Minute {
		t.Errorf("the end of the session comes %v after that of the recording", got)
	}
}

// sleep waits, and reports whether it could wait to the end.
func sleep(ctx context.Context, d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-ctx.Done():
		return false
	}
}
