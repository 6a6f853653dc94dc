package gateway

import (
	"context"
	"fmt"
	"io"
	"net/http"

	"steno/audio"
	"steno/session/addon/remote"
	"steno/session/asr"
)

const (
	// maxVoices bounds the audio in which speakers are told apart, over all channels: it is held in memory, 115 MB an hour.
	maxVoices = 6 * 3600 * asr.Rate // samples
	// maxHeld bounds what of it is held from the transcription on. A longer recording is decoded once more when it is
	// needed, so that it does not fill the memory while it is transcribed.
	maxHeld = 3600 * asr.Rate // samples
)

// voices gathers the channels of a recording at 16 kHz, from what is written to it.
type voices struct {
	format   audio.Format
	most     int            // samples of all channels together
	fronts   []*audio.Front // of each channel
	part     []byte         // the beginning of a tick
	channels [][]int16
	over     bool // there was more than that: nothing is kept
}

func newVoices(f audio.Format, most int) (*voices, error) {
	v := &voices{format: f, most: most, fronts: make([]*audio.Front, f.Channels), channels: make([][]int16, f.Channels)}
	for i := range v.fronts {
		var err error
		if v.fronts[i], err = audio.NewFront(f, i, false); err != nil {
			return nil, err
		}
	}
	return v, nil
}

// Write takes audio in the recording's format, cut anywhere. It never fails.
func (v *voices) Write(p []byte) (int, error) {
	n, size := len(p), v.format.TickBytes()
	for !v.over && len(v.part)+len(p) >= size {
		tick := p[:size-len(v.part)]
		p = p[len(tick):]
		if len(v.part) > 0 {
			tick = append(v.part, tick...)
			v.part = v.part[:0]
		}
		v.tick(tick)
	}
	if !v.over {
		v.part = append(v.part, p...)
	}
	return n, nil
}

func (v *voices) tick(raw []byte) {
	var block [audio.TickSamples]int16
	for i, front := range v.fronts {
		front.Tick(raw, block[:])
		v.channels[i] = append(v.channels[i], block[:]...)
	}
	if len(v.channels)*len(v.channels[0]) > v.most {
		v.over, v.channels = true, nil
	}
}

// samples are those of each channel, none if there were too many. What is not a whole tick at the end, less than a phoneme, is
// left out. It is called once, when all is written.
func (v *voices) samples() [][]int16 {
	for i, channel := range v.channels {
		v.channels[i] = channel[min(v.fronts[i].Delay(), len(channel)):]
	}
	return v.channels
}

// hear is the recording at 16 kHz, by channel: what was held when it was transcribed, else decoded anew. It is held no
// longer then.
func (a *attempt) hear(ctx context.Context, path string) ([][]int16, error) {
	if v := a.voices; v != nil {
		a.voices = nil
		if !v.over {
			return v.samples(), nil
		}
	}
	tooLong := &remote.Error{
		StatusCode: http.StatusRequestEntityTooLarge, Exception: "RecordingTooLong",
		Message: fmt.Sprintf("speakers are told apart in recordings of up to %d hours, all channels together", maxVoices/asr.Rate/3600),
	}
	if int(a.seconds*asr.Rate)*len(a.distinct) > maxVoices {
		return nil, tooLong
	}
	stream, err := a.server.deps.Media.Open(ctx, path)
	if err != nil {
		return nil, err
	}
	defer func() { _ = stream.Close() }() // all was read, or an error told
	picked, format := a.picked(stream, stream)
	v, err := newVoices(format, maxVoices)
	if err != nil {
		return nil, err
	}
	if _, err := io.Copy(v, picked); err != nil {
		return nil, err
	}
	if v.over {
		return nil, tooLong
	}
	return v.samples(), nil
}
