package session

import (
	"context"
	"fmt"
	"regexp"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"pgregory.net/rapid"

	"steno/session/asr"
	"steno/session/asr/scripted"
)

// multilingualRecognizer is a recognizer that chooses the language of an utterance by its length if
// its params list several, and whose words show its params.
type multilingualRecognizer struct{ asr.Recognizer }

func (p multilingualRecognizer) Open(ctx context.Context, params asr.Params) (asr.Stream, error) {
	u, err := p.Recognizer.Open(ctx, params)
	if err != nil || len(params.Languages) == 0 && params.Language == "" {
		return u, err
	}
	return &multilingualStream{Stream: u, params: params}, nil
}

type multilingualStream struct {
	asr.Stream
	params  asr.Params
	samples atomic.Int64
}

func (s *multilingualStream) Write(samples []int16) error {
	s.samples.Add(int64(len(samples)))
	return s.Stream.Write(samples)
}

func (s *multilingualStream) Recv() (asr.Result, error) {
	r, err := s.Stream.Recv()
	if err == nil && r.Final && s.params.Language == "" {
		r.Language = s.params.Languages[s.samples.Load()/160%int64(len(s.params.Languages))]
		for i := range r.Words {
			r.Words[i].Text = "found-" + r.Language + "-" + r.Words[i].Text
		}
	}
	return r, err
}

// languagesOf lists the languages of the finals; a "?" marks those that the recognizer found.
func languagesOf(t *testing.T, m *Memory) (list []string) {
	t.Helper()
	o := m.Outcome()
	if o == nil {
		t.Fatal("no outcome")
	}
	for _, u := range o.Result.Transcription.Utterances {
		if strings.HasPrefix(u.Text, " found-"+u.Language) {
			u.Language += "?"
		}
		list = append(list, u.Language)
	}
	return list
}

const fourLanguages = `"languages":["en","de","fr","es"]`

func TestTheLanguageIsFoundOnceAndKept(t *testing.T) {
	audio := scene(1, 12, 4)
	got := languagesOf(t, playReplay(t, `{"endpointing":0.05,"language_config":{`+fourLanguages+`}}`, audio))
	if len(got) < 3 || !strings.HasSuffix(got[0], "?") {
		t.Fatalf("languages %v, want the first to be found", got)
	}
	for _, l := range got[1:] {
		if l+"?" != got[0] {
			t.Errorf("languages %v, want the first one kept", got)
		}
	}
}

func TestCodeSwitchingFindsEach(t *testing.T) {
	got := languagesOf(t, playReplay(t, `{"endpointing":0.05,"language_config":{"code_switching":true,`+fourLanguages+
		`}}`, scene(1, 20, 4)))
	seen := map[string]bool{}
	for _, l := range got {
		seen[l] = true
		if !strings.HasSuffix(l, "?") {
			t.Errorf("languages %v, want each to be found", got)
		}
	}
	if len(seen) < 2 {
		t.Errorf("languages %v: only one was ever found, nothing is tested", got)
	}
}

func TestOneLanguageIsTold(t *testing.T) {
	for _, l := range languagesOf(t, playReplay(t, `{"language_config":{"languages":["de"],"code_switching":true}}`,
		scene(1, 6, 4))) {
		if l != "de" {
			t.Errorf("language %q, want de", l)
		}
	}
}

// fixedLanguageRecognizer is a recognizer whose results are in Klingon, whatever language is
// requested.
type fixedLanguageRecognizer struct{ asr.Recognizer }

func (s fixedLanguageRecognizer) Open(ctx context.Context, p asr.Params) (asr.Stream, error) {
	u, err := s.Recognizer.Open(ctx, p)
	return fixedLanguageStream{u}, err
}

type fixedLanguageStream struct{ asr.Stream }

func (k fixedLanguageStream) Recv() (asr.Result, error) {
	r, err := k.Stream.Recv()
	r.Language = "tlh"
	return r, err
}

func TestTheOnlyLanguageIsUsed(t *testing.T) {
	for languages, want := range map[string]string{`["es"]`: "es", `["es","de"]`: "tlh", `[]`: "tlh"} {
		for _, switching := range []bool{false, true} {
			var m Memory
			s := openWith(t, &m,
				fmt.Sprintf(`{"endpointing":0.3,"language_config":{"languages":%s,"code_switching":%t}}`, languages,
					switching), asr.Live,
				fixedLanguageRecognizer{scripted.New(scripted.Config{})})
			write(t, s, twoSentences())
			stopAndWait(t, s)
			result := m.Outcome().Result.Transcription
			if len(result.Utterances) == 0 || fmt.Sprint(result.Languages) != "["+want+"]" {
				t.Errorf("languages %s, switching %t: told %v in %d utterances, want %s", languages, switching,
					result.Languages, len(result.Utterances), want)
			}
		}
	}
}

