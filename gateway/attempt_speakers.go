package gateway

import (
	"context"
	"errors"

	"steno/messages"
	"steno/session/asr"
	"steno/session/speaker"
)

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
