package media

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"steno/audio"
)

// Info describes the first audio stream of a file.
type Info struct {
	Container  string  // as in "wav", "mp3", "mp4", "webm"
	Codec      string  // ffmpeg's name, as in "pcm_s16le", "aac"
	Seconds    float64 // by the header, or an estimate where that does not say; 0: nothing is known
	Exact      bool    // Seconds is what decoding comes to: of WAV of bare samples, and of what was measured
	Channels   int
	SampleRate int // Hz
}

// minScore is the least certainty, of 100, that a file is what ffprobe takes it for, if it does not begin like that. A
// few bytes that look like frames of MP3 amid anything else count 1.
const minScore = 5

// source is a file that was looked at.
type source struct {
	Info
	bits    int  // of a sample, 0 where the codec has no such thing
	guessed bool // Seconds is an estimate, by the bit rate at the beginning
}

// Probe looks at a file without decoding it. Errors are *Error, or of ctx.
func (d *Decoder) Probe(ctx context.Context, path string) (Info, error) {
	file, err := openRegular(path)
	if err != nil {
		return Info{}, err
	}
	defer file.Close()
	if wav, err := audio.OpenWAV(path); err == nil {
		info, err := d.admitWAV(wav)
		return info, errors.Join(err, wav.Close())
	}
	src, err := d.look(ctx, file)
	if err != nil {
		return Info{}, err
	}
	return src.Info, d.admitSource(src)
}

// admitSource is admit for what ffprobe has looked at. An estimate says nothing of a recording that begins with silence: whether
// that is too long is known when it is decoded.
func (d *Decoder) admitSource(src source) error {
	info := src.Info
	if src.guessed {
		info.Seconds = 0
	}
	return d.admit(info)
}

// admit refuses what is known to be beyond the limits.
func (d *Decoder) admit(info Info) error {
	if info.Channels > d.limits.Channels {
		return &Error{Damaged, "The recording has " + strconv.Itoa(info.Channels) + " channels; at most " +
			strconv.Itoa(d.limits.Channels) + " are supported.", nil}
	}
	if info.Seconds > d.limits.Seconds {
		return tooLong(d.limits.Seconds, nil)
	}
	return nil
}

// admitWAV refuses a file that needs no decoder also where it has no samples: nothing but its header tells.
func (d *Decoder) admitWAV(wav *audio.WAVFile) (Info, error) {
	info := wavInfo(wav)
	err := d.admit(info)
	if err == nil && wav.DataBytes == 0 {
		err = &Error{Damaged, "The recording holds no audio.", nil}
	}
	return info, err
}

// report is what ffprobe writes.
type report struct {
	Streams []struct {
		Codec      string `json:"codec_name"`
		SampleRate string `json:"sample_rate"`
		Channels   int    `json:"channels"`
		Bits       int    `json:"bits_per_sample"`
		RawBits    string `json:"bits_per_raw_sample"`
		BitRate    string `json:"bit_rate"`
		Duration   string `json:"duration"`
	} `json:"streams"`
	Format struct {
		Name     string `json:"format_name"`
		Duration string `json:"duration"`
		Score    int    `json:"probe_score"`
	} `json:"format"`
}

// look asks ffprobe.
func (d *Decoder) look(ctx context.Context, file *os.File) (source, error) {
	beginning, err := sniff(file)
	if err != nil {
		return source{}, err
	}
	args := append([]string{"-v", "warning", "-threads", "1", "-of", "json", "-select_streams", "a:0", "-show_entries",
		"stream=codec_name,sample_rate,channels,bits_per_sample,bits_per_raw_sample,bit_rate,duration" +
			":format=format_name,duration,probe_score"}, d.input()...)
	out, warnings, err := d.output(ctx, file, d.ffprobe, args...)
	if ctx.Err() != nil {
		return source{}, ctx.Err()
	}
	if known, ok := errors.AsType[*Error](err); ok {
		return source{}, known
	}
	if err != nil {
		return source{}, beginning.refusal(err)
	}
	r, err := parseReport(out)
	if err != nil {
		return source{}, err
	}
	src, err := r.source(beginning, file)
	src.guessed = bytes.Contains(warnings, []byte("Estimating duration from bitrate")) && !constantRate(src.Codec)
	return src, err
}

func parseReport(data []byte) (*report, error) {
	r := new(report)
	if err := json.Unmarshal(data, r); err != nil {
		return nil, &Error{Failed, "The recording could not be examined.", err}
	}
	return r, nil
}

func (r *report) source(beginning magic, file *os.File) (source, error) {
	if r.Format.Score < minScore && !beginning.known {
		return source{}, beginning.refusal(errors.New("resembles " + r.Format.Name + " by chance"))
	}
	if len(r.Streams) == 0 {
		return source{}, &Error{Unsupported, "The file has no audio stream.", nil}
	}
	s := r.Streams[0]
	rate, _ := strconv.Atoi(s.SampleRate)
	if s.Codec == "" || s.Codec == "unknown" {
		return source{}, &Error{Unsupported, "The audio is in an unknown format.", nil}
	}
	if rate < 1000 || rate > 1_000_000 || s.Channels < 1 {
		return source{}, beginning.refusal(errors.New("no sensible sample rate or channels"))
	}
	raw, _ := strconv.Atoi(s.RawBits)
	src := source{bits: max(raw, s.Bits), Info: Info{
		Container: container(r.Format.Name, beginning), Codec: s.Codec, Channels: s.Channels, SampleRate: rate,
		Seconds: seconds(s.Duration)}}
	if src.Seconds == 0 {
		src.Seconds = seconds(r.Format.Duration)
	}
	if info, err := file.Stat(); err == nil && constantRate(s.Codec) {
		if bits := seconds(s.BitRate); bits > 0 { // the file cannot hold more than its size
			src.Seconds = min(src.Seconds, float64(info.Size())*8/bits)
		}
	}
	return src, nil
}

// constantRate reports whether a codec's bit rate is given by its format and not measured.
func constantRate(codec string) bool {
	return strings.HasPrefix(codec, "pcm_") || strings.HasPrefix(codec, "adpcm_")
}

// seconds parses a positive number, which may be missing or "N/A".
func seconds(s string) float64 {
	v, err := strconv.ParseFloat(s, 64)
	if err != nil || !(v > 0) {
		return 0
	}
	return v
}

// container picks one name where ffmpeg has several for a family.
func container(name string, beginning magic) string {
	switch {
	case strings.HasPrefix(name, "mov,"):
		return "mp4"
	case strings.HasPrefix(name, "matroska") && beginning.webm:
		return "webm"
	}
	first, _, _ := strings.Cut(name, ",")
	return filepath.Base(first)
}

func wavInfo(w *audio.WAVFile) Info {
	codec := "pcm_s" + strconv.Itoa(w.Format.BitDepth) + "le"
	switch {
	case w.Format.Encoding == audio.ALaw:
		codec = "pcm_alaw"
	case w.Format.Encoding == audio.MuLaw:
		codec = "pcm_mulaw"
	case w.Format.BitDepth == 8:
		codec = "pcm_u8"
	}
	return Info{Container: "wav", Codec: codec, Seconds: w.Format.Seconds(w.DataBytes), Exact: true,
		Channels: w.Format.Channels, SampleRate: w.Format.SampleRate}
}
