package main

import (
	"context"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"sync"
	"testing"

	"steno/audio"
	"steno/messages"
	"steno/session/asr"
	"steno/session/asr/align"
	"steno/session/asr/asrtest/corpus"
)

// differentSpeech are recordings of read speech, of a speech with pauses, of spontaneous speech,
// and of a speaker with a cold.
var differentSpeech = []string{"azure/en.wav", "jfk/jfk.wav", "mfa/acoustic_corpus.wav", "mfa/cold_corpus.wav"}

func libriSpeech(e corpus.Entry) bool { return e.Source() == "librispeech-test-other" }

// transcription is what an engine made of a recording.
type transcription struct {
	clip       corpus.Clip
	utterances []messages.Utterance
	text       string      // of another recognizer, which returns no utterances
	silent     []*listened // utterances without text; live only
}

// words returns the words recognized, and when each began in seconds; NaN for the later ones of
// those that one was written for.
func (x transcription) words() (words []string, starts []float64, confidences []float64) {
	for _, u := range x.utterances {
		for _, w := range u.TimedWords() {
			for i, text := range corpus.Words(w.Word) {
				start := w.Start
				if i > 0 {
					start = math.NaN()
				}
				words, starts, confidences = append(words, text), append(starts, start),
					append(confidences, w.Confidence)
			}
		}
	}
	return words, starts, confidences
}

func (x transcription) score() corpus.Score {
	text := []string{x.text}
	for _, u := range x.utterances {
		text = append(text, u.Text)
	}
	score, _ := corpus.Align(x.clip.Words, corpus.Words(strings.Join(text, " ")))
	return score
}

// transcribeAll runs clips through live sessions, or through jobs for recordings where the request
// is empty. processor is the processor time of the engine for each second of audio.
func transcribeAll(b *testing.B, e wordEngine, engine asr.Recognizer, clips []corpus.Clip,
	request string) (all []transcription, processor float64) {
	b.Helper()
	var mu sync.Mutex
	before, seconds := processorTime(b, e), 0.0
	inTurn(clips, func(c corpus.Clip) {
		x, pcm := transcription{clip: c}, audio.AppendPCM(nil, c.Samples)
		if request == "" {
			x.utterances = recorded(b, engine, pcm)
		} else {
			list := live(b, engine, pcm, request)
			x.utterances = finalsOf(list)
			x.silent = slices.DeleteFunc(list, func(u *listened) bool { return u.final.Text != "" })
		}
		mu.Lock()
		defer mu.Unlock()
		all, seconds = append(all, x), seconds+float64(len(c.Samples))/asr.Rate
	})
	slices.SortFunc(all, func(a, b transcription) int { return strings.Compare(a.clip.File, b.clip.File) })
	return all, (processorTime(b, e) - before) / seconds
}

// pooled is the word error rate of all recordings together, mean that of the recordings' own rates;
// in %.
func pooled(all []transcription) float64 {
	var sum corpus.Score
	for _, x := range all {
		sum = sum.Add(x.score())
	}
	return 100 * sum.WER()
}

func mean(all []transcription) float64 {
	sum := 0.0
	for _, x := range all {
		sum += x.score().WER()
	}
	return 100 * sum / float64(len(all))
}

const (
	briefPauses    = `{"endpointing":0.3}`
	defaultRequest = `{}`
)

// measureErrors compares what was recognized with what was said.
func measureErrors(b *testing.B, f *figures) {
	clips := clipsOf(b, "STENO_TEST_AUDIO", libriSpeech)
	files := clipsOf(b, "STENO_TEST_AUDIO", func(e corpus.Entry) bool {
		return slices.Contains(differentSpeech,
			e.File)
	})
	aligner, err := align.New(align.Config{})
	if err != nil {
		b.Skip(err)
	}
	defer aligner.Close()
	truth := spansOf(b, aligner, slices.Concat(clips, files))
	f.explain("word errors, %",
		fmt.Sprintf("LibriSpeech: %d recordings of test-other, errors of all by words of all; the others: mean rate of %d recordings", len(clips), len(files)),
		"(read, with pauses, spontaneous, with a cold). In brackets: processor seconds of the engine for a second of audio.",
		"Case, punctuation, hyphens and how numbers are written do not count. Audio comes as fast as the engine takes it.",
		"Lost: reference words, by their aligned times, in utterances that got no text. Starts: of the right words against the",
		"reference text aligned. AUC: how often a right word has a higher confidence than a wrong one.")
	eachEngine(b, func(b *testing.B, e wordEngine) {
		run := func(row string, r asr.Recognizer, clips []corpus.Clip, request string,
			rate func([]transcription) float64) []transcription {
			all, processor := transcribeAll(b, e, r, clips, request)
			f.add(row, e.name, "%.1f (%.3f)", rate(all), processor)
			return all
		}
		paused := run("LibriSpeech, live, endpointing 0.3", e, clips, briefPauses, pooled)
		usual := run("LibriSpeech, live, default request", e, clips, defaultRequest, pooled)
		if e.variants {
			run("LibriSpeech, live, endpointing 0.3, stt-3", moreDecodes{e}, clips, briefPauses, pooled)
		}
		run("LibriSpeech, recorded", e, clips, "", pooled)
		run("different speech, recorded", e, files, "", mean)
		others := run("different speech, live, default request", e, files, defaultRequest, mean)
		confidences(f, e, paused)
		wordStarts(f, e, paused, truth)
		lost(b, f, e, slices.Concat(paused, usual, others), truth)
	})
}