// However the bytes arrive, and wherever the process dies, the same utterances decide the language.
func TestTheLanguageIsAFunctionOfTheBytes(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		channels := rapid.IntRange(1, 2).Draw(rt, "channels")
		request := fmt.Sprintf(`{"channels":%d,"endpointing":0.05,"language_config":{%s}}`, channels, fourLanguages)
		audio := scene(channels, rapid.Float64Range(2, 8).Draw(rt, "seconds"), rapid.Uint64Range(0, 5).Draw(rt, "seed"))
		want := utterancesText(t, playReplay(t, request, audio))
		cuts := rapid.SliceOfN(rapid.IntRange(1, len(audio)), 0, 4).Draw(rt, "cuts")
		pause := time.Duration(rapid.IntRange(0, 300).Draw(rt, "pause")) * time.Millisecond
		got := utterancesText(t, playCut(t, request, audio, cuts, rapid.IntRange(100, 40000).Draw(rt, "chunk"), pause))
		if got != want {
			rt.Fatalf("got  %s\nwant %s", got, want)
		}
	})
}

// fallbackRecognizer is a recognizer whose results stand in for another's.
type fallbackRecognizer struct{ asr.Recognizer }

func (s fallbackRecognizer) Open(ctx context.Context, p asr.Params) (asr.Stream, error) {
	u, err := s.Recognizer.Open(ctx, p)
	return fallbackStream{u}, err
}

type fallbackStream struct{ asr.Stream }

func (s fallbackStream) Recv() (asr.Result, error) {
	r, err := s.Stream.Recv()
	r.Fallback = true
	return r, err
}

func TestUtterancesNameAFallback(t *testing.T) {
	for _, stoodIn := range []bool{false, true} {
		var r asr.Recognizer = scripted.New(scripted.Config{})
		want := ""
		if stoodIn {
			r, want = fallbackRecognizer{r}, scripted.Engine
		}
		var m Memory
		s := openWith(t, &m, `{"endpointing":0.3}`, asr.Live, r)
		write(t, s, twoSentences())
		stopAndWait(t, s)
		list := m.Outcome().Result.Transcription.Utterances
		if len(list) != 2 || list[0].Engine != want || list[1].Engine != want {
			t.Errorf("stood in %v: utterances %+v", stoodIn, list)
		}
	}
}

// callRecorder records the calls of utterances.
type callRecorder struct {
	asr.Recognizer
	mu    sync.Mutex
	notes []string
}

func (d *callRecorder) record(s string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if n := len(d.notes); n == 0 || d.notes[n-1] != s || s != "write" {
		d.notes = append(d.notes, s)
	}
}

func (d *callRecorder) Open(ctx context.Context, p asr.Params) (asr.Stream, error) {
	u, err := d.Recognizer.Open(ctx, p)
	d.record("open")
	return recordedStream{u, d}, err
}

type recordedStream struct {
	asr.Stream
	d *callRecorder
}

func (n recordedStream) Write(samples []int16) error {
	n.d.record("write")
	return n.Stream.Write(samples)
}
func (n recordedStream) Pause() error { n.d.record("pause"); return n.Stream.Pause() }
func (n recordedStream) End() error   { n.d.record("end"); return n.Stream.End() }

// The recognizer's Pause is called in every silence that may be the end, after all audio before it
// was written.
func TestSilenceIsTold(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := &callRecorder{Recognizer: scripted.New(scripted.Config{})}
		var m Memory
		s := openWith(t, &m, `{"endpointing":1,"maximum_duration_without_endpointing":30}`, asr.Live, d)
		var x []float64
		for i, pause := range []float64{0.7, 0.7, 2} {
			x = append(x, voice(1.2, uint64(i)+20)...)
			x = append(x, whiteNoise(pause, -80, uint64(i))...)
		}
		write(t, s, interleave(append(whiteNoise(1, -80, 9), x...)))
		stopAndWait(t, s)
		got := strings.Join(d.notes, " ")
		if !regexp.MustCompile(`^open( write pause){3,} end$`).MatchString(got) {
			t.Errorf("got %s, want a pause told after each stretch of speech", got)
		}
	})
}

// paramsRecorder is a recognizer that records the parameters of utterances.
type paramsRecorder struct {
	asr.Recognizer
	mu   sync.Mutex
	told []asr.Params
}

func (k *paramsRecorder) Open(ctx context.Context, p asr.Params) (asr.Stream, error) {
	k.mu.Lock()
	k.told = append(k.told, p)
	k.mu.Unlock()
	return k.Recognizer.Open(ctx, p)
}

// An utterance that waited for the language, and whose stream does not support withdrawing samples,
// is fed to the next stream after a forced cut, in the same language and with the same vocabulary.
func TestACutUtteranceKeepsItsLanguage(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		k := &paramsRecorder{Recognizer: multilingualRecognizer{scripted.New(scripted.Config{})}}
		var m Memory
		s := openWith(t, &m, `{"maximum_duration_without_endpointing":5,"language_config":{"languages":["en","fr"]},
			"realtime_processing":{"custom_vocabulary":true,"custom_vocabulary_config":{"vocabulary":["steno"]}}}`, asr.Live, k)
		sound := interleave(append(whiteNoise(0.5, -75, 1), voice(12, 1)...))
		for at := 0; at < len(sound); at += 3200 {
			write(t, s, sound[at:min(at+3200, len(sound))])
			time.Sleep(100 * time.Millisecond)
		}
		stopAndWait(t, s)
		for i, p := range k.told {
			if p.Language == "" && len(p.Languages) == 0 || len(p.Vocabulary) != 1 {
				t.Errorf("stream %d of %d is told %+v", i, len(k.told), p)
			}
		}
	})
}
