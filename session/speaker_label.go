package session

import (
	"fmt"

	"steno/messages"
	"steno/session/speaker"
)

// speakerLabels numbers the speakers of a lane's finals where the request asks for diarization: by channel where there
// are several channels, else by voice. It belongs to the lane's collector.
type speakerLabels struct {
	tracker *speaker.Tracker // nil: not by voice
	channel *int             // nil: not by channel
}

func newSpeakerLabels(r *messages.LiveRequest, channel int) speakerLabels {
	switch {
	case !r.RealtimeProcessing.Diarization:
		return speakerLabels{}
	case r.Channels > 1:
		return speakerLabels{channel: &channel}
	}
	return speakerLabels{tracker: speaker.NewTracker(0)}
}

// label is the speaker's number of an utterance whose audio the function returns, nil without diarization. It is called once
// for each final with words, in their order.
func (s *speakerLabels) label(audio func() []int16) *int {
	if s.tracker == nil {
		return s.channel
	}
	n := s.tracker.Add(audio())
	return &n
}

// appendState appends the voices known so far to a lane's checkpoint.
func (s *speakerLabels) appendState(b []byte) []byte {
	if s.tracker == nil {
		return b
	}
	return s.tracker.AppendState(b)
}

func (s *speakerLabels) restoreState(b []byte) error {
	if s.tracker == nil {
		return nil
	}
	if _, err := s.tracker.RestoreState(b); err != nil {
		return fmt.Errorf("%w: %w", errCheckpoint, err)
	}
	return nil
}
