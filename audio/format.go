package audio

import "fmt"

// MaxChannels is the greatest number of interleaved channels of a stream.
const MaxChannels = 8

// Format is what a stream's bytes mean: interleaved samples of Channels channels at SampleRate Hz,
// BitDepth bits each, without padding.
type Format struct {
	Encoding   Encoding
	BitDepth   int // bits of one sample, one of the depths of the encoding
	SampleRate int // Hz: 8000, 16000, 24000, 32000, 44100 or 48000
	Channels   int // 1 to MaxChannels
}

// Validate reports the first fault of a Format. Every method but Validate and String needs a valid
// Format.
func (f Format) Validate() error {
	if err := f.Encoding.checkDepth(f.BitDepth); err != nil {
		return err
	}
	switch f.SampleRate {
	case 8000, 16000, 24000, 32000, 44100, 48000:
	default:
		return fmt.Errorf("sample rate %d Hz: must be 8000, 16000, 24000, 32000, 44100 or 48000", f.SampleRate)
	}
	if f.Channels < 1 || f.Channels > MaxChannels {
		return fmt.Errorf("%d channels: must be 1 to %d", f.Channels, MaxChannels)
	}
	return nil
}

// String describes the Format for messages to people, as in "wav/pcm 16 bit 16000 Hz 1 ch".
func (f Format) String() string {
	return fmt.Sprintf("%s %d bit %d Hz %d ch", f.Encoding, f.BitDepth, f.SampleRate, f.Channels)
}

// FrameBytes is the size of one sample of all channels.
func (f Format) FrameBytes() int { return f.BitDepth / 8 * f.Channels }

// TickFrames is the number of samples per channel in one tick (10 ms) at the declared rate.
func (f Format) TickFrames() int { return f.SampleRate / ticksPerSecond }

// TickBytes is the size of one tick (10 ms) of all channels.
func (f Format) TickBytes() int { return f.TickFrames() * f.FrameBytes() }

// Seconds is the duration of so many bytes of the stream.
func (f Format) Seconds(bytes int64) float64 {
	return float64(bytes) / float64(f.FrameBytes()*f.SampleRate)
}
