package session

import (
	"strconv"
	"strings"

	"steno/audio"
	"steno/messages"
)

// Loss is an incident by which the ledger may have lost what a client was told to be kept.
type Loss struct {
	Number int64 // tells the losses of a session apart
	From   int64 // length that the journal was left with, in bytes: what followed may be missing
}

// Message is what clients are told of the loss in a recording of a format.
func (l Loss) Message(f audio.Format) messages.Loss {
	if f.Channels == 0 {
		return messages.Loss{}
	}
	return messages.Loss{From: messages.Seconds(samples(f.Seconds(l.From)))}
}

// lossSubject begins the subjects of the events that tell of losses.
const lossSubject = "loss-"

// key is that of the event that tells of the loss. The log keeps one however often the session is restored.
func (l Loss) key() messages.Key {
	return messages.Key{Kind: messages.KindError, Subject: lossSubject + strconv.FormatInt(l.Number, 10)}
}

// tellLosses emits an event for each loss.
func (r *recording) tellLosses() {
	for _, l := range r.cfg.Losses {
		r.emit(l.key(), l.Message(r.format).Failure())
	}
}

// lossOf returns the warning of an event that tells of a loss.
func lossOf(e messages.Event) (w messages.Warning, ok bool, err error) {
	if e.Kind != messages.KindError || !strings.HasPrefix(e.Subject, lossSubject) {
		return w, false, nil
	}
	m, err := e.Decode()
	f, _ := m.(messages.Failure)
	return messages.LossWarning(f.Message), true, err
}
