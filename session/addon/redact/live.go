package redact

import (
	"cmp"
	"slices"
	"sync"

	"steno/messages"
	"steno/session/addon"
	"steno/session/addon/entities"
)

const (
	// liveTurns and liveWords bound what is remembered of what was said before, and turnWords what
	// of one turn: more is not searched.
	liveTurns, liveWords, turnWords = 48, 600, 2 * reach
	// liveValues bounds the values that a session remembers, each of which its checkpoints hold.
	liveValues = 400
	// partialDigits and finalDigits are from how many digits on a number that nothing announces is
	// hidden: anywhere in a partial, and at the end of a final, where more of it may follow.
	partialDigits, finalDigits = 3, 5
)

// numbers are the types whose values are numbers, or have many digits.
var numbers = []string{"ACCOUNT_NUMBER", "BANK_ACCOUNT", "CREDIT_CARD", "CVV", "DRIVER_LICENSE",
	"HEALTHCARE_NUMBER", "IP_ADDRESS", "NUMERICAL_PII", "ORGANIZATION_ID", "PASSPORT_NUMBER", "PASSWORD",
	"PHONE_NUMBER", "ROUTING_NUMBER", "SSN", "VEHICLE_ID"}

// Live hides the entities of one live session, each utterance by what was said until its end. It
// remembers the last utterances as they were said, and the values that it has hidden. What is sent
// cannot be taken back, so it hides more than [Redactor.All]: numbers and what is spelt at the end
// of an utterance, where words before announce them or they are long, and in partials other numbers
// too. These have markers without a number. Speech in a language in which a type of the
// configuration is not found is hidden as a whole, unless the configuration has BestEffort. It may
// be used from any goroutine.
type Live struct {
	config  messages.PIIRedactionConfig
	types   map[string]bool
	numeric bool // a type to be hidden is one of numbers

	mu    sync.Mutex
	known values
	past  []pastTurn // by start
	count int64      // finals that were redacted
}

// pastTurn is an utterance as it was said.
type pastTurn struct {
	ID       string  `json:"id"`
	Channel  int     `json:"channel,omitempty"`
	Speaker  *int    `json:"speaker,omitempty"`
	Start    float64 `json:"start"`
	End      float64 `json:"end"`
	Language string  `json:"language,omitempty"`
	Text     string  `json:"text"`
}

// NewLive returns the redaction of a session.
func NewLive(config messages.PIIRedactionConfig) *Live {
	l := &Live{config: config, types: Types(config), known: newValues()}
	l.known.limit = liveValues
	l.numeric = slices.ContainsFunc(numbers, func(kind string) bool { return l.types[kind] })
	return l
}

// RedactLive implements [addon.LiveRedactor].
func (Addon) RedactLive(q *messages.LiveRequest) addon.LiveRedaction {
	if !q.RealtimeProcessing.PIIRedaction {
		return nil
	}
	return NewLive(q.RealtimeProcessing.PIIRedactionConfig)
}

// Partial implements [addon.LiveRedaction].
func (l *Live) Partial(u messages.Utterance) messages.Utterance {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.redact(l.known.clone(), l.past, u, true)
}

// Final implements [addon.LiveRedaction].
func (l *Live) Final(id string, u messages.Utterance) messages.Utterance {
	l.mu.Lock()
	defer l.mu.Unlock()
	// one that is made again after a takeover has the context that it had
	l.past = slices.DeleteFunc(l.past, func(p pastTurn) bool { return p.ID == id })
	at, _ := slices.BinarySearchFunc(l.past, u.Start, func(p pastTurn, start float64) int {
		return cmp.Or(cmp.Compare(p.Start, start), -1)
	})
	out := l.redact(l.known, l.past[:at], u, false)
	l.past = slices.Insert(l.past, at, pastTurnOf(id, u))
	l.forget()
	l.count++
	return out
}

func pastTurnOf(id string, u messages.Utterance) pastTurn {
	text := u.Text
	if n := len(u.Words); n > 0 {
		text = messages.TextOf(u.Words[max(0, n-turnWords):])
	}
	return pastTurn{id, u.Channel, u.Speaker, u.Start, u.End, u.Language, text}
}

// forget drops the oldest utterances that are beyond the bounds.
func (l *Live) forget() {
	words, from := 0, len(l.past)
	for from > 0 && len(l.past)-from < liveTurns && words < liveWords {
		from--
		words += len(split(l.past[from].Text))
	}
	l.past = slices.Delete(l.past, 0, from)
}

