package transcribe

import (
	"context"
	"io"
	"slices"

	"steno/audio"
	"steno/audio/media"
	"steno/messages"
)

// Stream reads the interleaved samples of a recording. Its reader closes it.
type Stream interface {
	io.ReadCloser
	Format() audio.Format
}

// Source starts to decode a recording from its beginning. Each call returns the same samples. The
// context must live as long as the stream is read.
type Source func(ctx context.Context) (Stream, error)

// File is the source of a recording in a file.
func File(d *media.Decoder, path string) Source {
	return func(ctx context.Context) (Stream, error) {
		stream, err := d.Open(ctx, path)
		if err != nil {
			return nil, err // not a Stream that holds a nil pointer
		}
		return stream, nil
	}
}

// Recording is a recording with its first decoding under way.
type Recording struct {
	Format   audio.Format // of the samples, with all channels of the file
	Channels []int        // those that are transcribed, ascending; see [audio.DistinctChannels]
	Omitted  []string     // what of the file is left out and why, in sentences for the client

	source Source
	stream Stream
}

// Decode starts to decode a recording and finds out which of its channels are to be transcribed.
// Where there are several channels, the recording is decoded a second time for that, as far as it
// takes. The caller closes the recording.
func Decode(ctx context.Context, source Source) (*Recording, error) {
	stream, err := source(ctx)
	if err != nil {
		return nil, err
	}
	r := &Recording{Format: stream.Format(), Channels: []int{0}, source: source, stream: stream}
	if s, ok := stream.(*media.Stream); ok {
		r.Omitted = s.Info().Omitted
	}
	if r.Format.Channels == 1 {
		return r, nil
	}
	if r.Channels, err = distinct(ctx, source); err != nil {
		_ = stream.Close() // the error that is returned came first
		return r, err
	}
	return r, nil
}

// distinct decodes a recording to compare its channels.
func distinct(ctx context.Context, source Source) ([]int, error) {
	stream, err := source(ctx)
	if err != nil {
		return nil, err
	}
	defer func() { _ = stream.Close() }() // nothing more is read
	return audio.DistinctChannels(stream, stream.Format())
}

// Close ends the first decoding. The recording can be decoded again after that.
func (r *Recording) Close() error { return r.stream.Close() }

// Samples returns the samples of the transcribed channels, and their format. They are read once.
func (r *Recording) Samples() (io.Reader, audio.Format) { return r.pick(r.stream) }

// pick returns of samples those of the transcribed channels, and their format.
func (r *Recording) pick(from io.Reader) (io.Reader, audio.Format) {
	return audio.Pick(from, r.Format, r.Channels)
}

// Renumber changes the channels of utterances from their index among the transcribed ones to their
// number in the file.
func (r *Recording) Renumber(us []messages.Utterance) {
	for i := range us {
		us[i].Channel = r.Channels[us[i].Channel]
	}
}

// omitted lists the channels of the file that are not transcribed: each is silent or holds what a
// transcribed one holds.
func (r *Recording) omitted() []int {
	var list []int
	for channel := range r.Format.Channels {
		if !slices.Contains(r.Channels, channel) {
			list = append(list, channel)
		}
	}
	return list
}
