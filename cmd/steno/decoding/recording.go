package decoding

import (
	"context"
	"errors"

	"steno/audio"
	"steno/cmd/steno/config"
	"steno/session/transcribe"
)

// Recording is a recording being decoded.
type Recording struct {
	*transcribe.Recording
	Bytes int64 // of the transcribed channels, about; -1: not known
}

// ErrNoAudio reports a complete file without any audio; silence is audio.
var ErrNoAudio = errors.New("the recording holds no audio")

// Open opens a file of any format. To find the channels to be transcribed it may be opened
// twice.
func Open(ctx context.Context, c config.Recordings, path string) (Recording, error) {
	r := Recording{}
	var err error
	r.Recording, err = transcribe.Decode(ctx, func(ctx context.Context) (stream transcribe.Stream, err error) {
		stream, r.Bytes, err = openStream(ctx, c, path)
		return stream, err
	})
	if err == nil && r.Bytes > 0 {
		r.Bytes = r.Bytes / int64(r.Format.Channels) * int64(len(r.Channels))
	}
	return r, err
}

// openStream opens a file of any format, and returns about how many bytes it has; -1: not known.
// WAV of a declared format needs no decoder.
func openStream(ctx context.Context, c config.Recordings, path string) (transcribe.Stream, int64, error) {
	if wav, err := audio.OpenWAV(path); err == nil {
		if wav.DataBytes == 0 {
			return nil, 0, errors.Join(ErrNoAudio, wav.Close())
		}
		return wavStream{wav}, wav.DataBytes, nil
	}
	decoder, err := Decoder(ctx, c)
	if err != nil {
		return nil, 0, err
	}
	stream, err := decoder.As(path).Open(ctx, path)
	if err != nil {
		return nil, 0, err
	}
	f, bytes := stream.Format(), int64(-1)
	if seconds := stream.Info().Seconds; seconds > 0 {
		bytes = int64(seconds*float64(f.SampleRate)) * int64(f.FrameBytes())
	}
	return stream, bytes, nil
}

// wavStream is a WAV file as a stream of samples.
type wavStream struct{ *audio.WAVFile }

func (w wavStream) Format() audio.Format { return w.WAVFile.Format }