// redact hides the entities of an utterance after others. If it panics, nothing of the utterance is
// left.
func (l *Live) redact(known values, past []pastTurn, u messages.Utterance, partial bool) (out messages.Utterance) {
	defer func() {
		if recover() != nil {
			out = withoutText(u)
		}
	}()
	if !l.config.BestEffort && len(lacking(l.config, []string{u.Language})) > 0 {
		return withoutText(u)
	}
	us := make([]messages.Utterance, 0, len(past)+1)
	for _, p := range past {
		us = append(us, messages.Utterance{Channel: p.Channel, Speaker: p.Speaker, Start: p.Start, End: p.End,
			Language: p.Language, Text: p.Text})
	}
	r := &Redactor{types: l.types, mask: l.config.ProcessedTextType == "MASK", known: known}
	us = append(us, u)
	return r.last(us, func(k *conversation, t *turn) []hit {
		return append(l.unfinished(k, t, partial), l.readBack(us, k, t)...)
	})
}

// last hides the entities of the last of the utterances, and the hits that more returns.
func (r *Redactor) last(us []messages.Utterance, more func(*conversation, *turn) []hit) messages.Utterance {
	k := newConversation(us)
	n := len(us) - 1
	t := k.turns[n]
	hits := map[*turn][]hit{t: r.find(k, t)}
	found := len(hits[t])
	if len(t.digits()) >= echoLeast {
		for _, o := range k.turns[max(0, n-echoReach):n] {
			if !t.sameVoice(o) {
				hits[o] = r.find(k, o)
			}
		}
	}
	k.echoes(hits)
	for _, row := range t.rows {
		r.known.again(row, hits)
	}
	own := hits[t]
	u, _ := r.apply(t, merge(len(t.words), own[:found:found], own[found:], more(k, t)))
	return u
}

// unfinished returns what of a turn may be the beginning of a value.
func (l *Live) unfinished(k *conversation, t *turn, partial bool) []hit {
	if isBackchannel(t.words) {
		return nil
	}
	var list []hit
	add := func(from, to int, kind string) {
		if from = max(from, 0); from < to {
			list = append(list, hit{from: from, to: to, kind: kind, marker: "[" + kind + "]"})
		}
	}
	for _, v := range k.views(t) {
		d, ok := entities.Dictating(v.words, v.begins, t.Language)
		if kind := l.kindOf(d, partial); ok && !v.cards && kind != "" {
			add(d.From-v.at, d.To-v.at, kind)
		}
	}
	if partial && l.numeric {
		for _, f := range entities.Digits(t.words, t.Language, partialDigits) {
			add(f.From, f.To, f.Type)
		}
	}
	return list
}

// readBack returns the digits of the last turn that are those of a number that another voice began
// shortly before, and that were hidden as unfinished.
func (l *Live) readBack(us []messages.Utterance, k *conversation, t *turn) []hit {
	digits, n := t.digits(), len(us)-1
	if len(digits) < partialDigits {
		return nil
	}
	for i := max(0, n-echoReach); i < n; i++ {
		if o := k.turns[i]; o.sameVoice(t) || o.digits() != digits {
			continue
		}
		then := newConversation(us[:i+1])
		if hidden := l.unfinished(then, then.turns[i], false); len(hidden) > 0 {
			hidden[0].piece = digits
			return t.echo(hidden[0])
		}
	}
	return nil
}

// kindOf returns the type under which a dictation is hidden; empty: it is not.
func (l *Live) kindOf(d entities.Dictation, partial bool) string {
	kinds, least := d.Kinds, finalDigits
	if partial {
		least = partialDigits
	}
	if partial || d.Digits > 1 || d.To-d.From > 1 {
		kinds = slices.Concat(kinds, d.Hints)
	}
	for _, kind := range kinds {
		if l.types[kind] {
			return kind
		}
	}
	if l.numeric && d.Digits >= least || l.types["NUMERICAL_PII"] && len(d.Kinds) > 0 {
		return "NUMERICAL_PII"
	}
	return ""
}

// withoutText is an utterance with a mask for all that was said.
func withoutText(u messages.Utterance) messages.Utterance {
	u.Text = " " + mask
	if len(u.Words) > 0 {
		w := u.Words[0]
		w.Word, w.End = u.Text, u.Words[len(u.Words)-1].End
		u.Words = messages.List[messages.Word]{w}
	}
	return u
}
