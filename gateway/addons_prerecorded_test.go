package gateway

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"steno/messages"
	"steno/session/addon"
	"steno/session/addon/addontest"
)

// everyAddon is the part of a request that asks for every add-on of a recorded file.
const everyAddon = `"subtitles":true,"subtitles_config":{"formats":["srt","vtt"]},"diarization":true,"summarization":true,"chapterization":true,
	"translation":true,"translation_config":{"target_languages":["fr","de"]},"named_entity_recognition":true,"sentiment_analysis":true,
	"audio_to_llm":true,"audio_to_llm_config":{"prompts":[["Who?"],[{"role":"system","content":"Be short."},"What?"]]},
	"sentences":true,"punctuation_enhanced":true,"name_consistency":true,"display_mode":true,
	"structured_data_extraction":true,"structured_data_extraction_config":{"classes":["people"]}`

// services returns the embedded providers and, for the others, providers that echo their input.
func services() addontest.Providers {
	w := addontest.Embedded()
	w.Translate = func(_ context.Context, us []messages.Utterance, target string,
		_ messages.TranslationConfig) ([]messages.Utterance, error) {
		out := append([]messages.Utterance(nil), us...)
		for i := range out {
			out[i].Language = target
			out[i].Text = " " + target + ":" + out[i].Text
			out[i].Words = []messages.Word{{Word: out[i].Text, Start: out[i].Start, End: out[i].End}}
		}
		return out, nil
	}
	w.Ask = func(_ context.Context, us []messages.Utterance, p messages.Prompt, _ string) (string, error) {
		return p.Text() + " " + messages.FullText(us), nil
	}
	w.StructuredData = func(_ context.Context, us []messages.Utterance, classes []string) (string, error) {
		return fmt.Sprint(classes, messages.FullText(us)), nil
	}
	w.Names = func(_ context.Context, us []messages.Utterance) (string, error) { return messages.FullText(us), nil }
	return w
}

// all returns providers that all do the same.
func all(does func(context.Context) error) addontest.Providers {
	return addontest.Providers{
		Entities: func(ctx context.Context, _ messages.Utterance) ([]messages.Entity, error) {
			return nil,
				does(ctx)
		},
		Sentiments: func(ctx context.Context, _ []messages.Utterance) ([]messages.Sentiment, error) {
			return nil,
				does(ctx)
		},
		Translate: func(ctx context.Context, _ []messages.Utterance, _ string,
			_ messages.TranslationConfig) ([]messages.Utterance, error) {
			return nil, does(ctx)
		},
		Summarize: func(ctx context.Context, _ []messages.Utterance, _ string) (string, error) { return "", does(ctx) },
		Chapters: func(ctx context.Context, _ []messages.Utterance) ([]messages.Chapter, error) {
			return nil,
				does(ctx)
		},
		Ask: func(ctx context.Context, _ []messages.Utterance, _ messages.Prompt, _ string) (string, error) {
			return "", does(ctx)
		},
		StructuredData: func(ctx context.Context, _ []messages.Utterance, _ []string) (string, error) {
			return "",
				does(ctx)
		},
		Names:  func(ctx context.Context, _ []messages.Utterance) (string, error) { return "", does(ctx) },
		Runner: addon.Runner{Realtime: 200 * time.Millisecond, PostProcessing: 200 * time.Millisecond},
	}
}

// addonServer is a test server that recognizes the sentences and has these providers.
func addonServer(t *testing.T, w addontest.Providers, sentences ...string) *testServer {
	t.Helper()
	r := recordedServer(t, nil, func(r *testServer) { r.engines.asr, r.providers = recite(sentences...), w })
	return r
}

// wrappers returns the outcomes of all add-ons of a result, by name.
func wrappers(result messages.PreRecordedResult) map[string]outcome {
	list := map[string]outcome{}
	put(list, "translation", result.Translation)
	put(list, "summarization", result.Summarization)
	put(list, "named_entity_recognition", result.NamedEntityRecognition)
	put(list, "name_consistency", result.NameConsistency)
	put(list, "structured_data_extraction", result.StructuredDataExtraction)
	put(list, "sentiment_analysis", result.SentimentAnalysis)
	put(list, "audio_to_llm", result.AudioToLLM)
	put(list, "sentences", result.Sentences)
	put(list, "display_mode", result.DisplayMode)
	put(list, "chapterization", result.Chapterization)
	return list
}

