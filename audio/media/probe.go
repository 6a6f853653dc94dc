package media

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"steno/audio"
)

// Info describes the audio of a file.
type Info struct {
	Container  string  // as in "wav", "mp3", "mp4", "webm"
	Codec      string  // ffmpeg's name, as in "pcm_s16le", "aac"
	Seconds    float64 // by the header, else an estimate; 0: unknown
	Exact      bool    // Seconds is what decoding comes to: of WAV of bare samples, and of what was measured
	Channels   int
	SampleRate int // Hz

	Tracks  []TrackInfo // all audio tracks of the file; nil: it can have one only
	Omitted []string    // what of the audio is left out and why, in sentences for the client
}

// minScore is the least certainty, of 100, that a file is what ffprobe takes it for, if it does not
// begin like that. A few bytes that look like frames of MP3 amid anything else count 1.
const minScore = 5

// surely is the least certainty for a file that was given the name of a bare format.
const surely = 50

// source is a file that was looked at.
type source struct {
	Info
	bits    int     // of a sample, 0 where the codec has no such thing
	guessed bool    // Seconds is an estimate, by the bit rate at the beginning
	index   int     // of the track, among those of audio
	bare    string  // the bare format that its name declares; empty: it was recognized
	lead    float64 // seconds of the presentation before the first frame
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
	all, err := d.look(ctx, file)
	if err != nil {
		return Info{}, err
	}
	chosen, err := d.selected(all)
	if err != nil {
		return Info{}, err
	}
	return d.admitted(chosen)
}

// admitted returns what is known of the tracks together, or refuses them.
func (d *Decoder) admitted(chosen []source) (Info, error) {
	info := chosen[0].Info
	for _, src := range chosen {
		if err := d.admitSource(src); err != nil {
			return Info{}, err
		}
		info.Seconds = max(info.Seconds, src.Seconds)
	}
	for _, src := range chosen[1:] {
		info.Channels += src.Channels
	}
	return info, d.admit(Info{Channels: info.Channels})
}

// admitSource is admit for what ffprobe has looked at. An estimate is worthless for a recording
// that begins with silence: whether that is too long shows when it is decoded.
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

// admitWAV refuses a file that needs no decoder also where it has no samples: nothing but its
// header tells.
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
	Streams []streamReport `json:"streams"`
	Format  struct {
		Name     string `json:"format_name"`
		Duration string `json:"duration"`
		Start    string `json:"start_time"`
		Score    int    `json:"probe_score"`
	} `json:"format"`
}

// streamReport is what ffprobe writes of a stream of audio.
type streamReport struct {
	Codec       string `json:"codec_name"`
	SampleRate  string `json:"sample_rate"`
	Channels    int    `json:"channels"`
	Bits        int    `json:"bits_per_sample"`
	RawBits     string `json:"bits_per_raw_sample"`
	BitRate     string `json:"bit_rate"`
	Duration    string `json:"duration"`
	Start       string `json:"start_time"`
	Disposition struct {
		Default int `json:"default"`
	} `json:"disposition"`
	Tags map[string]string `json:"tags"`
}

// look asks ffprobe. It returns the tracks of audio, of which there is at least one.
func (d *Decoder) look(ctx context.Context, file *os.File) ([]source, error) {
	beginning, err := sniff(file)
	if err != nil {
		return nil, err
	}
	list, err := d.examine(ctx, file, beginning, "")
	if errors.Is(err, errUnknown) && d.bare != "" {
		return d.lookBare(ctx, file, err)
	}
	return list, err
}

