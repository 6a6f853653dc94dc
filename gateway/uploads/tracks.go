package uploads

import (
	"context"
	"slices"

	"steno/audio/media"
	"steno/messages"
)

// TrackOf returns the tracks that a request selects.
func TrackOf(t messages.AudioTrack) media.Track {
	if index, ok := t.Index(); ok {
		return media.NthTrack(index)
	}
	if t == messages.AllTracks {
		return media.AllTracks
	}
	return media.DefaultTrack
}

// single are the formats, by their names in uploads, that have one track of audio.
var single = []string{"wav", "mp3", "flac", "aac", "amr", "aiff", "au", "w64", "ogg"}

// Omitted returns what of an upload is left out where tracks are selected, in sentences for
// clients. Its errors are problems where there are no such tracks.
func (s *Service) Omitted(ctx context.Context, account, id string, t media.Track) ([]string, error) {
	if err := s.CheckMedia(ctx); err != nil {
		return nil, nil // the job is refused
	}
	upload, err := s.Store.Upload(ctx, account, id)
	if err != nil {
		return nil, err
	}
	if slices.Contains(single, upload.Extension) && t <= media.NthTrack(0) {
		return nil, nil
	}
	file, err := s.Store.OpenUpload(ctx, account, id)
	if err != nil {
		return nil, err
	}
	defer func() { _ = file.Close() }() // was only read
	info, err := s.probe(ctx, partyOf(&upload), s.Media.Of(t).As(upload.Extension), (*media.Decoder).Probe, file.Path())
	return info.Omitted, err
}