type outcome struct {
	success, empty bool
	failed         *messages.AddonError
	results        string
}

func put[T any](list map[string]outcome, name string, a *messages.AddonResult[T]) {
	if a == nil {
		list[name] = outcome{results: "missing"}
		return
	}
	text, _ := json.Marshal(a.Results)
	list[name] = outcome{a.Success, a.IsEmpty, a.Error, string(text)}
}

const ada = "My name is Ada Lovelace and I am very happy today."
const bug = "The engine has a terrible bug in London."

func TestRecordedAddons(t *testing.T) {
	r := addonServer(t, services(), ada, bug)
	up := r.uploadFile("a.wav", wavOf(speech(5, 5), 16000, 1))
	result := r.awaitResult(r.createJob(`{"audio_url":"` + up.AudioURL + `","language_config":{"languages":["en"]},` +
		everyAddon + `}`))
	want := map[string]string{
		"translation": "de:", "summarization": "Ada Lovelace", "named_entity_recognition": "London",
		"name_consistency":           "Ada",
		"structured_data_extraction": "[people]", "sentiment_analysis": `negative`,
		"audio_to_llm": "Be short.\\nWhat? ",
		"sentences":    "London", "display_mode": "London", "chapterization": "Ada",
	}
	for name, o := range wrappers(result) {
		if !o.success || o.empty || o.failed != nil || !strings.Contains(o.results, want[name]) {
			t.Errorf("%s: %+v", name, o)
		}
	}
	text := result.Transcription
	if len(text.Subtitles) != 2 || !strings.HasPrefix(text.Subtitles[0].Subtitles, "1\n00:00:") ||
		!strings.HasPrefix(text.Subtitles[1].Subtitles, "WEBVTT") {
		t.Errorf("subtitles %+v", text.Subtitles)
	}
	if len(text.Sentences) != 1 || !text.Sentences[0].Success {
		t.Errorf("sentences %+v", text.Sentences)
	}
	if result.Diarization != nil || text.Utterances[0].Speaker == nil {
		t.Errorf("diarization %+v, first utterance %+v", result.Diarization, text.Utterances[0])
	}
	if got := result.Translation.Results; len(got) != 2 || got[0].Languages[0] != "fr" || len(got[0].Subtitles) != 2 ||
		len(got[1].Sentences) != 1 {
		t.Errorf("translations %+v", got)
	}
}

// Whatever add-ons do, the transcript is complete and the job is done.
func TestRecordedAddonsFailAlone(t *testing.T) {
	for name, c := range map[string]struct {
		providers addontest.Providers
		code      int
	}{
		"not there":  {addontest.Providers{Runner: addon.Runner{PostProcessing: time.Minute}}, 501},
		"fail":       {all(func(context.Context) error { return errors.New("secret cause") }), 500},
		"hang":       {all(func(ctx context.Context) error { <-ctx.Done(); return ctx.Err() }), 504},
		"break down": {all(func(context.Context) error { panic("secret fault") }), 500},
	} {
		t.Run(name, func(t *testing.T) {
			r := addonServer(t, c.providers, ada, bug)
			up := r.uploadFile("a.wav", wavOf(speech(5, 5), 16000, 1))
			id := r.createJob(`{"audio_url":"` + up.AudioURL + `","language_config":{"languages":["en"]},` +
				everyAddon + `}`)
			result := r.awaitResult(id)
			if got := texts(result.Transcription.Utterances); len(got) != 2 ||
				!strings.Contains(strings.ToLower(got[1]), "terrible bug") {
				t.Errorf("transcript %q", got)
			}
			for name, o := range wrappers(result) {
				if name == "sentences" || name == "display_mode" {
					continue // embedded, whatever the providers
				}
				if o.success || o.empty || o.failed == nil || o.failed.StatusCode != c.code {
					t.Errorf("%s: %+v, %+v", name, o, o.failed)
				}
			}
			if bytes.Contains(r.recordedJob(id).Result, []byte("secret")) {
				t.Error("the cause is told to the client")
			}
		})
	}
}