// spansOf returns when the words of transcripts were said, by file.
func spansOf(b *testing.B, aligner *align.Pool, clips []corpus.Clip) map[string][]align.Span {
	truth := map[string][]align.Span{}
	for _, c := range clips {
		spans, err := aligner.Align(c.Samples, c.Words)
		if err != nil {
			b.Fatal(err)
		}
		truth[c.File] = spans
	}
	return truth
}

func confidences(f *figures, e wordEngine, all []transcription) {
	var judged []corpus.Judged
	for _, x := range all {
		words, _, confidences := x.words()
		for j, i := range corpus.Pairs(x.clip.Words, words) {
			judged = append(judged, corpus.Judged{Confidence: confidences[j], Right: i >= 0})
		}
	}
	f.add("LibriSpeech, endpointing 0.3: AUC of confidences", e.name, "%.3f", corpus.AUC(judged))
}

func wordStarts(f *figures, e wordEngine, all []transcription, truth map[string][]align.Span) {
	var wrong []float64 // ms
	for _, x := range all {
		words, starts, _ := x.words()
		spans := truth[x.clip.File]
		for j, i := range corpus.Pairs(x.clip.Words, words) {
			if i >= 0 && spans[i].Known && !math.IsNaN(starts[j]) {
				wrong = append(wrong, 1000*math.Abs(starts[j]-float64(spans[i].Start)/asr.Rate))
			}
		}
	}
	f.add("  word starts, median / p90, ms", e.name, "%.0f / %.0f", at(wrong, 0.5), at(wrong, 0.9))
}

// lost counts the words of utterances that have no text, and what the engine has dropped on
// purpose.
func lost(b *testing.B, f *figures, e wordEngine, all []transcription, truth map[string][]align.Span) {
	words, without, empty := 0, 0, 0
	for _, x := range all {
		words += len(x.clip.Words)
		empty += len(x.silent)
		for _, s := range truth[x.clip.File] {
			middle := float64(s.Start+s.End) / 2 / asr.Rate
			if slices.ContainsFunc(x.silent, func(u *listened) bool { return u.start <= middle && middle <= u.end }) {
				without++
			}
		}
	}
	f.add("words lost in live utterances without text, %", e.name, "%.2f", 100*float64(without)/float64(max(words, 1)))
	f.add("  such utterances", e.name, "%d", empty)
	f.add("  texts dropped on purpose, partials too", e.name, "%s", droppedBy(b, e))
}

// droppedBy returns how many texts the engine has dropped on purpose since its start, by reason.
func droppedBy(b *testing.B, e wordEngine) string {
	all, err := e.Figures(context.Background())
	if err != nil {
		b.Fatal(err)
	}
	var out []string
	for _, name := range slices.Sorted(maps.Keys(all.Recognizer)) {
		if reason, ok := strings.CutPrefix(name, "dropped_"); ok && all.Recognizer[name] > 0 {
			out = append(out, fmt.Sprintf("%s %.0f", reason, all.Recognizer[name]))
		}
	}
	if out == nil {
		return "none"
	}
	return strings.Join(out, ", ")
}

// at returns a quantile; 0 of an empty list.
func at(list []float64, q float64) float64 {
	if len(list) == 0 {
		return 0
	}
	list = slices.Sorted(slices.Values(list))
	return list[int(q*float64(len(list)-1))]
}

