package gateway

import (
	"context"
	"errors"
	"fmt"

	"steno/messages"
	"steno/session/asr"
	"steno/session/speaker"
)

// notApart says why speakers were not told apart.
type notApart = messages.AddonResult[messages.List[messages.Utterance]]

// tellApart tells apart the speakers of what was heard, where that is wanted. The worker does it, and before the other add-ons
// come: it takes the processor, and the audio, which is held no longer than that.
func (a *attempt) tellApart(ctx context.Context, path string) error {
	if !a.request.Diarization {
		return nil
	}
	defer func() { a.voices = nil }()
	heard := &a.heard.Transcription
	heard.Utterances, a.apart = a.server.deps.Ways.TellApart(ctx, heard.Utterances,
		func(ctx context.Context, us []messages.Utterance) ([]messages.Utterance, error) {
			return a.speakers(ctx, path, us)
		})
	if err := ctx.Err(); err != nil {
		return fmt.Errorf("tell speakers apart: %w", err)
	}
	return nil
}

// speakers tells the utterances' speakers apart.
func (a *attempt) speakers(ctx context.Context, path string, us []messages.Utterance) ([]messages.Utterance, error) {
	channels, err := a.hear(ctx, path)
	if err != nil {
		return nil, err
	}
	c := a.request.DiarizationConfig
	want := speaker.Wanted{Exactly: count(c.NumberOfSpeakers), Min: count(c.MinSpeakers), Max: count(c.MaxSpeakers)}
	turns, err := a.turns(ctx, channels, us, want)
	if err != nil {
		return nil, err
	}
	return speaker.Assign(us, turns), nil
}

// turns are those of each channel: by an engine's models where there are some for it, else by what is embedded. An engine
// takes one channel, and an exact number of speakers or none.
func (a *attempt) turns(ctx context.Context, channels [][]int16, us []messages.Utterance, want speaker.Wanted) ([][]speaker.Turn, error) {
	if d := a.server.deps.Diarizer; d != nil && len(channels) == 1 && want.Min == 0 && want.Max == 0 {
		turns, err := d.Diarize(ctx, channels[0], asr.Speakers{Exactly: want.Exactly})
		if !errors.Is(err, asr.ErrUnavailable) {
			return [][]speaker.Turn{turns}, err
		}
	}
	return speaker.Channels(ctx, channels, speechOf(us, len(channels)), want)
}

func count(n *int) int {
	if n == nil {
		return 0
	}
	return min(*n, 1000) // more cannot be told apart
}

// speechOf is where each channel speaks, by its words.
func speechOf(us []messages.Utterance, channels int) [][]speaker.Span {
	speech := make([][]speaker.Span, channels)
	for _, u := range us {
		if u.Channel < channels {
			speech[u.Channel] = append(speech[u.Channel], speaker.Span{Start: int(u.Start * asr.Rate), End: int(u.End * asr.Rate)})
		}
	}
	return speech
}
