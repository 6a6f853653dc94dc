package media

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"steno/audio"
)

// Track selects tracks of audio of a recording.
type Track int

// The tracks that have no number.
const (
	// DefaultTrack is the one that the file marks for playing; where that is silent from beginning
	// to end, the first that is not.
	DefaultTrack Track = 0
	// AllTracks is every track, as channels of its own.
	AllTracks Track = -1
)

// NthTrack is the track of an index, which counts from 0.
func NthTrack(index int) Track { return Track(index + 1) }

// TrackInfo describes a track of audio.
type TrackInfo struct {
	Channels int
	Codec    string
	Language string // code, or empty
	Title    string // may be empty
	Default  bool   // is to be played
}

// String describes the track for clients.
func (t TrackInfo) String() string {
	parts := []string{t.Codec, fmt.Sprintf("%d ch", t.Channels)}
	if t.Language != "" && t.Language != "und" {
		parts = append(parts, t.Language)
	}
	if t.Title != "" {
		parts = append(parts, fmt.Sprintf("%.60q", t.Title))
	}
	return strings.Join(parts, ", ")
}

// tracks describes the tracks; nil where there is one only.
func (r *report) tracks() (list []TrackInfo) {
	if len(r.Streams) < 2 {
		return nil
	}
	for _, s := range r.Streams {
		title := s.Tags["title"]
		if handler := s.Tags["handler_name"]; title == "" && handler != "SoundHandler" {
			title = handler
		}
		list = append(list, TrackInfo{s.Channels, s.Codec, s.Tags["language"], title, s.Disposition.Default != 0})
	}
	return list
}

// Of returns a decoder of other tracks, which shares everything with d. It is called when the
// sandbox was tried.
func (d *Decoder) Of(t Track) *Decoder {
	other := *d
	other.track = t
	return &other
}

// CheckTrack returns an Error where a recording has no such track.
func (i Info) CheckTrack(t Track) error {
	n := max(1, len(i.Tracks))
	if int(t) <= n {
		return nil
	}
	text := fmt.Sprintf("The recording has %d audio tracks: audio_track must be 0 to %d.", n, n-1)
	if n == 1 {
		text = "The recording has one audio track: audio_track must be 0."
	}
	return &Error{NoTrack, text, nil}
}

// selected returns the tracks to be decoded, in order; of several by default, the one that comes
// first is to be played.
func (d *Decoder) selected(all []source) ([]source, error) {
	if err := all[0].CheckTrack(d.track); err != nil {
		return nil, err
	}
	switch {
	case d.track == AllTracks:
		return all, nil
	case d.track > 0:
		for _, src := range all {
			if src.index == int(d.track)-1 {
				return []source{src.omitting("")}, nil
			}
		}
		return nil, &Error{Unsupported, "The audio of this track is in an unknown format.", nil}
	}
	at := slices.IndexFunc(all, func(s source) bool { return s.Tracks != nil && s.Tracks[s.index].Default })
	src := all[max(at, 0)]
	return []source{src.omitting("unless it is silent from beginning to end")}, nil
}

// omitting notes which tracks are left out where one is transcribed, on a condition or without.
func (s source) omitting(condition string) source {
	var others []string
	for i, t := range s.Tracks {
		if i != s.index {
			others = append(others, fmt.Sprintf("track %d (%s)", i, t))
		}
	}
	s.Omitted = nil
	if others != nil {
		s.Omitted = []string{fmt.Sprintf("The recording has %d audio tracks. Track %d is transcribed%s, without "+
			"%s: audio_track chooses another, or \"all\".",
			len(s.Tracks), s.index, strings.TrimRight(" "+condition, " "), strings.Join(others, ", "))}
	}
	return s
}

// audible returns in place of a default track that is silent from beginning to end the first one
// that is not.
func (d *Decoder) audible(ctx context.Context, file *os.File, chosen, all []source) ([]source, error) {
	if d.track != DefaultTrack || len(all) < 2 {
		return chosen, nil
	}
	for _, src := range append(chosen, all...) {
		silent, err := d.silent(ctx, file, src)
		if err != nil {
			return nil, err
		}
		if silent {
			continue
		}
		if src.index != chosen[0].index {
			src = src.omitting("")
			src.Omitted[0] = fmt.Sprintf("Track %d, which is to be played by default, is silent. ", chosen[0].index) +
				src.Omitted[0]
			return []source{src}, nil
		}
		break
	}
	return chosen, nil
}

