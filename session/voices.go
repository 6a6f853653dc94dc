package session

import (
	"fmt"

	"steno/messages"
	"steno/session/speaker"
)

// voices numbers the speakers of a lane's finals, where that was asked for: by their voices, or by the channel where there
// are several. It belongs to the lane's collector.
type voices struct {
	tracker *speaker.Tracker // nil: not by voice
	channel *int             // nil: not by channel
}

func newVoices(r *messages.LiveRequest, channel int) voices {
	switch {
	case !r.RealtimeProcessing.Diarization:
		return voices{}
	case r.Channels > 1:
		return voices{channel: &channel}
	}
	return voices{tracker: speaker.NewTracker(0)}
}

// of is the speaker of an utterance, nil if speakers are not told apart. It is asked once for each final with words, in
// their order.
func (v *voices) of(audio []int16) *int {
	if v.tracker == nil {
		return v.channel
	}
	who := v.tracker.Add(audio)
	return &who
}

// appendState adds what is known of the voices to a lane's checkpoint.
func (v *voices) appendState(b []byte) []byte {
	if v.tracker == nil {
		return b
	}
	return v.tracker.AppendState(b)
}

func (v *voices) restoreState(b []byte) error {
	if v.tracker == nil {
		return nil
	}
	if _, err := v.tracker.RestoreState(b); err != nil {
		return fmt.Errorf("%w: %w", errCheckpoint, err)
	}
	return nil
}
