package audio

import "io"

// Pick returns a reader of some channels of interleaved samples, in their order, and the format of
// what it reads. The channels are ascending and of the format. Where all are picked, the samples
// are read as they are.
func Pick(from io.Reader, f Format, channels []int) (io.Reader, Format) {
	if len(channels) == f.Channels {
		return from, f
	}
	picked := f
	picked.Channels = len(channels)
	return &picker{from: from, format: f, channels: channels, frames: make([]byte, pickFrames*f.FrameBytes())}, picked
}

const pickFrames = 4096

// picker reads frames, and returns of each the samples of some channels.
type picker struct {
	from     io.Reader
	format   Format
	channels []int
	frames   []byte // room for what is read
	ready    []byte // to be returned, at the beginning of frames
	part     []byte // of an unfinished frame, after ready
	err      error
}

func (p *picker) Read(to []byte) (int, error) {
	for len(p.ready) == 0 {
		if p.err != nil || len(to) == 0 {
			return 0, p.err
		}
		p.fill()
	}
	n := copy(to, p.ready)
	p.ready = p.ready[n:]
	return n, nil
}

// fill reads some frames and brings the samples that are wanted to their beginning. A frame that is
// not whole at the end is left out.
func (p *picker) fill() {
	size, width := p.format.FrameBytes(), p.format.BitDepth/8
	n := copy(p.frames, p.part)
	read, err := p.from.Read(p.frames[n:])
	n += read
	p.err = err
	whole := n / size * size
	kept := p.frames[:0]
	for at := 0; at < whole; at += size {
		for _, c := range p.channels {
			kept = append(kept, p.frames[at+c*width:at+(c+1)*width]...)
		}
	}
	p.ready, p.part = kept, p.frames[whole:n]
}
