package main

import (
	"bytes"
	"fmt"
	"math"
	"os"
	"slices"
	"strconv"
	"sync"
	"testing"
	"time"

	"steno/audio"
	"steno/session/asr"
	"steno/session/asr/align"
	"steno/session/asr/asrtest/corpus"
)

// speech is the speech of a speaker in a paced run, and what became of it.
type speech struct {
	samples    []int16
	utterances []*listened
}

// speakers has people speak at the same time, in real time, read English with pauses between the
// recordings; each begins with another recording. Utterances that end in the last second, which has
// silence, are left out: all end together there.
func speakers(b *testing.B, e wordEngine, n int, last, pause time.Duration, request string) []speech {
	b.Helper()
	clips := clipsOf(b, "STENO_TEST_AUDIO", libriSpeech)
	all := make([]speech, n)
	var wait sync.WaitGroup
	for i := range all {
		var samples []int16
		for j := i * len(clips) / n; len(samples) < samplesIn(last); j++ {
			samples = slices.Concat(samples, clips[j%len(clips)].Samples, quiet(pause))
		}
		samples = slices.Concat(samples[:samplesIn(last-time.Second)], quiet(time.Second))
		wait.Go(func() {
			list := spoken(b, e, audio.AppendPCM(nil, samples), request)
			list = slices.DeleteFunc(list, func(u *listened) bool {
				return u.end >
					(last - 1500*time.Millisecond).Seconds()
			})
			all[i] = speech{samples, list}
		})
	}
	wait.Wait()
	return all
}

func samplesIn(d time.Duration) int { return int(d.Seconds() * asr.Rate) }

// allOf returns the utterances of all speakers.
func allOf(speeches []speech) (all []*listened) {
	for _, s := range speeches {
		all = append(all, s.utterances...)
	}
	return all
}

// finalDelays returns how long finals came after their ends had been decided, in ms.
func finalDelays(list []*listened) (out []float64) {
	for _, u := range list {
		if u.finalAt > 0 {
			out = append(out, ms(u.finalAt-u.ended))
		}
	}
	return out
}

func ms(d time.Duration) float64 { return d.Seconds() * 1000 }

// frequency returns the partials for each second of speech.
func frequency(list []*listened) float64 {
	n, length := 0, 0.0
	for _, u := range list {
		n, length = n+len(u.partials), length+u.end-u.start
	}
	return float64(n) / max(length, 1e-3)
}

const (
	withPartials = `"messages_config":{"receive_partial_transcripts":true}`
	shortPauses  = `{"endpointing":0.3,` + withPartials + `}`
	longSpeech   = `{"endpointing":0.4,"maximum_duration_without_endpointing":20,` + withPartials + `}`
	// betweenClips is the silence after each recording where utterances end at its end.
	betweenClips = 700 * time.Millisecond
)

// measurePartials measures how soon partials come, and how much of them is kept.
func measurePartials(b *testing.B, f *figures) {
	const n, last = 4, 45 * time.Second
	aligner, err := align.New(align.Config{})
	if err != nil {
		b.Skip(err)
	}
	defer aligner.Close()
	f.explain("partials",
		fmt.Sprintf("%d speakers in real time for %v, endpointing 0.3. First partial: after the end of the first word of the", n, last),
		"final, as aligned with the audio; where none came, the final. Kept: words of partials, the last apart, that stand in the",
		"final at their place. Words twice alike: the same of those that a partial shares with the one before.")
	eachEngine(b, func(b *testing.B, e wordEngine) {
		all := speakers(b, e, n, last, betweenClips, shortPauses)
		var first, cut []float64
		for _, s := range all {
			begun, gone := firstWords(aligner, s)
			first, cut = append(first, begun...), append(cut, gone...)
		}
		list := allOf(all)
		f.add("first partial after the first word, p50 / p95, ms", e.name, "%.0f / %.0f", at(first, 0.5),
			at(first, 0.95))
		f.add("  where speech was cut by force, p50 / p95, ms", e.name, "%.0f / %.0f", at(cut, 0.5), at(cut, 0.95))
		f.add("words kept, %", e.name, "%.1f", kept(list, shown))
		f.add("words twice alike kept, %", e.name, "%.1f", kept(list, twiceAlike))
		f.add("partials per second of speech", e.name, "%.2f", frequency(list))
		f.add("finals / with no partial before", e.name, "%d / %d", len(first)+len(cut), withoutPartials(list))
	})
}

