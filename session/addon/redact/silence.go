package redact

// Format is that of a recording: interleaved channels.
type Format struct {
	Encoding   string // wav/pcm, wav/alaw, wav/ulaw
	BitDepth   int    // 8 (unsigned), 16, 24, 32
	SampleRate int    // Hz
	Channels   int
}

// Silence makes the spans silent in a part of a recording that begins at the offset, in bytes. The part holds whole frames
// of all channels.
func Silence(p []byte, offset int64, spans []Span, f Format) {
	size := f.BitDepth / 8
	frame := size * f.Channels
	if frame <= 0 {
		return
	}
	first := offset / int64(frame)
	frames := int64(len(p) / frame)
	for _, s := range spans {
		if s.Channel < 0 || s.Channel >= f.Channels {
			continue
		}
		from := max(int64(s.Start*float64(f.SampleRate)), first)
		to := min(int64(s.End*float64(f.SampleRate))+1, first+frames)
		for i := from; i < to; i++ {
			at := int(i-first)*frame + s.Channel*size
			quiet(p[at:at+size], f)
		}
	}
}

// quiet makes one sample the nearest there is to none.
func quiet(sample []byte, f Format) {
	value := byte(0)
	switch {
	case f.Encoding == "wav/alaw":
		value = 0xd5
	case f.Encoding == "wav/ulaw":
		value = 0xff
	case f.BitDepth == 8:
		value = 0x80
	}
	for i := range sample {
		sample[i] = value
	}
}
