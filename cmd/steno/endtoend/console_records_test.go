package endtoend_test

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"steno/loadtest"
	"steno/messages"
	"steno/session/store"
	"steno/session/store/embedded"
)

// testConsoleRecords looks at records and running sessions from a browser: it searches, plays,
// seeks by pressing a word, finds, downloads, follows a session that began elsewhere, and opens a
// record of three hours. See records.mjs.
func testConsoleRecords(t *testing.T, browser string) {
	g := gatewayToBe(t, build(t), "scripted")
	ids := seedRecords(t, g.data)
	if err := g.start(); err != nil {
		t.Fatal(err)
	}
	var answer struct{ FirstPaint, Words, Memory float64 }
	runScript(t, consoleFolder, "node", "testdata/records.mjs", map[string]any{
		"browser": browser, "base": belowPath(t, g) + "/speech", "key": testKey, "ids": ids,
		"report": reportForConsole(t), "audio": babble(t).wav(t),
	}, &answer)
	if answer.Memory > 150 {
		t.Errorf("the page takes %.0f MB", answer.Memory)
	}
	t.Logf("a record of three hours: first paint after %.0f ms, words after %.0f ms, %.0f MB", answer.FirstPaint,
		answer.Words, answer.Memory)
}

// The records of the console's tests.
const (
	longUtterances = 5000
	longSeconds    = 3 * 3600
	muLawRate      = 8000
)

var briefing = []struct {
	speaker int
	text    string
}{
	{0, "Good morning, and thank you for being so early."},
	{0, "From Monday the first tram leaves the depot at five past six."},
	{1, "Is that because of the works in Linden Street?"},
	{0, "It is. The track there is closed until the twelfth of March."},
	{2, "Then passengers will wait in the rain, and they will tell us about it."},
	{0, "They will, so tell them before they ask."},
	{1, "Where do the spare drivers wait?"},
	{0, "In the office at the east gate. Ivana has the key, and there is a second one at the desk."},
	{2, "That is much better than last winter."},
	{0, "If somebody is ill, ring the duty line on five five five, oh one seven two."},
	{1, "And who does the ringing?"},
	{0, "Whoever notices it first. Thank you, that is all for today."},
}

// seedRecords fills a folder with records and returns their ids by name.
func seedRecords(t *testing.T, folder string) map[string]string {
	t.Helper()
	s, err := embedded.Open(t.Context(), folder)
	if err != nil {
		t.Fatal(err)
	}
	seed := seeder{t, s, time.Now().UTC().Add(-time.Hour).Truncate(time.Millisecond)}
	ids := map[string]string{"long": seed.long(), "silent": seed.silent(), "failed": seed.failed(),
		"briefing": seed.briefing()}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	return ids
}

// seeder makes records, each a minute newer than the one before.
type seeder struct {
	t     *testing.T
	store *embedded.Store
	at    time.Time
}

// keep keeps a live session with its audio and its result.
func (s *seeder) keep(record store.Record, audio func(store.Live), o store.Outcome) string {
	s.t.Helper()
	ctx := s.t.Context()
	s.at = s.at.Add(time.Minute)
	record.ID, record.Account, record.Kind, record.Status = uuid.NewString(), "default", messages.JobLive,
		messages.StatusProcessing
	record.Version, record.CreatedAt, record.PostSessionMetadata = messages.Version, s.at, json.RawMessage("{}")
	if err := s.store.Create(ctx, record); err != nil {
		s.t.Fatal(err)
	}
	live, err := s.store.Claim(ctx, record.ID, store.IfFree)
	if err != nil {
		s.t.Fatal(err)
	}
	audio(live)
	if err := live.Finish(ctx, o); err != nil {
		s.t.Fatal(err)
	}
	if err := live.Release(0); err != nil {
		s.t.Fatal(err)
	}
	return record.ID
}

