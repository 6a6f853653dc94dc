package transcribe

import "steno/audio"

// sampler resamples the audio that is written to it to 16 kHz and keeps the samples of each
// channel, up to a limit.
type sampler struct {
	format   audio.Format
	limit    int            // samples of all channels together
	fronts   []*audio.Front // by channel
	part     []byte         // the beginning of a tick that is not complete
	channels [][]int16      // nil once the limit was exceeded
	exceeded bool
}

// newSampler returns a sampler for audio of a format. Beyond so many samples of all channels
// together it keeps nothing.
func newSampler(f audio.Format, limit int) (*sampler, error) {
	s := &sampler{format: f, limit: limit, fronts: make([]*audio.Front, f.Channels), channels: make([][]int16,
		f.Channels)}
	for i := range s.fronts {
		var err error
		if s.fronts[i], err = audio.NewFront(f, i, false); err != nil {
			return nil, err
		}
	}
	return s, nil
}

// Write takes audio of the format, cut anywhere. It never fails.
func (s *sampler) Write(p []byte) (int, error) {
	n, size := len(p), s.format.TickBytes()
	for !s.exceeded && len(s.part)+len(p) >= size {
		tick := p[:size-len(s.part)]
		p = p[len(tick):]
		if len(s.part) > 0 {
			tick = append(s.part, tick...)
			s.part = s.part[:0]
		}
		s.tick(tick)
	}
	if !s.exceeded {
		s.part = append(s.part, p...)
	}
	return n, nil
}

func (s *sampler) tick(raw []byte) {
	var block [audio.TickSamples]int16
	for i, front := range s.fronts {
		front.Tick(raw, block[:])
		s.channels[i] = append(s.channels[i], block[:]...)
	}
	if len(s.channels)*len(s.channels[0]) > s.limit {
		s.exceeded, s.channels = true, nil
	}
}

// samples returns the samples of each channel; ok is false where the limit was exceeded. An
// incomplete tick at the end, less than a phoneme, is left out. It is called once, after the last
// Write, and the caller owns the samples.
func (s *sampler) samples() (channels [][]int16, ok bool) {
	for i, channel := range s.channels {
		s.channels[i] = channel[min(s.fronts[i].Delay(), len(channel)):]
	}
	return s.channels, !s.exceeded
}
