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

// Stream is the decoded audio of one recording. It belongs to one goroutine, which must close it.
type Stream struct {
	info   Info
	format audio.Format
	limit  int64 // bytes
	from   reader
	read   int64 // bytes that Read has returned
	err    error // what Read returns from now on

	seconds float64 // longest recording
}

// reader is the source of a Stream's bytes.
type reader interface {
	Read(p []byte) (int, error) // io.EOF after the last byte; any other error is final
	Close() error               // called once; may be before the end
	Fault() error               // after io.EOF: faults of the recording that did not prevent decoding; may be nil
}

// Open starts to decode a file. Errors, also those of Read, are *Error, or of ctx, which must live
// as long as the Stream is read; when it ends the decoder is killed.
func (d *Decoder) Open(ctx context.Context, path string) (*Stream, error) {
	file, err := openRegular(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	if wav, err := audio.OpenWAV(path); err == nil {
		return d.openWAV(ctx, wav)
	}
	all, err := d.look(ctx, file)
	if err != nil {
		return nil, err
	}
	chosen, err := d.selected(all)
	if err == nil {
		chosen, err = d.audible(ctx, file, chosen, all)
	}
	if err != nil {
		return nil, err
	}
	info, err := d.admitted(chosen)
	if err != nil {
		return nil, err
	}
	s := d.stream(info, commonFormat(chosen))
	if s.from, err = d.decodeAll(ctx, file, s.format, chosen); err != nil {
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
	if err == nil {
		err = info.CheckTrack(d.track)
	}
	if err != nil {
		return nil, errors.Join(err, wav.Close())
	}
	if wav.Format.Validate() != nil {
		return d.convertWAV(ctx, wav, info)
	}
	s := d.stream(info, wav.Format)
	s.from = &wavReader{ctx, wav}
	return s, nil
}

// outputFormat returns the format to which a source is decoded; see the package comment.
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

// Format is the format of the bytes that Read returns.
func (s *Stream) Format() audio.Format { return s.format }

// Info is what was known before decoding, as Probe returns it.
func (s *Stream) Info() Info { return s.info }

// Seconds is the duration of what Read has returned so far: the true duration of the recording once
// Read has returned io.EOF.
func (s *Stream) Seconds() float64 { return s.format.Seconds(s.read) }

// Read returns the next bytes, and io.EOF at the end of a recording that has any audio; in all a
// whole number of frames. A recording that breaks off ends there. After an error every further call
// returns the same.
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

// Close ends decoding, also before the end of the recording, and returns when the decoder's
// processes have ended.
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

// wavReader reads a WAV file that needs no decoder.
type wavReader struct {
	ctx context.Context
	wav *audio.WAVFile
}

func (r *wavReader) Read(p []byte) (int, error) {
	if err := r.ctx.Err(); err != nil {
		return 0, err
	}
	n, err := r.wav.Read(p)
	if err != nil && err != io.EOF {
		err = &Error{Failed, "The recording could not be read.", err}
	}
	return n, err
}

func (r *wavReader) Close() error { return r.wav.Close() }
func (r *wavReader) Fault() error { return nil }

// ffmpegReader reads the audio that an ffmpeg process decodes.
type ffmpegReader struct {
	*subprocess
	lead   int64         // bytes of silence before the first frame, which begins later than the presentation
	left   time.Duration // time for which Read may still wait
	cpu    time.Duration // processor time that the process may use
	waited bool
	fault  error // the faults that ffmpeg reported
}

// decode starts ffmpeg for one track.
func (d *Decoder) decode(ctx context.Context, file *os.File, f audio.Format, src source) (*ffmpegReader, error) {
	args := append([]string{"-nostdin", "-hide_banner", "-v", "error", "-threads", "1", "-vn", "-sn", "-dn"},
		d.input(src.bare)...)
	args = append(args, "-map", "0:a:"+strconv.Itoa(src.index), "-vn", "-sn", "-dn", "-map_metadata", "-1")
	if src.bare == "" { // a bare format has no time stamps, and ffmpeg's of some are wrong
		args = append(args, "-af", keepHoles)
	}
	args = append(args, samplesOutput(f)...)
	p, err := d.start(ctx, file, d.ffmpeg, args...)
	if err != nil {
		return nil, err
	}
	lead := int64(src.lead*float64(f.SampleRate)) * int64(f.FrameBytes())
	return &ffmpegReader{subprocess: p, left: d.limits.Wall, cpu: d.limits.CPU, lead: lead}, nil
}

// keepHoles are filters of ffmpeg that fill holes in a recording with silence, such as those of a
// browser that paused, so that what follows is at its time. Time stamps that jump ahead by a
// quarter of a second, and by an hour at most, are believed. All others follow the frame before, in
// variable 0, whatever their value: then the second filter, which would also cut audio off where
// they go back, changes nothing. Variable 1 is what is added to time stamps; one that goes back, or
// ahead by more, changes it, so that holes are found in what follows too.
const keepHoles = "asetpts=if(isnan(PTS)\\,0\\,if(not(N)\\,st(1\\,-PTS)\\,st(2\\,PTS+ld(1)-ld(0))*0+" +
	"if(lt(ld(2)\\,-SR/4)+gt(ld(2)\\,3600*SR)\\,st(1\\,ld(0)-PTS)\\,if(gte(ld(2)\\,SR/4)\\,st(0\\,PTS+ld(1))))))*0+" +
	"st(3\\,ld(0))*0+st(0\\,ld(0)+NB_SAMPLES)*0+ld(3)," +
	"aresample=async=1"

// keepChannels returns ffmpeg's arguments for n channels, so that it mixes none. For more than two
// there are none, because ffmpeg would choose a layout for their number; without it the layout
// stays that of the source.
func keepChannels(n int) []string {
	if n > 2 {
		return nil
	}
	return []string{"-ac", strconv.Itoa(n)}
}

// Read waits for ffmpeg. All calls together wait for the limit at most.
func (r *ffmpegReader) Read(p []byte) (int, error) {
	if r.lead > 0 {
		n := min(r.lead, int64(len(p)))
		clear(p[:n])
		r.lead -= n
		return int(n), nil
	}
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

// end returns how decoding ended. Faults that ffmpeg reports are no error: it has decoded what
// could be decoded.
func (r *ffmpegReader) end() error {
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

func (r *ffmpegReader) Fault() error { return r.fault }

func (r *ffmpegReader) Close() error {
	if !r.waited {
		r.stop(errClosed)
		_ = r.end()
	}
	return nil
}
