package sherpa

import (
	"cmp"
	"fmt"
	"slices"

	"steno/session/asr"
	"steno/session/asr/sherpa/folder"
	"steno/session/asr/whole"
)

// shortest is the audio that models for whole utterances are given at least (1 s, silence at the
// end): of less the library makes no frames, or fewer than a model's first layers need.
const shortest = asr.Rate

// decoder is a model for whole utterances as a [whole.Decoder].
type decoder struct{ m *model }

// outcome is the text of a piece. Times are those of the utterance.
type outcome struct {
	words    []asr.Word
	timed    bool
	language string // empty if the model does not detect it and was not given it
}

// draft is what a piece's partials leave to the next one.
type draft struct {
	agreed whole.Agreement
	timed  bool // all decodes so far gave times
}

// Decode implements [whole.Decoder].
func (d decoder) Decode(p whole.Piece) (any, error) {
	out, err := d.m.decodePiece(p)
	return out, err
}

// Partial implements [whole.Decoder]. It shows what the decodes so far agree on.
func (d decoder) Partial(p whole.Piece, before any) (_, after any, err error) {
	out, err := d.m.decodePiece(p)
	if err != nil {
		return nil, nil, err
	}
	last, ok := before.(draft)
	next := draft{timed: out.timed && (last.timed || !ok)}
	out.words, next.agreed = last.agreed.Add(out.words)
	out.timed = next.timed
	return out, next, nil
}

// Result implements [whole.Decoder]. Words have times if those of all pieces have.
func (d decoder) Result(p asr.Params, outcomes []any) asr.Result {
	all := outcome{timed: true}
	for _, o := range outcomes {
		next := o.(outcome)
		all.words = append(all.words, next.words...)
		all.timed = all.timed && (next.timed || len(next.words) == 0)
		all.language = cmp.Or(all.language, next.language)
	}
	all.timed = all.timed && len(all.words) > 0
	if !all.timed {
		for i := range all.words {
			all.words[i].Start, all.words[i].End = 0, 0
		}
	}
	return asr.Result{Words: all.words, Timed: all.timed, Language: d.m.language(p, all.language), Engine: d.m.engine}
}

// decodePiece decodes a piece of an utterance. If the language is unknown it is that of the pieces
// before; if the model detects one that it cannot be, the piece is decoded again in the first that
// it can be.
func (m *model) decodePiece(p whole.Piece) (outcome, error) {
	given := ""
	if m.acceptsLanguage() {
		given = p.Params.Language
		for _, o := range p.Before {
			given = cmp.Or(given, o.(outcome).language)
		}
	}
	samples, hotwords := p.Samples[p.From:p.To], m.hotwords(p.Params.Vocabulary)
	h, err := m.decodeWhole(samples, given, hotwords)
	if among := p.Params.Languages; err == nil && given == "" && m.acceptsLanguage() && len(among) > 0 &&
		!slices.Contains(among, h.language) {
		given = first(among, m.spec.Languages)
		h, err = m.decodeWhole(samples, given, hotwords)
	}
	if err != nil {
		return outcome{}, err
	}
	out := outcome{language: cmp.Or(given, h.language)}
	out.words, out.timed = words(h, len(samples))
	if out.timed {
		for i := range out.words {
			out.words[i].Start += p.From
			out.words[i].End += p.From
		}
	}
	return out, nil
}

// decodeWhole runs the model. An error means that the library failed: what the model makes of the
// audio is not known.
func (m *model) decodeWhole(samples []int16, language, hotwords string) (hypothesis, error) {
	audio := floats(samples)
	if short := shortest - len(audio); short > 0 {
		audio = append(audio, make([]float32, short)...)
	}
	h, err := m.offline.Decode(audio, language, hotwords)
	if err != nil {
		return hypothesis{}, fmt.Errorf("decode failed: %w: %w", asr.ErrUnavailable, err)
	}
	return h, nil
}

// acceptsLanguage reports whether the model can be given the language. SenseVoice could, but the
// library fixes it when the model is loaded.
func (m *model) acceptsLanguage() bool {
	return m.spec.Can.TakeLanguage && m.spec.Kind != folder.OfflineSenseVoice
}

// language returns the language of a result, given the one that was detected, if one was.
func (m *model) language(p asr.Params, detected string) string {
	language := p.Language
	if language == "" && (len(p.Languages) == 0 || slices.Contains(p.Languages, detected)) {
		language = detected
	}
	return cmp.Or(language, first(p.Languages, m.spec.Languages))
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
