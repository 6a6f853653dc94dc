package gateway

import (
	"context"
	"io"
	"slices"

	"steno/audio"
	"steno/audio/media"
	"steno/messages"
	"steno/session/addon/redact"
)

// Channels of a recording that hold the same are transcribed once, as the first of them, and those without a sound not at all:
// see [audio.DistinctChannels]. In between, channels are numbered as they are transcribed; what clients are shown has the
// numbers of the file.

// tellDistinct finds the channels to be transcribed. Where there are several the recording is decoded for it, as far as it takes.
func (a *attempt) tellDistinct(ctx context.Context, path string, f audio.Format) error {
	a.channels, a.distinct = f.Channels, []int{0}
	if f.Channels == 1 {
		return nil
	}
	stream, err := a.server.deps.Media.Open(ctx, path)
	if err != nil {
		return err
	}
	defer func() { _ = stream.Close() }() // what was wanted was read, or an error told
	a.distinct, err = audio.DistinctChannels(stream, f)
	return err
}

// picked is what is transcribed of a recording, and its format.
func (a *attempt) picked(from io.Reader, stream *media.Stream) (io.Reader, audio.Format) {
	return audio.Pick(from, stream.Format(), a.distinct)
}

// renumber gives utterances the numbers that their channels have in the file.
func (a *attempt) renumber(us []messages.Utterance) {
	for i := range us {
		us[i].Channel = a.distinct[us[i].Channel]
	}
}

// everywhere are the spans, also on the channels that were not transcribed: they hold the same.
func (a *attempt) everywhere(spans []redact.Span) []redact.Span {
	all := slices.Clone(spans)
	for c := range a.channels {
		if slices.Contains(a.distinct, c) {
			continue
		}
		for _, s := range spans {
			s.Channel = c
			all = append(all, s)
		}
	}
	return all
}