// Words are spelled as the customer wants them before add-ons process them.
func TestRecordedSpellingAndVocabulary(t *testing.T) {
	r := addonServer(t, services(), "we run cooper netties and sequel here")
	up := r.uploadFile("a.wav", wavOf(speech(3, 2), 16000, 1))
	result := r.awaitResult(r.createJob(`{"audio_url":"` + up.AudioURL + `","language_config":{"languages":["en"]},"custom_spelling":true,
		"custom_spelling_config":{"spelling_dictionary":{"SQL":["sequel"]}},"custom_vocabulary":true,
		"custom_vocabulary_config":{"vocabulary":[{"value":"Kubernetes","pronunciations":["cooper netties"]}]},"summarization":true,"subtitles":true}`))
	const want = "we run Kubernetes and SQL here"
	if got := result.Transcription.FullTranscript; got != want {
		t.Errorf("transcript %q, want %q", got, want)
	}
	if s := result.Summarization; s == nil || !strings.Contains(*s.Results, "Kubernetes") {
		t.Errorf("summary %+v", s)
	}
	if s := result.Transcription.Subtitles[0].Subtitles; !strings.Contains(s, "SQL") {
		t.Errorf("subtitles %q", s)
	}
}

func TestRecordedAddonsOfSilence(t *testing.T) {
	r := addonServer(t, services())
	up := r.uploadFile("a.wav", wavOf(make([]byte, 64000), 16000, 1))
	result := r.awaitResult(r.createJob(`{"audio_url":"` + up.AudioURL + `",` + everyAddon + `}`))
	for name, o := range wrappers(result) {
		if name != "audio_to_llm" && name != "structured_data_extraction" && (!o.success || !o.empty || o.failed !=
			nil) { // these have results even of silence
			t.Errorf("%s: %+v", name, o)
		}
	}
	if len(result.Transcription.Subtitles) != 2 {
		t.Errorf("subtitles %+v", result.Transcription.Subtitles)
	}
}

// Redacted text is in no byte that is kept or sent, and in no sample of the recording.
func TestRedactedEverywhere(t *testing.T) {
	t.Parallel()
	receiver := newReceiver(t)
	r := addonServer(t, services(),
		"you can write to john dot smith at example dot com any time",
		"my card is 4111 1111 1111 1111 and my number is four one five five five five zero one nine nine")
	sound := speech(5, 5)
	up := r.uploadFile("a.wav", wavOf(sound, 16000, 1))
	id := r.createJob(`{"audio_url":"` + up.AudioURL + `","language_config":{"languages":["en"]},"pii_redaction":true,
		"pii_redaction_config":{"entity_types":["EMAIL_ADDRESS","CREDIT_CARD","PHONE_NUMBER"]},
		"callback":true,"callback_config":{"url":"` + receiver.url + `"},` + everyAddon + `}`)
	result := r.awaitResult(id)
	sent := receiver.await(t, "transcription.success")
	full := result.Transcription.FullTranscript
	for _, marker := range []string{"[EMAIL_ADDRESS_1]", "[CREDIT_CARD_1]", "[PHONE_NUMBER_1]"} {
		if !strings.Contains(full, marker) {
			t.Errorf("%q lacks %s", full, marker)
		}
	}
	r.checkRedactedCopy(id, sound, result)
	checkError(t, r.do("GET", strings.TrimPrefix(up.AudioURL, r.http.URL), ""), 404, "/file/"+up.AudioMetadata.ID)
	r.stop() // nothing is written any more
	kept := r.allText()
	for i, c := range sent {
		kept[fmt.Sprintf("callback %d", i)] = c.Payload
	}
	for path, content := range kept {
		for _, value := range []string{"smith", "4111 1111", "1111 1111", "4111111111111111", "five five five five",
			"zero one nine nine", "4155550199"} {
			if bytes.Contains(bytes.ToLower(content), []byte(value)) {
				t.Errorf("%s holds %q", path, value)
			}
		}
	}
}