// faint is the greatest sample of silence, of 16 bits.
const faint = 8

// silent decodes a track until it is heard.
func (d *Decoder) silent(ctx context.Context, file *os.File, src source) (bool, error) {
	f := outputFormat(src)
	f.BitDepth = 16
	r, err := d.decode(ctx, file, f, src)
	if err != nil {
		return false, &Error{Failed, "The recording could not be decoded.", err}
	}
	defer r.Close()
	buf := make([]byte, 64<<10)
	for {
		n, err := io.ReadFull(r, buf)
		for i := 0; i+1 < n; i += 2 {
			if v := int16(binary.LittleEndian.Uint16(buf[i:])); v > faint || v < -faint {
				return false, nil
			}
		}
		switch {
		case errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF):
			return true, nil
		case err != nil:
			return false, err
		}
	}
}

// commonFormat is the format to which tracks are decoded together, with the channels of all.
func commonFormat(chosen []source) audio.Format {
	f := outputFormat(chosen[0])
	for _, src := range chosen[1:] {
		one := outputFormat(src)
		if f.BitDepth = max(f.BitDepth, one.BitDepth); one.SampleRate != f.SampleRate {
			f.SampleRate = 48000
		}
		f.Channels += one.Channels
	}
	return f
}

// decodeAll starts to decode tracks to a format with the channels of all.
func (d *Decoder) decodeAll(ctx context.Context, file *os.File, f audio.Format, chosen []source) (reader, error) {
	if len(chosen) == 1 {
		return d.decode(ctx, file, f, chosen[0])
	}
	all := &mixer{frame: f.FrameBytes()}
	for _, src := range chosen {
		one := f
		one.Channels = src.Channels
		r, err := d.decode(ctx, file, one, src)
		if err != nil {
			return nil, errors.Join(err, all.Close())
		}
		all.tracks = append(all.tracks, track{ffmpegReader: r, frame: one.FrameBytes()})
	}
	return all, nil
}

// mixer interleaves the frames of tracks. Those that end earlier are filled up with silence.
type mixer struct {
	tracks []track
	frame  int    // bytes of all tracks
	held   []byte // frames that were not read yet
	buf    []byte
}

// track is one of them.
type track struct {
	*ffmpegReader
	frame int
	buf   []byte
	over  bool
}

const mixedFrames = 4096

// Read returns what has been interleaved.
func (m *mixer) Read(p []byte) (int, error) {
	if len(m.held) == 0 {
		if err := m.mix(); err != nil {
			return 0, err
		}
	}
	n := copy(p, m.held)
	m.held = m.held[n:]
	return n, nil
}

// mix interleaves the next frames.
func (m *mixer) mix() error {
	if m.buf == nil {
		m.buf = make([]byte, mixedFrames*m.frame)
	}
	clear(m.buf)
	frames, at := 0, 0
	for i := range m.tracks {
		t := &m.tracks[i]
		n, err := t.fill()
		if err != nil {
			return err
		}
		for k := range n {
			copy(m.buf[k*m.frame+at:], t.buf[k*t.frame:(k+1)*t.frame])
		}
		frames, at = max(frames, n), at+t.frame
	}
	if frames == 0 {
		return io.EOF
	}
	m.held = m.buf[:frames*m.frame]
	return nil
}

// fill reads frames, fewer than mixedFrames at the end of the track.
func (t *track) fill() (frames int, err error) {
	if t.over {
		return 0, nil
	}
	if t.buf == nil {
		t.buf = make([]byte, mixedFrames*t.frame)
	}
	n, err := io.ReadFull(t.ffmpegReader, t.buf)
	if t.over = errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF); t.over {
		err = nil
	}
	return n / t.frame, err
}

// Close ends all processes.
func (m *mixer) Close() (err error) {
	for _, t := range m.tracks {
		err = errors.Join(err, t.ffmpegReader.Close())
	}
	return err
}

// Fault returns the first fault of a track.
func (m *mixer) Fault() error {
	for _, t := range m.tracks {
		if t.fault != nil {
			return t.fault
		}
	}
	return nil
}
