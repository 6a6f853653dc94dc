package addon

import (
	"slices"

	"steno/messages"
	"steno/session/panics"
)

// Live does the add-ons of one live session. It may be used from any goroutine and starts none.
type Live struct {
	request *messages.LiveRequest
	table   *Table
	runner  *Runner

	rewriters []func(messages.Utterance) messages.Utterance // in the order of the table
	redaction LiveRedaction                                 // nil: nothing is to be hidden
	finals    []finalAddon                                  // in the order of their kinds, then those declared
}

// finalAddon is an add-on that the request asks for; the type of its messages is its name.
type finalAddon struct {
	name string
	FinalWork
}

// NewLive returns the add-ons of the table that a request asks for. The request must not change any
// more.
func NewLive(q *messages.LiveRequest, t *Table) *Live {
	l := &Live{request: q, table: t, runner: t.NewRunner(), rewriters: t.rewriters(q)}
	for a := range implementing[LiveRedactor](t) {
		if redaction := a.RedactLive(q); redaction != nil {
			l.redaction = redaction
		}
	}
	for name := range t.emitting("") {
		if a, ok := t.named(name).(FinalAnalyzer); ok {
			if work := a.AnalyzeFinals(q, l.runner); work != nil {
				l.finals = append(l.finals, finalAddon{name, work})
			}
		}
	}
	return l
}

// Clock measures the times of the add-ons.
func (l *Live) Clock() Clock { return l.runner.Clock }

// Rewrite returns the utterance in the words that the request wants: those of its vocabulary, then
// its spelling. All partials and finals go through it. The result is the same for the same
// utterance. The given one stays as it is; it is the result where an add-on panics.
func (l *Live) Rewrite(u messages.Utterance) messages.Utterance {
	if len(l.rewriters) == 0 || len(u.Words) == 0 {
		return u
	}
	out := u
	for _, rewrite := range l.rewriters {
		before := out
		if err := panics.Try(func() { out = rewrite(before) }); err != nil {
			out = before
		}
	}
	if len(out.Words) == 0 {
		return u
	}
	out.Words = slices.Clone(out.Words)
	for i := range out.Words {
		w := &out.Words[i]
		w.Start, w.End, w.Confidence = thousandth(w.Start), thousandth(w.End), thousandth(w.Confidence)
	}
	out.Start, out.End = out.Words[0].Start, out.Words[len(out.Words)-1].End
	return out
}

// Rewriting returns Rewrite with other terms in the place of the request's vocabulary.
func (l *Live) Rewriting(terms messages.List[messages.VocabularyEntry]) func(messages.Utterance) messages.Utterance {
	q := *l.request
	q.RealtimeProcessing.CustomVocabulary = len(terms) > 0
	q.RealtimeProcessing.CustomVocabularyConfig = &messages.CustomVocabularyConfig{Vocabulary: terms}
	return (&Live{rewriters: l.table.rewriters(&q)}).Rewrite
}

// rewriters are those of the add-ons that the request asks for.
func (t *Table) rewriters(q *messages.LiveRequest) (list []func(messages.Utterance) messages.Utterance) {
	for a := range implementing[TextRewriter](t) {
		if rewrite := a.Rewriter(q); rewrite != nil {
			list = append(list, rewrite)
		}
	}
	return list
}

// RedactPartial returns a partial, which Rewrite has made, without what the request hides.
func (l *Live) RedactPartial(u messages.Utterance) messages.Utterance {
	if l.redaction == nil || len(u.Words) == 0 {
		return u
	}
	return l.redaction.Partial(u)
}

// RedactFinal is RedactPartial for the final of an utterance, see [LiveRedaction]. Its speaker must
// be known.
func (l *Live) RedactFinal(id string, u messages.Utterance) messages.Utterance {
	if l.redaction == nil || len(u.Words) == 0 {
		return u
	}
	return l.redaction.Final(id, u)
}

// AppendState appends what the add-ons remember of a session to a checkpoint.
func (l *Live) AppendState(b []byte) []byte {
	if l.redaction == nil {
		return b
	}
	return l.redaction.AppendState(b)
}

// RestoreState makes the add-ons remember what a checkpoint holds. Of several checkpoints that of
// the newest final counts.
func (l *Live) RestoreState(b []byte) error {
	if l.redaction == nil {
		return nil
	}
	return l.redaction.RestoreState(b)
}

// Steps lists the steps of all add-ons for the final of an utterance, always in the same order. The
// keys depend on the id alone.
func (l *Live) Steps(id string, u messages.Utterance) []Step {
	var list []Step
	for _, a := range l.finals {
		list = append(list, a.Steps(id, u)...)
	}
	return list
}