// examine is look, of a bare format or of any other.
func (d *Decoder) examine(ctx context.Context, file *os.File, beginning magic, bare string) ([]source, error) {
	args := append([]string{"-v", "warning", "-threads", "1", "-of", "json", "-select_streams", "a", "-show_entries",
		"stream=codec_name,sample_rate,channels,bits_per_sample,bits_per_raw_sample,bit_rate,duration,start_time" +
			":stream_disposition=default:stream_tags=language,title,handler_name:format=format_name,duration,start_time,probe_score"}, d.input(bare)...)
	out, warnings, err := d.output(ctx, file, d.ffprobe, args...)
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if known, ok := errors.AsType[*Error](err); ok {
		return nil, known
	}
	if err != nil {
		return nil, beginning.refusal(err)
	}
	r, err := parseReport(out)
	if err != nil {
		return nil, err
	}
	if least := d.leastScore(); r.Format.Score < least && !beginning.known {
		return nil, beginning.refusal(errors.New("resembles " + r.Format.Name + " by chance"))
	}
	list, err := r.sources(beginning, file)
	for i := range list {
		list[i].guessed = bytes.Contains(warnings, []byte("Estimating duration from bitrate")) &&
			!constantRate(list[i].Codec)
	}
	return list, err
}

// leastScore is the certainty that a file must have which does not begin like what it is taken for.
func (d *Decoder) leastScore() int {
	if d.bare != "" {
		return surely
	}
	return minScore
}

func parseReport(data []byte) (*report, error) {
	r := new(report)
	if err := json.Unmarshal(data, r); err != nil {
		return nil, &Error{Failed, "The recording could not be examined.", err}
	}
	return r, nil
}

// sources returns the tracks that can be decoded.
func (r *report) sources(beginning magic, file *os.File) (list []source, err error) {
	if len(r.Streams) == 0 {
		return nil, &Error{Unsupported, "The file has no audio stream.", nil}
	}
	tracks := r.tracks()
	for i, s := range r.Streams {
		src, fault := r.source(s, beginning, file)
		if fault != nil {
			err = cmp.Or(err, fault)
			continue
		}
		src.index, src.Tracks = i, tracks
		list = append(list, src)
	}
	if len(list) > 0 {
		return list, nil
	}
	return nil, err
}

func (r *report) source(s streamReport, beginning magic, file *os.File) (source, error) {
	rate, _ := strconv.Atoi(s.SampleRate)
	if s.Codec == "" || s.Codec == "unknown" {
		return source{}, &Error{Unsupported, "The audio is in an unknown format.", nil}
	}
	if rate < 1000 || rate > 1_000_000 || s.Channels < 1 {
		return source{}, beginning.refusal(errors.New("no sensible sample rate or channels"))
	}
	raw, _ := strconv.Atoi(s.RawBits)
	src := source{bits: max(raw, s.Bits), lead: r.lead(s), Info: Info{
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

// absolute are the formats, by the beginnings of ffmpeg's names, whose time stamps count from the
// beginning of the presentation. Those of others, such as broadcasts, count from anywhere.
var absolute = [...]string{"mov,", "matroska", "avi"}

// longestLead is how far the audio may begin after the zero of time stamps, in seconds. Beyond it
// that is no beginning but the time of day, or of a broadcast.
const longestLead = 3600

// lead is how long after the beginning of the presentation a track begins. That is at the zero of
// time stamps, or with the first stream.
func (r *report) lead(s streamReport) float64 {
	first, _ := strconv.ParseFloat(r.Format.Start, 64)
	start, err := strconv.ParseFloat(s.Start, 64)
	if err != nil {
		return 0
	}
	if slices.ContainsFunc(absolute[:], func(name string) bool { return strings.HasPrefix(r.Format.Name, name) }) &&
		start <= longestLead {
		first = 0
	}
	if lead := start - first; lead > 0 && lead <= longestLead {
		return lead
	}
	return 0
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
	info := Info{Container: "wav", Codec: "pcm_" + w.Format.FFmpeg(), Seconds: w.Format.Seconds(w.DataBytes),
		Exact:    true,
		Channels: w.Format.Channels, SampleRate: w.Format.SampleRate}
	if w.Rest != nil {
		info.Omitted = []string{"What follows upon the first " + human(math.Round(info.Seconds)) +
			" of the file cannot be transcribed with it: " + w.Rest.Error() + "."}
	}
	return info
}
