package gateway

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"

	"steno/audio"
	"steno/messages"
	"steno/session/addon/remote"
	"steno/session/asr"
	"steno/session/speaker"
)

// maxVoices bounds the audio in which speakers are told apart, over all channels: it is held in memory, 115 MB an hour.
const maxVoices = 6 * 3600 * asr.Rate // samples

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

// hear decodes the recording anew: the samples of each channel, at 16 kHz.
func (a *attempt) hear(ctx context.Context, path string) ([][]int16, error) {
	stream, err := a.server.deps.Media.Open(ctx, path)
	if err != nil {
		return nil, err
	}
	defer func() { _ = stream.Close() }() // all was read, or an error told
	f := stream.Format()
	if int(a.seconds*asr.Rate)*f.Channels > maxVoices {
		return nil, &remote.Error{
			StatusCode: http.StatusRequestEntityTooLarge, Exception: "RecordingTooLong",
			Message: fmt.Sprintf("speakers are told apart in recordings of up to %d hours, all channels together", maxVoices/asr.Rate/3600),
		}
	}
	fronts := make([]*audio.Front, f.Channels)
	for i := range fronts {
		if fronts[i], err = audio.NewFront(f, i, false); err != nil {
			return nil, err
		}
	}
	return split(ctx, stream, f, fronts)
}

// split brings every channel of a stream to 16 kHz.
func split(ctx context.Context, from io.Reader, f audio.Format, fronts []*audio.Front) ([][]int16, error) {
	channels := make([][]int16, len(fronts))
	tick := make([]byte, f.TickBytes())
	var block [audio.TickSamples]int16
	for ctx.Err() == nil {
		n, err := io.ReadFull(from, tick)
		ended := errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF)
		if err != nil && !ended {
			return nil, err
		}
		if n < len(tick) { // what is not a whole tick is less than a phoneme
			break
		}
		for i, front := range fronts {
			front.Tick(tick, block[:])
			channels[i] = append(channels[i], block[:]...)
		}
	}
	for i, front := range fronts {
		channels[i] = channels[i][min(front.Delay(), len(channels[i])):]
	}
	return channels, ctx.Err()
}
