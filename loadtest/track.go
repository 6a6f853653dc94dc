package loadtest

import (
	"time"

	"steno/audio"
)

// part is one stretch of audio of a track: a recording or a pause.
type part struct {
	data       []byte
	transcript string // of a recording; empty: not known
}

// track is the audio of one live session: parts of one format one after the other, from the
// beginning again when they are through, as long as needed. Its bytes are a function of the
// position alone.
type track struct {
	name   string
	format audio.Format
	loop   []part
	period int64 // bytes of one round
	offset int64 // of the first byte played within the round
	length int64 // bytes in all
}

// onceTrack plays a recording and the pause after it.
func onceTrack(c *Clip) *track {
	t := &track{name: c.Name, format: c.Format}
	t.append(c)
	t.length = t.period
	return t
}

// loopTrack plays for d, beginning with clips[first] and continuing with the others of its format.
func loopTrack(clips []*Clip, first int, d time.Duration) *track {
	t := &track{name: clips[first].Name, format: clips[first].Format}
	for i := range clips {
		if c := clips[(first+i)%len(clips)]; c.Format == t.format {
			t.append(c)
		}
	}
	t.length = t.bytes(d)
	return t
}

func (t *track) append(c *Clip) {
	t.loop = append(t.loop, part{c.Data, c.Transcript})
	for _, b := range c.pause {
		t.loop = append(t.loop, part{data: b})
	}
	t.period = 0
	for _, p := range t.loop {
		t.period += int64(len(p.data))
	}
}

// startAt moves the beginning of the track to a place of the round, from 0 to 1.
func (t *track) startAt(place float64) {
	frame := int64(t.format.FrameBytes())
	t.offset = int64(place*float64(t.period)) / frame * frame
}

// at returns between 1 and n bytes from position pos on; pos lies within the track. The slice is
// read only.
func (t *track) at(pos, n int64) []byte {
	n = min(n, t.length-pos)
	off := (t.offset + pos) % t.period
	for _, p := range t.loop {
		if size := int64(len(p.data)); off < size {
			return p.data[off:min(off+n, size)]
		}
		off -= int64(len(p.data))
	}
	return nil
}

// read is at for n bytes in one piece where the track has them, across the joints of recordings.
func (t *track) read(pos, n int64) []byte {
	b := t.at(pos, n)
	n = min(n, t.length-pos)
	if int64(len(b)) == n {
		return b
	}
	whole := make([]byte, 0, n)
	for int64(len(whole)) < n {
		whole = append(whole, t.at(pos+int64(len(whole)), n-int64(len(whole)))...)
	}
	return whole
}

// bytes is how much audio d lasts, a whole number of frames.
func (t *track) bytes(d time.Duration) int64 {
	frames := int64(d.Seconds()*float64(t.format.SampleRate) + 0.5)
	return frames * int64(t.format.FrameBytes())
}

// duration is how long n bytes last.
func (t *track) duration(n int64) time.Duration {
	return time.Duration(t.format.Seconds(n) * float64(time.Second))
}
