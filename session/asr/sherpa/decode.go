package sherpa

import (
	"slices"
	"strings"

	"steno/session/asr"
	"steno/session/asr/sherpa/folder"
)

// shortest is the audio that models for whole utterances are given at least (1 s, silence at the end): of less the
// library makes no frames, or fewer than a model's first layers need.
const shortest = asr.Rate

// decodeWhole decodes a whole utterance, in parts if it is longer than the model takes at once. If the language is
// unknown and the model detects one that it cannot be, it is decoded again in the first that it can be.
func (m *model) decodeWhole(samples []int16, p asr.Params, hotwords string) hypothesis {
	given := p.Language
	if !m.acceptsLanguage() {
		given = ""
	}
	h := m.parts(samples, given, hotwords)
	if p.Language == "" && m.acceptsLanguage() && len(p.Languages) > 0 && !slices.Contains(p.Languages, h.language) {
		given = first(p.Languages, m.spec.Languages)
		h = m.parts(samples, given, hotwords)
	}
	if given != "" {
		h.language = given
	}
	return h
}

// acceptsLanguage reports whether the model can be given the language. SenseVoice could, but the library fixes it when
// the model is loaded.
func (m *model) acceptsLanguage() bool {
	return m.spec.Can.TakeLanguage && m.spec.Kind != folder.OfflineSenseVoice
}

// first returns the first of the wanted codes that is in had; with none wanted, the first in had.
func first(wanted, had []string) string {
	for _, code := range wanted {
		if slices.Contains(had, code) {
			return code
		}
	}
	if len(wanted) > 0 || len(had) == 0 {
		return ""
	}
	return had[0]
}

func (m *model) parts(samples []int16, language, hotwords string) hypothesis {
	var all hypothesis
	from := 0
	for i, part := range cut(samples, m.spec.Longest) {
		audio := floats(part)
		if short := shortest - len(audio); short > 0 {
			audio = append(audio, make([]float32, short)...)
		}
		h := m.offline.Decode(audio, language, hotwords)
		if i == 0 && m.acceptsLanguage() && language == "" {
			language = h.language
		}
		all = all.join(h, float32(from)/asr.Rate)
		from += len(part)
	}
	return all
}

// join appends the hypothesis of the audio from the given second on. What one of the two lacks, the result lacks.
func (h hypothesis) join(next hypothesis, from float32) hypothesis {
	starts := slices.Clone(next.starts)
	for i := range starts {
		starts[i] += from
	}
	out := hypothesis{text: strings.TrimSpace(h.text + " " + next.text), language: h.language}
	if out.language == "" {
		out.language = next.language
	}
	out.starts = both(h.starts, len(h.tokens), starts, len(next.tokens))
	out.durations = both(h.durations, len(h.tokens), next.durations, len(next.tokens))
	out.logs = both(h.logs, len(h.tokens), next.logs, len(next.tokens))
	out.tokens = append(slices.Clip(h.tokens), next.tokens...)
	return out
}

// both concatenates numbers of n and m tokens; nil if one of the two is incomplete.
func both(a []float32, n int, b []float32, m int) []float32 {
	if len(a) != n || len(b) != m {
		return nil
	}
	return append(slices.Clip(a), b...)
}

const (
	cutStep  = asr.Rate / 100 // the grid on which long audio is cut
	cutQuiet = asr.Rate / 5   // the length of the silence to look for
)

// cut divides samples into parts of at most the given length, each cut in the middle of the quietest 0.2 s of the
// second half of what could be taken, the latest of equals. The parts share the memory of samples. most is 1 s at
// least; 0: no limit.
func cut(samples []int16, most int) [][]int16 {
	var parts [][]int16
	for most > 0 && len(samples) > most {
		at := quietest(samples, most/2, most-cutQuiet) + cutQuiet/2
		parts = append(parts, samples[:at])
		samples = samples[at:]
	}
	return append(parts, samples)
}

// quietest returns where in [from, to] the cutQuiet samples with the least energy begin.
func quietest(samples []int16, from, to int) int {
	best, least := from, int64(-1)
	for at := from; at <= to; at += cutStep {
		energy := int64(0)
		for _, s := range samples[at : at+cutQuiet] {
			energy += int64(s) * int64(s)
		}
		if least < 0 || energy <= least {
			best, least = at, energy
		}
	}
	return best
}
