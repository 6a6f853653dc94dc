package session

import (
	"errors"
	"slices"
	"strconv"
	"strings"

	"steno/messages"
	"steno/session/asr"
	"steno/vad"
)

const (
	// leastSpeech is the speech, in ticks, beyond which an utterance is asked about again if an
	// engine finds no words in it: 0.6 s.
	leastSpeech = 60
	// maxAnswers bounds how often an utterance is given to engines that answer nothing.
	maxAnswers = 8
)

// unheard records the engines that recognized nothing in an utterance with speech. It belongs to
// the collector.
type unheard struct {
	first   asr.Result // the first of the empty finals
	engines []string   // those that returned one, in order
}

// isUnheard reports whether a final has no words although speech was heard, and no guard of the
// engine has dropped any.
func isUnheard(u *utterance, r asr.Result) bool {
	return len(r.Words) == 0 && r.Dropped == "" && u.spoken() > leastSpeech
}

// add records an empty final. It returns false if no other engine is left to ask: the same engine
// has answered again, or too many have.
func (n *unheard) add(r asr.Result) (more bool) {
	if len(n.engines) == 0 {
		n.first = r
	}
	again := len(n.engines) > 1 && n.engines[len(n.engines)-1] == r.Engine
	n.engines = append(n.engines, r.Engine)
	return !again && len(n.engines) < maxAnswers
}

// passed returns how many engines the next attempt must skip. The first engine is asked twice,
// since its empty answer may have been a temporary fault.
func (n *unheard) passed() int { return max(len(n.engines)-1, 0) }

// askAgain sends an utterance with an empty final to the next engine, and reports whether one
// accepted it.
func (c *collector) askAgain(u *utterance, r asr.Result) bool {
	if c.cfg.Unheard != nil {
		c.cfg.Unheard(r.Engine)
	}
	return u.unheard.add(r) && c.feedAgain(u) == nil
}

// concede accepts that an utterance has no words, and reports it.
func (c *collector) concede(u *utterance) {
	engines := slices.Clone(u.unheard.engines)
	slices.Sort(engines)
	from, to := c.lane.span(u)
	c.emit(messages.Key{Kind: messages.KindError, Subject: unheardSubject + u.id},
		messages.Unheard{Utterance: u.id, From: from, To: to, Engines: slices.Compact(engines)}.Failure())
	c.final(u, u.unheard.first)
}

// unheardSubject is the prefix of the subjects of events that report unheard utterances.
const unheardSubject = "unheard-"

// maxMarked bounds how many utterances without words a result names, each by a warning of its own.
const maxMarked = 50

// untranscribedSubject is the prefix of the subjects of events that report utterances that engines
// have refused or lost.
const untranscribedSubject = "untranscribed-"

// forItself reports whether the error means that every engine that was asked refused or lost the
// utterance.
func forItself(cause error) bool {
	return errors.Is(cause, asr.ErrNoOther) || errors.Is(cause, asr.ErrLanguage) || errors.Is(cause, asr.ErrTooLong)
}

// mark reports that an utterance has no words because every engine refused or lost it. The session
// continues, and its result has the rest.
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

// markOf returns the text of an event that reports an utterance without words, and whether engines
// have refused or lost it.
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
	texts   []string // reports of the first maxMarked
	refused int      // those that engines have refused or lost
	more    int      // those beyond maxMarked
}

// add records an event, and reports whether it is that of an utterance without words.
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

// leastVoice is the least speech, in ticks, of an utterance whose words are believed: 0.15 s. The
// shortest words have more. Most clicks, barks and drum beats that pass for speech have less, and
// recognizers return words for them.
const leastVoice = 15

// believed removes the words of a final if hardly any speech was heard. It keeps them if the
// request has a lower threshold than the default, and after a forced cut, where speech came before.
func (c *collector) believed(u *utterance, r asr.Result) asr.Result {
	wary := c.cfg.Request.PreProcessing.SpeechThreshold >= vad.DefaultThreshold
	if len(r.Words) == 0 || !wary || u.onset == u.from || u.spoken() >= leastVoice {
		return r
	}
	if c.cfg.Noise != nil {
		c.cfg.Noise(r.Engine)
	}
	r.Words, r.Dropped = nil, "noise"
	return r
}