// speak appends audio in mu-law: a tone that swells within each utterance, and silence between
// them.
func speak(t *testing.T, us []messages.Utterance, seconds float64) func(store.Live) {
	return func(live store.Live) {
		audio := make([]byte, int(seconds*muLawRate))
		for i := range audio {
			audio[i] = 0xff // silence
		}
		for n, u := range us {
			from, to := int(u.Start*muLawRate), min(int(u.End*muLawRate), len(audio))
			for i := from; i < to; i++ {
				phase := float64(i-from) / muLawRate
				swell := math.Abs(math.Sin(phase*4+float64(n))) * (0.4 + 0.6*math.Abs(math.Sin(phase*1.7+float64(n%7))))
				step := byte(112 - swell*96) // logarithmic: the quietest step is 127
				if i/20%2 == 0 {
					step |= 0x80
				}
				audio[i] = step
			}
		}
		const piece = 1 << 20
		for ; len(audio) > 0; audio = audio[min(len(audio), piece):] {
			if err := live.AppendAudio(context.Background(), audio[:min(len(audio), piece)]); err != nil {
				t.Fatal(err)
			}
		}
	}
}

func marshal(t *testing.T, v any) json.RawMessage {
	t.Helper()
	text, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// muLawParams is the request of a session of the tests.
const muLawParams = `{"encoding":"wav/ulaw","bit_depth":8,"sample_rate":8000,"channels":1,"model":"stt-1","callback":true,"callback_config":{"url":"http://127.0.0.1:9/hooks/depot"}}`

// spokenAt is an utterance that begins at a time and takes 0.32 s for each word.
func spokenAt(from float64, speaker int, text string) messages.Utterance {
	words := strings.Fields(text)
	u := messages.Utterance{Start: from, End: from + 0.32*float64(len(words)), Text: " " + text, Language: "en",
		Speaker: &speaker, Confidence: 0.9}
	u.Words = u.TimedWords()
	for i := range u.Words {
		u.Words[i].Confidence = 0.95
	}
	return u
}

func (s *seeder) briefing() string {
	s.t.Helper()
	var result messages.LiveResult
	var translated []messages.Utterance
	at := 0.4
	for i, line := range briefing {
		u := spokenAt(at, line.speaker, line.text)
		if i == 8 {
			u.Words[3].Confidence = 0.52
		}
		result.Transcription.Utterances = append(result.Transcription.Utterances, u)
		if i != 9 {
			other := u
			other.Text, other.Language, other.Words = " "+french[i], "fr", nil
			translated = append(translated, other)
		}
		at = u.End + 0.6
	}
	us := result.Transcription.Utterances
	result.Metadata = messages.Metadata{AudioDuration: at, NumberOfDistinctChannels: 1}
	result.Transcription.Languages, result.Transcription.FullTranscript = []string{"en"}, messages.FullText(us)
	result.Translation = &messages.AddonResult[messages.List[messages.TranslationResult]]{Results: messages.List[messages.TranslationResult]{
		{Languages: []string{"fr"}, Utterances: translated, FullTranscript: messages.FullText(translated)},
	}, Error: &messages.AddonError{StatusCode: 504, Exception: "Timeout",
		Message: "One sentence took the translator longer than 5 s"}}
	summary := "From Monday the first tram leaves at five past six, because the track in Linden Street is closed until the twelfth. Spare drivers wait at the east gate. Whoever notices that somebody is ill rings the duty line."
	result.Summarization = &messages.AddonResult[*string]{Success: true, Results: &summary}
	chapter := func(headline, text string, first, last int) messages.Chapter {
		return messages.Chapter{Headline: headline, Gist: headline, Summary: text, Start: us[first].Start,
			End: us[last].End}
	}
	result.Chapterization = &messages.AddonResult[messages.List[messages.Chapter]]{Success: true,
		Results: messages.List[messages.Chapter]{
			chapter("An earlier tram", "Why the first tram leaves at five past six, and until when.", 0, 5),
			chapter("Where spare drivers wait", "The office at the east gate, and who has keys.", 6, 8),
			chapter("When somebody is ill", "The number of the duty line, and who rings it.", 9, 11),
		}}
	result.NamedEntityRecognition = &messages.AddonResult[messages.List[messages.Entity]]{Success: true,
		Results: entitiesOf(us, map[string]string{
			"Monday": "DATE", "five past six.": "TIME", "Linden Street?": "LOCATION", "the twelfth of March.": "DATE",
			"Ivana":                             "NAME_GIVEN",
			"five five five, oh one seven two.": "PHONE_NUMBER", "east gate.": "LOCATION",
		})}
	var moods []messages.Sentiment
	for i, u := range us {
		m := messages.Sentiment{Sentiment: "neutral", Emotion: "neutral", Text: u.Text, Start: u.Start, End: u.End}
		switch i {
		case 0, 11:
			m.Sentiment, m.Emotion = "positive", "grateful"
		case 4:
			m.Sentiment, m.Emotion = "negative", "frustrated"
		}
		moods = append(moods, m)
	}
	result.SentimentAnalysis = &messages.AddonResult[string]{Success: true, Results: string(marshal(s.t, moods))}
	id := s.keep(store.Record{
		Params: json.RawMessage(muLawParams), Channels: 1,
		CustomMetadata: json.RawMessage(`{"title":"Morning round, tram depot","team":"depot"}`),
	}, speak(s.t, us, at), store.Outcome{Result: marshal(s.t, result), Seconds: at})
	s.callbacks(id)
	return id
}

var french = []string{
	"Bonjour, et merci d’être venus si tôt.", "À partir de lundi, le premier tram quitte le dépôt à six heures cinq.",
	"Est-ce à cause des travaux de la rue des Tilleuls ?",
	"Oui. La voie y est fermée jusqu’au douze mars.",
	"Alors les voyageurs attendront sous la pluie, et ils nous le diront.",
	"Oui, alors dites-le-leur avant qu’ils ne demandent.",
	"Où attendent les conducteurs de réserve ?",
	"Au bureau de la porte est. Ivana a la clé, et il y en a une autre à l’accueil.",
	"C’est bien mieux que l’hiver dernier.", "",
	"Et qui téléphone ?", "Celui qui le remarque le premier. Merci, c’est tout pour aujourd’hui.",
}

// entitiesOf finds phrases in utterances.
func entitiesOf(us []messages.Utterance, types map[string]string) (list messages.List[messages.Entity]) {
	for phrase, kind := range types {
		want := strings.Fields(phrase)
		for _, u := range us {
			for i := range u.Words {
				if i+len(want) > len(u.Words) || messages.TextOf(u.Words[i:i+len(want)]) != " "+phrase {
					continue
				}
				list = append(list, messages.Entity{
					EntityType: kind, Text: strings.TrimRight(phrase, ".?,"), Start: u.Words[i].Start,
					End: u.Words[i+len(want)-1].End,
				})
			}
		}
	}
	return list
}

// callbacks enqueues callbacks of a job, of which one is dead and one has arrived.
func (s *seeder) callbacks(id string) {
	ctx := s.t.Context()
	var list []store.Delivery
	for i, event := range []string{"live.end_recording", "live.post_transcript", "live.post_summarization",
		"live.end_session"} {
		list = append(list, store.Delivery{
			Account: "default", Job: id, Seq: int64(i + 1), Event: event,
			URL: "http://127.0.0.1:9/hooks/depot?token=hidden", Method: "POST", Body: []byte("{}"),
		})
	}
	if err := s.store.Enqueue(ctx, list...); err != nil {
		s.t.Fatal(err)
	}
	for i := range 2 {
		claimed, err := s.store.ClaimDeliveries(ctx, time.Minute, 1)
		if err != nil || len(claimed) != 1 {
			s.t.Fatal(claimed, err)
		}
		if i == 0 {
			err = s.store.Sent(ctx, claimed[0])
		} else {
			err = s.store.Dead(ctx, claimed[0], 410, "answer 410 Gone")
		}
		if err != nil {
			s.t.Fatal(err)
		}
	}
}

func (s *seeder) silent() string {
	s.t.Helper()
	result := messages.LiveResult{Metadata: messages.Metadata{AudioDuration: 200, NumberOfDistinctChannels: 1}}
	return s.keep(store.Record{
		Params: json.RawMessage(muLawParams), Channels: 1,
		CustomMetadata: json.RawMessage(`{"title":"Platform north, night"}`),
	}, speak(s.t, nil, 200), store.Outcome{Result: marshal(s.t, result), Seconds: 200})
}

func (s *seeder) failed() string {
	s.t.Helper()
	us := []messages.Utterance{spokenAt(1, 0, "Unit four, please repeat the house number.")}
	result := messages.LiveResult{Metadata: messages.Metadata{AudioDuration: 9, NumberOfDistinctChannels: 1}}
	result.Transcription.Utterances, result.Transcription.Languages = us, []string{"en"}
	return s.keep(store.Record{
		Params: json.RawMessage(muLawParams), Channels: 1,
		CustomMetadata: json.RawMessage(`{"title":"Dispatch, channel 2"}`),
	}, speak(s.t, us, 9), store.Outcome{Result: marshal(s.t, result), Seconds: 9, ErrorCode: 503,
		Message: "no engine was there for 30 s"})
}

// long makes a record of three hours.
func (s *seeder) long() string {
	s.t.Helper()
	vocabulary := strings.Fields("the council met again about water roads trees and money while outside children played near river boats that carried salt grain wool letters from towns further north where winter lasts longer than people like")
	var us []messages.Utterance
	each := float64(longSeconds) / longUtterances
	for i := range longUtterances {
		words := make([]string, 3+i*7%4)
		for j := range words {
			words[j] = vocabulary[(i*31+j*17)%len(vocabulary)]
		}
		if i == 4321 {
			words[1] = "zeppelin"
		}
		us = append(us, spokenAt(float64(i)*each+0.1, i/3%4, fmt.Sprintf("%s.", strings.Join(words, " "))))
	}
	result := messages.LiveResult{Metadata: messages.Metadata{AudioDuration: longSeconds, NumberOfDistinctChannels: 1}}
	result.Transcription.Utterances, result.Transcription.Languages = us, []string{"en"}
	return s.keep(store.Record{
		Params: json.RawMessage(muLawParams), Channels: 1,
		CustomMetadata: json.RawMessage(`{"title":"Council, all of Tuesday"}`),
	}, speak(s.t, us, longSeconds), store.Outcome{Result: marshal(s.t, result), Seconds: longSeconds})
}

// reportForConsole is the file of a report of the load generator: a search for capacity.
func reportForConsole(t *testing.T) string {
	t.Helper()
	delay := func(p50 float64) loadtest.Delay {
		return loadtest.Delay{Count: 900, P50: p50, P90: 1.3 * p50, P95: 1.45 * p50, P99: 1.8 * p50, P999: 2.2 * p50,
			Max: 2.5 * p50}
	}
	trial := func(kind string, sessions int, final float64) loadtest.Trial {
		return loadtest.Trial{
			Kind: kind, Sessions: sessions, Seconds: 10, Kept: final < 0.5, Ack: delay(0.004 + float64(sessions)/4000),
			Partial: delay(final / 2), Final: delay(final),
			Generator: loadtest.Generator{Processors: 2, Used: float64(sessions) / 90, Lag: 0.0012},
		}
	}
	r := loadtest.Report{
		Format: 1, Started: time.Now().Add(-time.Hour), Sessions: 18, Audio: 1080, Chunk: 0.1, Wall: 61,
		Load: loadtest.Load{URL: "https://speech.example", Recordings: 12, Audio: "wav/pcm 16 bit 16000 Hz 1 ch",
			Seed: 1},
		Delays: loadtest.Delays{Ack: delay(0.009), Partial: delay(0.19), Final: delay(0.41),
			FirstPartial: delay(0.3), Connect: delay(0.002)},
		Generator: loadtest.Generator{Processors: 2, Used: 0.2, Lag: 0.0012},
		Objectives: []loadtest.Outcome{{Objective: loadtest.Objective{Measure: "final", Quantile: "p95", Limit: 0.8},
			Value: 0.59, Count: 900, Kept: true}},
		Capacity: &loadtest.Capacity{Sessions: 18, Step: 1, Limit: 20, Wall: 640, Trials: []loadtest.Trial{
			trial("warm-up", 1, 0.2), trial("double", 2, 0.22), trial("double", 4, 0.23), trial("double", 8, 0.26),
			trial("double", 16, 0.36),
			trial("double", 32, 2.4), trial("bisect", 24, 1.1), trial("confirm", 18, 0.41), trial("limit", 20, 0.72),
		}},
	}
	for i := range 30 {
		r.Series = append(r.Series, loadtest.Point{At: float64(2 * i), Sessions: 18, Ack: 0.01, Partial: 0.25,
			Final50: 0.38, Final: 0.5 + 0.05*float64(i%3)})
	}
	path := filepath.Join(t.TempDir(), "capacity.json")
	if err := os.WriteFile(path, marshal(t, r), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}
