package loadtest

import (
	"time"

	"steno/audio"
)

// track is the audio of one live session: recordings of one format one after the other, from the beginning again when
// they are through, as long as needed. Its bytes are a function of the position alone.
type track struct {
	name   string
	format audio.Format
	loop   [][]byte
	period int64 // bytes of one round
	offset int64 // of the first byte played within the round
	length int64 // bytes in all
}

// onceTrack plays one recording.
func onceTrack(c *Clip) *track {
	return &track{name: c.Name, format: c.Format, loop: [][]byte{c.Data}, period: int64(len(c.Data)), length: int64(len(c.Data))}
}

// loopTrack plays for d, beginning with clips[first] and going on with the others of its format.
func loopTrack(clips []*Clip, first int, d time.Duration) *track {
	t := &track{name: clips[first].Name, format: clips[first].Format}
	for i := range clips {
		c := clips[(first+i)%len(clips)]
		if c.Format != t.format {
			continue
		}
		t.loop = append(t.loop, c.Data)
		t.period += int64(len(c.Data))
	}
	t.length = t.bytes(d)
	return t
}

// startAt moves the beginning of the track to a part of the round, 0 to 1.
func (t *track) startAt(part float64) {
	frame := int64(t.format.FrameBytes())
	t.offset = int64(part*float64(t.period)) / frame * frame
}

// at gives between 1 and n bytes from position pos on; pos lies within the track. The slice is read only.
func (t *track) at(pos, n int64) []byte {
	n = min(n, t.length-pos)
	off := (t.offset + pos) % t.period
	for _, part := range t.loop {
		if off < int64(len(part)) {
			return part[off:min(off+n, int64(len(part)))]
		}
		off -= int64(len(part))
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
