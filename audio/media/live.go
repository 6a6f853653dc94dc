package media

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"

	"steno/audio"
)

// Live decodes a container as it comes: what is written to it becomes what is read from it, a WAV
// stream of 16-bit samples, at the rate of the container where the program has that. One goroutine
// writes, and calls CloseWrite; another reads, to the end, and then calls Close.
type Live struct {
	process *subprocess
	in      *os.File
}

// Live starts to decode an encoding that is a container, of which the beginning is given. A valid
// format is that to which all is converted. It is called when the sandbox was tried; ctx must live
// as long as the Live does. Bytes that begin otherwise than the encoding does are an error.
func (d *Decoder) Live(ctx context.Context, encoding string, beginning []byte, f audio.Format) (*Live, error) {
	name, _ := audio.Container(beginning)
	from, ok := audio.Demultiplexer(encoding, name)
	if !ok {
		return nil, fmt.Errorf("no live encoding %q that begins as %q", encoding, name)
	}
	in, out, err := os.Pipe()
	if err != nil {
		return nil, fmt.Errorf("decode live: %w", err)
	}
	p, err := d.startLive(ctx, in, nil, d.ffmpeg, liveArgs(from, f)...)
	if err = errors.Join(err, in.Close()); err != nil {
		return nil, errors.Join(fmt.Errorf("decode live: %w", err), out.Close())
	}
	return &Live{process: p, in: out}, nil
}

// liveArgs returns arguments with which ffmpeg writes what it has decoded as soon as it can.
func liveArgs(from string, f audio.Format) []string {
	args := []string{
		"-nostdin", "-hide_banner", "-v", "error", "-threads", "1", "-protocol_whitelist", "pipe", "-probesize",
		"65536", "-analyzeduration", "1",
		"-f", from, "-i", "pipe:0", "-map", "0:a:0", "-vn", "-sn", "-dn", "-map_metadata", "-1", "-threads", "1",
		"-filter_threads", "1",
		"-af", keepHoles + ",aformat=sample_rates=8000|16000|32000|44100|48000", "-c:a", "pcm_s16le",
	}
	if f.Channels > 0 {
		args = append(args, "-ar", strconv.Itoa(f.SampleRate), "-ac", strconv.Itoa(f.Channels))
	}
	return append(args, "-flush_packets", "1", "-fflags", "+bitexact", "-f", "wav", "pipe:1")
}

// Write decodes the next bytes. It blocks while what was decoded is not read. An error means that
// the decoder has stopped.
func (l *Live) Write(p []byte) (int, error) { return l.in.Write(p) }

// CloseWrite ends the input.
func (l *Live) CloseWrite() { _ = l.in.Close() }

// Read returns what was decoded; io.EOF when the decoder has ended.
func (l *Live) Read(p []byte) (int, error) {
	n, err := l.process.stdout.Read(p)
	if err != nil && !errors.Is(err, io.EOF) {
		err = io.EOF // it was killed; Close tells
	}
	return n, err
}

// Kill ends the decoder before it has decoded everything.
func (l *Live) Kill() { l.process.stop(errClosed) }

// Close waits for the end of the decoder, and returns what it has complained of.
func (l *Live) Close() error { return l.process.wait() }