// allText returns each file of the data folder.
func (r *testServer) allText() map[string][]byte {
	r.t.Helper()
	all := map[string][]byte{"log": []byte(r.lines.String())}
	err := filepath.WalkDir(r.dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		content, err := os.ReadFile(path)
		all[path] = content
		return err
	})
	if err != nil || len(all) < 3 {
		r.t.Fatalf("%d files, %v", len(all), err)
	}
	return all
}

// redactedCopy returns the samples of a job's recording, a FLAC file.
func (r *testServer) redactedCopy(id string) []byte {
	r.t.Helper()
	a := r.do("GET", "/v2/pre-recorded/"+id+"/file", "")
	name := a.header.Get("Content-Disposition")
	if kind := a.header.Get("Content-Type"); a.status != 200 || kind != "audio/flac" ||
		!strings.Contains(name, ".flac") {
		r.t.Fatalf("recording: %d, %s, %s, %d bytes", a.status, kind, name, len(a.body))
	}
	path := filepath.Join(r.t.TempDir(), "a.flac")
	if err := os.WriteFile(path, a.body, 0o600); err != nil {
		r.t.Fatal(err)
	}
	s, err := r.media.Open(r.t.Context(), path)
	if err != nil {
		r.t.Fatal(err)
	}
	defer s.Close()
	if job := r.recordedJob(id); s.Info().Seconds != *job.File.AudioDuration || !strings.HasSuffix(*job.File.Filename,
		".flac") {
		r.t.Errorf("found %+v, file %+v", s.Info(), job.File)
	}
	samples, err := io.ReadAll(s)
	if err != nil {
		r.t.Fatal(err)
	}
	return samples
}

// A redacted recording is no larger than one of its length may be, whatever its original format.
func TestRedactedCopySize(t *testing.T) {
	r := addonServer(t, services(), "my card is 4111 1111 1111 1111")
	sound := append(speech(5, 5), make([]byte, 60*32000)...)
	flac := encode(t, wavOf(sound, 16000, 1), "a.flac")
	id := r.createJob(`{"audio_url":"` + r.uploadFile("a.flac", flac).AudioURL + `","language_config":{"languages":["en"]},"pii_redaction":true,
		"pii_redaction_config":{"entity_types":["CREDIT_CARD"]}}`)
	r.checkRedactedCopy(id, sound, r.awaitResult(id))
	if a := r.do("GET", "/v2/pre-recorded/"+id+"/file", ""); len(a.body) > 2*len(flac) {
		t.Errorf("%d bytes of FLAC became %d", len(flac), len(a.body))
	}
}

// checkRedactedCopy compares the job's recording with the markers of its transcript: silent there,
// unchanged elsewhere.
func (r *testServer) checkRedactedCopy(id string, sound []byte, result messages.PreRecordedResult) {
	r.t.Helper()
	silenced := r.redactedCopy(id)
	if len(silenced) != len(sound) {
		r.t.Fatalf("recording: %d bytes, want %d", len(silenced), len(sound))
	}
	hidden, near := make([]bool, len(sound)/2), make([]bool, len(sound)/2)
	for _, u := range result.Transcription.Utterances {
		for _, w := range u.Words {
			if strings.Contains(w.Word, "[") {
				for i := int(w.Start * 16000); i <= int(w.End*16000) && i < len(hidden); i++ {
					hidden[i] = true
				}
				for i := max(0, int((w.Start-0.06)*16000)); i <= int((w.End+0.06)*16000) && i < len(near); i++ {
					near[i] = true
				}
			}
		}
	}
	for i := range hidden {
		got, was := silenced[2*i:2*i+2], sound[2*i:2*i+2]
		if hidden[i] && (got[0] != 0 || got[1] != 0) || !near[i] && !bytes.Equal(got, was) {
			r.t.Fatalf("sample %d, hidden %v: %v, was %v", i, hidden[i], got, was)
		}
	}
}
