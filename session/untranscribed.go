package session

import (
	"errors"
	"strconv"
	"strings"

	"steno/messages"
	"steno/session/asr"
)

// maxMarked bounds how many utterances without words a result names, each by a warning of its own.
const maxMarked = 50

// untranscribedSubject begins the subjects of the events that report utterances that engines have refused or lost.
const untranscribedSubject = "untranscribed-"

// forItself reports whether the error by which an utterance was given up says that every engine that was asked has refused or lost
// it.
func forItself(cause error) bool {
	return errors.Is(cause, asr.ErrNoOther) || errors.Is(cause, asr.ErrLanguage) || errors.Is(cause, asr.ErrTooLong)
}

// mark reports that an utterance has no words since every engine has refused or lost it. The session continues, and its result has
// the rest.
func (c *collector) mark(u *utterance) {
	from, to := c.lane.span(u)
	c.emit(messages.Key{Kind: messages.KindError, Subject: untranscribedSubject + u.id},
		messages.Untranscribed{Utterance: u.id, From: from, To: to}.Failure())
}

// span returns where in the recording an utterance's speech lies, in seconds.
func (l *lane) span(u *utterance) (from, to float64) {
	u.mu.Lock()
	until := u.until
	if until == 0 {
		until = u.from + u.length
	}
	u.mu.Unlock()
	return l.seconds(u.onset), l.seconds(until)
}

// markOf returns the text of an event that reports an utterance without words, and whether engines have refused or lost it.
func markOf(e messages.Event) (text string, refused, ok bool, err error) {
	refused = strings.HasPrefix(e.Subject, untranscribedSubject)
	if e.Kind != messages.KindError || !refused && !strings.HasPrefix(e.Subject, unheardSubject) {
		return "", false, false, nil
	}
	m, err := e.Decode()
	f, _ := m.(messages.Failure)
	return f.Message, refused, true, err
}

// marks are the utterances without words of a log.
type marks struct {
	texts   []string // what is said of the first maxMarked
	refused int      // those that engines have refused or lost
	more    int      // those beyond maxMarked
}

// add notes an event, and reports whether it is that of an utterance without words.
func (m *marks) add(e messages.Event) (ok bool, err error) {
	text, refused, ok, err := markOf(e)
	if !ok {
		return false, nil
	}
	if refused {
		m.refused++
	}
	if len(m.texts) < maxMarked {
		m.texts = append(m.texts, text)
	} else {
		m.more++
	}
	return true, err
}

// warnings are those of the result.
func (m *marks) warnings() (list []messages.Warning) {
	for _, text := range m.texts {
		list = append(list, messages.UtteranceWarning(text))
	}
	if m.more > 0 {
		list = append(list, messages.UtteranceWarning("so it was with "+strconv.Itoa(m.more)+" more utterances"))
	}
	return list
}
