package waveform

import (
	"fmt"
	"io"

	"steno/audio"
	"steno/gateway/records"
	"steno/messages"
)

// span returns the seconds that a query asks for of a recording.
func span(q messages.PeaksQuery, duration float64) (from, to float64) {
	from, to = q.From, q.To
	if from < 0 {
		from += duration
	}
	if to == 0 {
		to = duration
	}
	from = min(max(from, 0), duration)
	return from, min(max(to, from), duration)
}

// peaksOf reads a part of a recording alone, and returns its peaks.
func peaksOf(recording *records.Recording, from, to float64, points int) (Peaks, error) {
	f := recording.Format()
	first := int(from * perSecond)
	length := int64(audio.PeakTicks * f.TickBytes())
	if _, err := recording.Seek(int64(first)*length, io.SeekStart); err != nil {
		return Peaks{}, fmt.Errorf("seek in recording: %w", err)
	}
	peaks := audio.NewPeaks(f)
	n := (int64(to*perSecond) - int64(first)) * length
	if _, err := io.Copy(peaks, io.LimitReader(recording, n)); err != nil {
		return Peaks{}, fmt.Errorf("read recording: %w", err)
	}
	answer := slice(peaks, 0, float64(peaks.Len())/perSecond, float64(first)/perSecond, points)
	answer.Duration = recording.Seconds()
	return answer, nil
}

// slice returns some seconds of peaks that begin at a time of their recording, in at most so many
// points of each channel.
func slice(p *audio.Peaks, from, to, begin float64, points int) Peaks {
	first, last := int(from*perSecond), min(int(to*perSecond+0.5), p.Len())
	first = min(first, last)
	every := max(1, (last-first+points-1)/points)
	f := p.Format()
	data := p.Join(first, last, every)
	return Peaks{
		Version: 2, Channels: f.Channels, SampleRate: f.SampleRate,
		SamplesPerPixel: every * audio.PeakTicks * f.TickFrames(), Bits: 8,
		Length: len(data) / (2 * f.Channels), Data: data,
		From: begin + float64(first)/perSecond, Duration: begin + float64(p.Len())/perSecond,
	}
}