// measureSingleWords counts recordings of one word in which another one, several or none are
// recognized.
func measureSingleWords(b *testing.B, f *figures) {
	f.explain("single words, recordings wrong, %",
		"Live, default request. Padded: a second of faint noise around; not: the session is stopped with the recording.",
		"A recording is right if its text is the word alone.")
	ofDigits := clipsOf(b, "STENO_TEST_EAR", func(e corpus.Entry) bool {
		return strings.HasPrefix(e.File, "words/fsdd_") && strings.HasSuffix(e.File, "_0.flac")
	})
	commands := clipsOf(b, "STENO_TEST_EAR", func(e corpus.Entry) bool {
		return strings.HasPrefix(e.File,
			"words/sc_")
	})
	bare := func(samples []int16) []byte { return audio.AppendPCM(nil, samples) }
	eachEngine(b, func(b *testing.B, e wordEngine) {
		for _, set := range []struct {
			name  string
			clips []corpus.Clip
		}{{"digits (8 kHz)", ofDigits}, {"commands", commands}} {
			name := fmt.Sprintf("%d %s", len(set.clips), set.name)
			f.add(name+", padded", e.name, "%.0f", wrongWords(b, e, set.clips, quietlyAround))
			f.add(name+", as they are", e.name, "%.0f", wrongWords(b, e, set.clips, bare))
		}
	})
}

// wrongWords returns the recordings of which another text than their word is recognized, in %.
func wrongWords(b *testing.B, e wordEngine, clips []corpus.Clip, surrounded func([]int16) []byte) float64 {
	var mu sync.Mutex
	wrong := 0
	inTurn(clips, func(c corpus.Clip) {
		x := transcription{clip: c, utterances: finalsOf(live(b, e, surrounded(c.Samples), defaultRequest))}
		mu.Lock()
		defer mu.Unlock()
		if x.score().Errors > 0 {
			wrong++
		}
	})
	return 100 * float64(wrong) / float64(len(clips))
}

// measureInvented counts words recognized where nobody speaks.
func measureInvented(b *testing.B, f *figures) {
	sets := map[string][]corpus.Clip{}
	for _, kind := range []string{"noise", "music"} {
		sets[kind] = clipsOf(b, "STENO_TEST_EAR", func(e corpus.Entry) bool { return e.Kind == kind })
	}
	f.explain("words invented per minute",
		"Live, default request, a second of faint noise around each recording, which is not counted as time.")
	eachEngine(b, func(b *testing.B, e wordEngine) {
		words, minutes := 0, 0.0
		for _, kind := range []string{"noise", "music"} {
			n, long := invented(b, e, sets[kind])
			f.add(fmt.Sprintf("%s, %d recordings", kind, len(sets[kind])), e.name, "%.2f", float64(n)/long)
			words, minutes = words+n, minutes+long
		}
		f.add(fmt.Sprintf("both, %.1f minutes", minutes), e.name, "%.2f", float64(words)/minutes)
		f.add("texts dropped on purpose", e.name, "%s", droppedBy(b, e))
	})
}

func invented(b *testing.B, e wordEngine, clips []corpus.Clip) (words int, minutes float64) {
	var mu sync.Mutex
	inTurn(clips, func(c corpus.Clip) {
		list := live(b, e, quietlyAround(c.Samples), defaultRequest)
		mu.Lock()
		defer mu.Unlock()
		minutes += float64(len(c.Samples)) / asr.Rate / 60
		for _, u := range list {
			words += len(corpus.Words(u.final.Text))
		}
	})
	return words, minutes
}

// customNames are said in the recordings of read English, and rarely recognized without a
// vocabulary.
var customNames = []string{"Dashwood", "Merneptah", "Zarathustra", "Newberg", "Delmonico"}

// measureNames counts the names of a custom vocabulary that are recognized where they were said,
// and elsewhere.
func measureNames(b *testing.B, f *figures) {
	clips := clipsOf(b, "STENO_TEST_AUDIO", corpus.ReadEnglish)
	f.explain("names, found of said + false", fmt.Sprintf("Live, endpointing 0.3, %d recordings; names: %s.",
		len(clips), strings.Join(customNames, ", ")))
	vocabulary := `"` + strings.Join(customNames, `","`) + `"`
	with := `{"endpointing":0.3,"realtime_processing":{"custom_vocabulary":true,"custom_vocabulary_config":{"vocabulary":[` + vocabulary + `]}}}`
	eachEngine(b, func(b *testing.B, e wordEngine) {
		for row, request := range map[string]string{"without a vocabulary": briefPauses,
			"with these as custom vocabulary": with} {
			all, processor := transcribeAll(b, e, e, clips, request)
			said, found, wrong := 0, 0, 0
			for _, x := range all {
				words, _, _ := x.words()
				for _, name := range customNames {
					here, there := count(x.clip.Words, name), count(words, name)
					said, found, wrong = said+here, found+min(here, there), wrong+max(0, there-here)
				}
			}
			f.add(row, e.name, "%d of %d + %d (%.1f %%, %.3f)", found, said, wrong, pooled(all), processor)
		}
	})
	f.notes = append(f.notes,
		"In brackets: word error rate, and processor seconds of the engine for a second of audio.")
}

func count(words []string, name string) (n int) {
	name = strings.ToLower(name)
	for _, w := range words {
		if strings.TrimSuffix(w, "'s") == name {
			n++
		}
	}
	return n
}
