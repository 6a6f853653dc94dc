package transcribe

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"time"

	"steno/messages"
	"steno/session/addon/diarization"
	"steno/session/asr"
	"steno/session/speaker"
)

const (
	// maxDiarized bounds the audio that is diarized, over all channels: it is held in memory, 115
	// MB an hour.
	maxDiarized = 6 * 3600 * asr.Rate // samples
	// maxBuffered bounds how much of it is held from its transcription on. A longer recording is
	// decoded once more when it is needed, so that it does not fill the memory while it is
	// transcribed.
	maxBuffered = 3600 * asr.Rate // samples
	// maxSpeakers is more than can be recognized.
	maxSpeakers = 1000
)

// Diarize attributes what is said to speakers, where the job wants that: utterances are numbered by
// their speakers, and split where the speaker changes. If that fails, the utterances stay as they
// are and Diarization states why; the only error is the context's. The transcript that is returned
// holds no audio.
func (j Job) Diarize(ctx context.Context, t Transcript) (Transcript, error) {
	if !j.Request.Diarization {
		return t, nil
	}
	t.Transcription.Utterances, t.Diarization = diarization.Run(ctx, j.Addons, t.Transcription.Utterances,
		func(ctx context.Context, us []messages.Utterance) ([]messages.Utterance, error) {
			turns, err := j.turns(ctx, &t, us)
			if err != nil {
				return nil, err
			}
			return speaker.Assign(us, turns), nil
		})
	t.audio = nil
	if err := ctx.Err(); err != nil {
		return Transcript{}, fmt.Errorf("tell speakers apart: %w", err)
	}
	return t, nil
}

// turns returns the turns of the speakers, by channel of the file.
func (j Job) turns(ctx context.Context, t *Transcript, us []messages.Utterance) ([][]speaker.Turn, error) {
	samples, err := t.samples(ctx)
	if err != nil {
		return nil, err
	}
	c := j.Request.DiarizationConfig
	want := speaker.Count{Exactly: count(c.NumberOfSpeakers), Min: count(c.MinSpeakers), Max: count(c.MaxSpeakers)}
	turns, err := j.channelTurns(ctx, samples, speechOf(us, t.recording.Channels), want)
	if err != nil {
		return nil, err
	}
	all := make([][]speaker.Turn, t.recording.Format.Channels)
	for i, channel := range t.recording.Channels {
		all[channel] = turns[i]
	}
	return all, nil
}

// channelTurns asks the diarizer where there is one for what is wanted, else what is embedded. A
// diarizer takes one channel, and an exact number of speakers or none.
func (j Job) channelTurns(ctx context.Context, samples [][]int16, speech [][]speaker.Span,
	want speaker.Count) ([][]speaker.Turn, error) {
	if j.Diarizer != nil && len(samples) == 1 && want.Min == 0 && want.Max == 0 {
		turns, err := j.Diarizer.Diarize(ctx, samples[0], asr.Speakers{Exactly: want.Exactly})
		if !errors.Is(err, asr.ErrUnavailable) {
			return [][]speaker.Turn{turns}, err
		}
	}
	return speaker.Channels(ctx, samples, speech, want)
}

func count(n *int) int {
	if n == nil {
		return 0
	}
	return min(*n, maxSpeakers)
}

// speechOf returns where each of the channels has speech, by its utterances.
func speechOf(us []messages.Utterance, channels []int) [][]speaker.Span {
	speech := make([][]speaker.Span, len(channels))
	for _, u := range us {
		if i := slices.Index(channels, u.Channel); i >= 0 {
			speech[i] = append(speech[i], speaker.Span{Start: int(u.Start * asr.Rate), End: int(u.End * asr.Rate)})
		}
	}
	return speech
}

// samples returns the transcribed channels of the recording at 16 kHz: as they were buffered during
// transcription, else decoded again. The transcript drops its buffer.
func (t *Transcript) samples(ctx context.Context) ([][]int16, error) {
	if buffered := t.audio; buffered != nil {
		t.audio = nil
		if channels, ok := buffered.samples(); ok {
			return channels, nil
		}
	}
	if int(t.Metadata.AudioDuration*asr.Rate)*len(t.recording.Channels) > maxDiarized {
		return nil, diarization.TooLong(maxDiarized * time.Second / asr.Rate)
	}
	stream, err := t.recording.source(ctx)
	if err != nil {
		return nil, err
	}
	defer func() { _ = stream.Close() }() // all was read, or there is another error
	picked, format := t.recording.pick(stream)
	all, err := newSampler(format, maxDiarized)
	if err != nil {
		return nil, err
	}
	if _, err := io.Copy(all, picked); err != nil {
		return nil, err
	}
	channels, ok := all.samples()
	if !ok {
		return nil, diarization.TooLong(maxDiarized * time.Second / asr.Rate)
	}
	return channels, nil
}
