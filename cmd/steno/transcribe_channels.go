package main

import (
	"context"
	"errors"
	"io"

	"steno/audio"
	"steno/messages"
)

// distinct is the recording with one of each of its channels that hold the same, as jobs have it. To find them a recording of
// several channels is opened once more.
func (r recording) distinct(ctx context.Context, c Recordings, path string) (recording, error) {
	if r.format.Channels == 1 {
		return r, nil
	}
	again, err := openRecording(ctx, c, path)
	if err != nil {
		return r, err
	}
	channels, err := audio.DistinctChannels(again, again.format)
	if err := errors.Join(err, again.Close()); err != nil {
		return r, err
	}
	picked, format := audio.Pick(r, r.format, channels)
	if r.bytes > 0 {
		r.bytes = r.bytes / int64(r.format.FrameBytes()) * int64(format.FrameBytes())
	}
	r.ReadCloser = struct {
		io.Reader
		io.Closer
	}{picked, r.ReadCloser}
	r.format, r.channels = format, channels
	return r, nil
}

// renumber gives utterances the numbers that their channels have in the file.
func (r recording) renumber(us []messages.Utterance) {
	if r.channels == nil {
		return
	}
	for i := range us {
		us[i].Channel = r.channels[us[i].Channel]
	}
}
