package media

import (
	"context"
	"errors"
	"io"
	"os"
	"os/exec"
	"strconv"
	"time"

	"steno/audio"
)

// Stream gives the audio of one recording. It belongs to one goroutine, which must close it.
type Stream struct {
	info   Info
	format audio.Format
	limit  int64 // bytes
	from   decoding
	read   int64 // bytes given
	err    error // what Read gives from now on

	seconds float64 // longest recording
}

// decoding is where a Stream's bytes come from.
type decoding interface {
	Read(p []byte) (int, error) // io.EOF where all is well; any other error is final
	Close() error               // may be called once, and before the end
	Fault() error               // what was wrong although all is well, at the end; may be nil
}

// Open starts to decode a file. Errors, also those of Read, are *Error, or of ctx, which must live as long as the
// Stream is read; when it ends the decoder is killed.
func (d *Decoder) Open(ctx context.Context, path string) (*Stream, error) {
	file, err := openRegular(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	if wav, err := audio.OpenWAV(path); err == nil {
		return d.openWAV(ctx, wav)
	}
	src, err := d.look(ctx, file)
	if err == nil {
		err = d.admit(src.Info)
	}
	if err != nil {
		return nil, err
	}
	s := d.stream(src.Info, outputFormat(src))
	if s.from, err = d.decode(ctx, file, s.format); err != nil {
		return nil, &Error{Failed, "The recording could not be decoded.", err}
	}
	return s, nil
}

func (d *Decoder) stream(info Info, f audio.Format) *Stream {
	limit := int64(d.limits.Seconds*float64(f.SampleRate)) * int64(f.FrameBytes())
	return &Stream{info: info, format: f, limit: limit, seconds: d.limits.Seconds}
}

func (d *Decoder) openWAV(ctx context.Context, wav *audio.WAVFile) (*Stream, error) {
	info, err := d.admitWAV(wav)
	if err != nil {
		return nil, errors.Join(err, wav.Close())
	}
	s := d.stream(info, wav.Format)
	s.from = &plain{ctx, wav}
	return s, nil
}

// outputFormat is what a source is decoded to; see the package comment.
func outputFormat(src source) audio.Format {
	f := audio.Format{Encoding: audio.PCM, BitDepth: 16, SampleRate: src.SampleRate, Channels: src.Channels}
	if src.bits > 16 {
		f.BitDepth = 32
	}
	switch {
	case f.Validate() == nil:
	case src.SampleRate < audio.Rate:
		f.SampleRate = audio.Rate
	default:
		f.SampleRate = 48000
	}
	return f
}

// Format is what the bytes of Read are.
func (s *Stream) Format() audio.Format { return s.format }

// Info is what was known before decoding, as of Probe.
func (s *Stream) Info() Info { return s.info }

// Seconds is the duration of what Read gave so far: the true duration of the recording once Read gave io.EOF.
func (s *Stream) Seconds() float64 { return s.format.Seconds(s.read) }

// Read gives the next bytes, and io.EOF at the end of a recording that has any audio; in all a whole number of frames.
// A recording that breaks off ends there. After an error every further call gives the same.
func (s *Stream) Read(p []byte) (int, error) {
	if s.err != nil || len(p) == 0 {
		return 0, s.err
	}
	n, err := s.from.Read(p)
	if s.read+int64(n) > s.limit {
		n, err = int(s.limit-s.read), tooLong(s.seconds, nil)
	}
	s.read += int64(n)
	if err == io.EOF && s.read == 0 {
		err = &Error{Damaged, "The recording holds no audio.", s.from.Fault()}
	}
	s.err = err
	return n, err
}

// Close ends decoding, also before the end, and returns when the decoder's processes are gone.
func (s *Stream) Close() error {
	if s.from == nil {
		return nil
	}
	err := s.from.Close()
	s.from = nil
	if s.err == nil {
		s.err = errClosed
	}
	return err
}

// plain is a WAV file that needs no decoder.
type plain struct {
	ctx context.Context
	wav *audio.WAVFile
}

func (r *plain) Read(p []byte) (int, error) {
	if err := r.ctx.Err(); err != nil {
		return 0, err
	}
	n, err := r.wav.Read(p)
	if err != nil && err != io.EOF {
		err = &Error{Failed, "The recording could not be read.", err}
	}
	return n, err
}

func (r *plain) Close() error { return r.wav.Close() }
func (r *plain) Fault() error { return nil }

// piped is ffmpeg at work.
type piped struct {
	*subprocess
	left   time.Duration // that Reads may still wait
	cpu    time.Duration // what the process may use
	waited bool
	fault  error // what ffmpeg complained of
}

// decode starts ffmpeg.
func (d *Decoder) decode(ctx context.Context, file *os.File, f audio.Format) (*piped, error) {
	codec := "s" + strconv.Itoa(f.BitDepth) + "le"
	args := append([]string{"-nostdin", "-hide_banner", "-v", "error", "-threads", "1", "-vn", "-sn", "-dn"}, d.input()...)
	args = append(args, "-map", "0:a:0", "-vn", "-sn", "-dn", "-map_metadata", "-1", "-threads", "1",
		"-filter_threads", "1", "-c:a", "pcm_"+codec, "-ar", strconv.Itoa(f.SampleRate))
	args = append(append(args, keepChannels(f.Channels)...), "-f", codec, "pipe:1")
	p, err := d.start(ctx, file, d.ffmpeg, args...)
	if err != nil {
		return nil, err
	}
	return &piped{subprocess: p, left: d.limits.Wall, cpu: d.limits.CPU}, nil
}

// keepChannels has each channel come out as it is. More than two have the layout of the source: to be told their number alone,
// ffmpeg would mix them into a layout of its own choice.
func keepChannels(n int) []string {
	if n > 2 {
		return nil
	}
	return []string{"-ac", strconv.Itoa(n)}
}

// Read waits for ffmpeg no longer than is left of the time that all Reads have together.
func (r *piped) Read(p []byte) (int, error) {
	from := time.Now()
	timer := time.AfterFunc(r.left, func() { r.stop(errSlow) })
	n, err := r.stdout.Read(p)
	timer.Stop()
	r.left -= time.Since(from)
	if err == nil {
		return n, nil
	}
	return n, r.end()
}

// end tells how decoding ended. That ffmpeg found faults is no error: it gave what there was.
func (r *piped) end() error {
	r.waited = true
	err := r.wait()
	if err == nil {
		return io.EOF
	}
	if starved := r.starved(err, r.cpu); starved != nil {
		return starved
	}
	if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	if _, exited := errors.AsType[*exec.ExitError](err); !exited || r.killed() { // crashed, or no memory was left
		return &Error{Failed, "The recording could not be decoded.", err}
	}
	r.fault = err
	return io.EOF
}

func (r *piped) Fault() error { return r.fault }

func (r *piped) Close() error {
	if !r.waited {
		r.stop(errClosed)
		_ = r.end()
	}
	return nil
}
