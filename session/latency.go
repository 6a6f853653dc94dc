package session

import "time"

// Latency is how long each stage of an utterance took on its way to the final.
type Latency struct {
	Utterance string    // its id
	Ended     time.Time // when endpointing ended the utterance

	Received   time.Duration // from receiving the utterance's last audio to giving it to the utterance, journal and detector included
	Endpointed time.Duration // from then until endpointing ended the utterance
	Queued     time.Duration // from then until an engine began the final, as the engine says; 0 where it says nothing
	Decoded    time.Duration // from then until the final was here, which includes the wait for an engine that takes audio late
}

// stages are the times at which an utterance reached its stages. They are guarded by the utterance's lock.
type stages struct {
	received time.Time // its newest audio, by the session
	given    time.Time // the same audio, to the utterance
	ended    time.Time
}

// latency returns the latency of an utterance whose final has come just now, after it was queued for so long.
func (u *utterance) latency(queued time.Duration) Latency {
	u.mu.Lock()
	defer u.mu.Unlock()
	s := u.stages
	waited := time.Since(s.ended)
	queued = min(queued, waited)
	return Latency{
		Utterance: u.id, Ended: s.ended, Received: between(s.received, s.given), Endpointed: between(s.given, s.ended), Queued: queued, Decoded: waited - queued,
	}
}

// between returns the time from one stage to the next; 0 if the first was never reached in this process.
func between(from, to time.Time) time.Duration {
	if from.IsZero() {
		return 0
	}
	return max(0, to.Sub(from))
}
