package session

import (
	"slices"

	"steno/session/asr"
)

// maxGap is the longest silence, in samples, between utterances of which the later one is decoded in the context of the earlier: 1.5 s.
const maxGap = 3 * asr.Rate / 2

// chain is a series of utterances of a lane, each of which follows closely on the one before. What is said in it is the context of
// the utterance that comes next.
type chain struct {
	start int64 // position of the first sample of its first utterance
	end   int64 // position after the last sample of its newest utterance that has ended
}

// noChain is that of a lane that has had no utterance.
var noChain = chain{-1, -1}

// contextFrom returns the position at which the context of an utterance that begins at from begins. It is from itself where there is none.
func (l *lane) contextFrom(from int64) int64 {
	if !l.contextual || l.chain == noChain || from-l.chain.end > maxGap {
		return from
	}
	return max(l.chain.start, from-asr.MaxContext)
}

// oldestContext returns the position of the oldest sample of the context of utterances that may still come, or the end of the buffer
// where they will have none.
func (l *lane) oldestContext() int64 {
	next := l.endpointer.Keep() // the earliest position at which another may begin
	if !l.contextual || l.running == nil && l.contextFrom(next) == next {
		return l.buffer.end()
	}
	return max(l.chain.start, next-asr.MaxContext)
}

// resume is called before the first tick after a restart. It begins the utterance that goes on after a forced cut, and computes the
// samples of its context; on a lane that cannot do that at any time, those of the next utterance as well.
func (l *lane) resume() error {
	if !l.restored {
		return nil
	}
	l.restored = false
	if l.past == nil || l.resumeAt >= 0 {
		if err := l.recall(l.history, l.oldestContext()); err != nil {
			return err
		}
	}
	if l.resumeAt < 0 {
		return nil
	}
	return l.begin(l.resumeAt, l.resumeAt)
}

// follow adds an utterance that begins at from to the chain, or begins another chain with it. It returns the utterance's context.
func (l *lane) follow(from int64) []int16 {
	first := l.contextFrom(from)
	if first == from {
		l.chain = chain{from, from}
	}
	return slices.Clone(l.buffer.slice(first, from))
}