// firstWords returns how long after the end of the first word the first partial of each utterance
// came, in ms: of those that begin with speech, and of those that begin at a forced cut, whose
// first words the partials of the utterance before have had.
func firstWords(aligner *align.Pool, s speech) (begun, cut []float64) {
	end := math.Inf(-1)
	for _, u := range s.utterances {
		forced := u.start < end+0.05
		end = u.end
		words := corpus.Words(u.final.Text)
		if len(words) == 0 {
			continue
		}
		const around = asr.Rate * 3 / 10
		from, to := max(0, int(u.start*asr.Rate)-around), min(len(s.samples), int(u.end*asr.Rate)+around)
		spans, err := aligner.Align(s.samples[from:to], words)
		if err != nil || !spans[0].Known {
			continue
		}
		came := u.finalAt
		if len(u.partials) > 0 {
			came = u.partials[0].at
		}
		late := ms(came) - 1000*float64(from+spans[0].End)/asr.Rate
		if forced {
			cut = append(cut, late)
		} else {
			begun = append(begun, late)
		}
	}
	return begun, cut
}

func withoutPartials(list []*listened) (n int) {
	for _, u := range list {
		if len(u.partials) == 0 && u.final.Text != "" {
			n++
		}
	}
	return n
}

// shown returns the words of a partial except the last.
func shown(_, partial []string) []string { return partial[:max(0, len(partial)-1)] }

// twiceAlike returns the words with which two partials begin, except the last of the newer one.
func twiceAlike(before, partial []string) []string {
	n := 0
	for n < len(before) && n < len(partial)-1 && before[n] == partial[n] {
		n++
	}
	return partial[:n]
}

// kept returns the share of words of partials that stand in the final, in %.
func kept(list []*listened, of func(before, partial []string) []string) float64 {
	words, standing := 0, 0
	for _, u := range list {
		final, before := corpus.Words(u.final.Text), []string(nil)
		for _, p := range u.partials {
			shown := of(before, p.words)
			words, standing, before = words+len(shown), standing+corpus.Standing(final, shown), p.words
		}
	}
	return 100 * float64(standing) / float64(max(words, 1))
}

// measureFinals measures how soon finals come after the end of speech was decided.
func measureFinals(b *testing.B, f *figures) {
	const last = 40 * time.Second
	f.explain("finals, ms after the end was decided",
		fmt.Sprintf("Speakers in real time for %v, endpointing 0.3, partials asked for.", last),
		"In brackets: finals; partials per second of speech.")
	eachEngine(b, func(b *testing.B, e wordEngine) {
		for _, n := range []int{1, 8} {
			list := allOf(speakers(b, e, n, last, betweenClips, shortPauses))
			delays := finalDelays(list)
			f.add(fmt.Sprintf("%d at a time, p50 / p95", n), e.name, "%.0f / %.0f (%d; %.2f)",
				at(delays, 0.5), at(delays, 0.95), len(delays), frequency(list))
		}
	})
}

// measureTen has ten people speak without pause.
func measureTen(b *testing.B, f *figures) {
	const n, last = 10, time.Minute
	f.explain("ten continuous speakers",
		fmt.Sprintf("In real time for %v, endpointing 0.4, 20 s at most; recordings of LibriSpeech joined without a pause.", last),
		"Memory: the most that the engine's process, started for this, has held (VmHWM).")
	eachEngine(b, func(b *testing.B, e wordEngine) {
		before := processorTime(b, e)
		list := allOf(speakers(b, e, n, last, 0, longSpeech))
		processor := (processorTime(b, e) - before) / (n * last.Seconds())
		delays, lengths := finalDelays(list), []float64(nil)
		for _, u := range list {
			lengths = append(lengths, u.end-u.start)
		}
		f.add("finals after the decided end, p50 / p95, ms", e.name, "%.0f / %.0f", at(delays, 0.5), at(delays, 0.95))
		f.add("utterances, length p10 / p50 / p90, s", e.name, "%d, %.1f / %.1f / %.1f", len(list), at(lengths, 0.1),
			at(lengths, 0.5), at(lengths, 0.9))
		f.add("partials per second of speech", e.name, "%.2f", frequency(list))
		f.add("processor seconds per second of audio", e.name, "%.3f", processor)
		f.add("memory at most, MB", e.name, "%s", peakMemory(e))
	})
}

// processorTime returns the seconds of processors that the engine's process has taken; 0 where that
// cannot be found out.
func processorTime(b *testing.B, e wordEngine) float64 {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", e.PID()))
	if err != nil {
		return 0
	}
	fields := bytes.Fields(text[bytes.LastIndexByte(text, ')')+1:])
	const utime, stime, perSecond = 11, 12, 100
	sum := 0
	for _, i := range []int{utime, stime} {
		n, err := strconv.Atoi(string(fields[i]))
		if err != nil {
			b.Fatal(err)
		}
		sum += n
	}
	return float64(sum) / perSecond
}

// peakMemory returns the most memory that the engine's process has held, in MB; "-" where that
// cannot be found out.
func peakMemory(e wordEngine) string {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", e.PID()))
	if err != nil {
		return "-"
	}
	_, after, _ := bytes.Cut(text, []byte("VmHWM:"))
	fields := bytes.Fields(after)
	if len(fields) == 0 {
		return "-"
	}
	kB, err := strconv.Atoi(string(fields[0]))
	if err != nil {
		return "-"
	}
	return fmt.Sprintf("%.0f", float64(kB)/1000)
}
