package sherpa

import (
	"slices"
	"strings"

	"steno/session/asr"
	"steno/session/asr/sherpa/folder"
)

// shortest is what models for whole utterances are given at least (1 s, with silence after the end): of less the
// library makes no frames, or fewer than a model's first layers take.
const shortest = asr.Rate

// hear decodes a whole utterance, in parts if it is longer than the model takes at once. Where nobody told the language
// and the model takes it for one that it cannot be, it is decoded again as the first that it can be.
func (m *model) hear(samples []int16, p asr.Params, hotwords string) heard {
	told := p.Language
	if !m.obeys() {
		told = ""
	}
	h := m.parts(samples, told, hotwords)
	if p.Language == "" && m.obeys() && len(p.Languages) > 0 && !slices.Contains(p.Languages, h.language) {
		told = first(p.Languages, m.spec.Languages)
		h = m.parts(samples, told, hotwords)
	}
	if told != "" {
		h.language = told
	}
	return h
}

// obeys tells whether the model can be told the language. SenseVoice could be, but the library tells it once and for all.
func (m *model) obeys() bool { return m.spec.Can.Obey && m.spec.Kind != folder.OfflineSenseVoice }

// first returns the first of the codes wanted that is had; without any wanted, the first had.
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

func (m *model) parts(samples []int16, language, hotwords string) heard {
	var all heard
	from := 0
	for i, part := range cut(samples, m.spec.Longest) {
		audio := floats(part)
		if short := shortest - len(audio); short > 0 {
			audio = append(audio, make([]float32, short)...)
		}
		h := m.offline.Decode(audio, language, hotwords)
		if i == 0 && m.obeys() && language == "" {
			language = h.language
		}
		all = all.join(h, float32(from)/asr.Rate)
		from += len(part)
	}
	return all
}

// join appends what was heard from the given second on. What one of the two does not tell, the whole does not either.
func (h heard) join(next heard, from float32) heard {
	starts := slices.Clone(next.starts)
	for i := range starts {
		starts[i] += from
	}
	out := heard{text: strings.TrimSpace(h.text + " " + next.text), language: h.language}
	if out.language == "" {
		out.language = next.language
	}
	out.starts = both(h.starts, len(h.tokens), starts, len(next.tokens))
	out.durations = both(h.durations, len(h.tokens), next.durations, len(next.tokens))
	out.logs = both(h.logs, len(h.tokens), next.logs, len(next.tokens))
	out.tokens = append(slices.Clip(h.tokens), next.tokens...)
	return out
}

// both joins numbers of n and m tokens, nil where there is not one for each.
func both(a []float32, n int, b []float32, m int) []float32 {
	if len(a) != n || len(b) != m {
		return nil
	}
	return append(slices.Clip(a), b...)
}
