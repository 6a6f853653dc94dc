package session

import (
	"slices"

	"steno/messages"
	"steno/session/asr"
)

const (
	// leastSpeech is the speech, in ticks, beyond which an utterance without words is none that an engine may leave empty: 0.6 s.
	leastSpeech = 60
	// maxAnswers bounds how often an utterance is given to engines that answer nothing.
	maxAnswers = 8
)

// unheard is an utterance in which speech was heard and nothing was recognized. It belongs to the collector.
type unheard struct {
	first   asr.Result // the first of the empty finals
	engines []string   // those that gave one, in order
}

// isUnheard reports whether a final has no words although speech was heard, and no guard of the engine has dropped any.
func isUnheard(u *utterance, r asr.Result) bool {
	return len(r.Words) == 0 && r.Dropped == "" && u.spoken() > leastSpeech
}

// add notes an empty final. It returns false where no other engine is left to be asked: the one that was asked for another has
// answered again, or too many have.
func (n *unheard) add(r asr.Result) (more bool) {
	if len(n.engines) == 0 {
		n.first = r
	}
	again := len(n.engines) > 1 && n.engines[len(n.engines)-1] == r.Engine
	n.engines = append(n.engines, r.Engine)
	return !again && len(n.engines) < maxAnswers
}

// passed is how many engines are to be passed over when the utterance is given to one again. The first is asked twice: what has made it
// answer nothing may have been a moment's fault, and then the final is what it would have been.
func (n *unheard) passed() int { return max(len(n.engines)-1, 0) }

// askAgain gives an utterance with an empty final to the next engine, and reports whether one has taken it.
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

// unheardSubject begins the subjects of the events that report unheard utterances.
const unheardSubject = "unheard-"
