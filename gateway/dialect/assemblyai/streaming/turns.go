package streaming

import "steno/messages"

const (
	maxSilence = 10_000 // ms: the longest that may be asked for
	usualLeast = 400    // ms of min_turn_silence, where a client does not state it
	usualMost  = 1280   // ms of max_turn_silence, likewise

	// hangover is how many seconds of silence the detector hears before it calls them that: they
	// come before those of the session's endpointing.
	hangover = 0.2
	shortest = 0.01 // seconds: of the session's endpointing
)

// turns is how turns end, as far as a client states it. What is nil is not stated.
type turns struct {
	least, most *float64 // ms of silence that end a turn, if that is sure, or is not
	sure        *float64 // how sure it must be
	threshold   *float64 // how sure it must be that there is speech
}

// merge adds what changes states.
func (t *turns) merge(changes turns) {
	for _, pair := range []struct{ own, changed **float64 }{
		{&t.least, &changes.least}, {&t.most, &changes.most},
		{&t.sure, &changes.sure}, {&t.threshold, &changes.threshold},
	} {
		if *pair.changed != nil {
			*pair.own = *pair.changed
		}
	}
}

// endpointing is after how many seconds of silence turns end, as sessions count them. No model
// tells how sure the end of a turn is: each is as sure as need be, but of a client that asks for
// the impossible and so waits for the longer silence.
func (t *turns) endpointing() float64 {
	least, most := value(t.least, usualLeast), value(t.most, usualMost)
	silence := min(least, most)
	if t.most == nil {
		silence = least
	}
	if value(t.sure, 0) >= 1 {
		silence = max(least, most)
	}
	return max(shortest, silence/1000-hangover)
}

func value(v *float64, missing float64) float64 {
	if v == nil {
		return missing
	}
	return *v
}

// update is the change of a session that changes ask for, where t has them already.
func (t *turns) update(changes turns) (u messages.Update) {
	if changes.least != nil || changes.most != nil || changes.sure != nil {
		seconds := t.endpointing()
		u.Endpointing = &seconds
	}
	u.Threshold = changes.threshold
	return u
}
