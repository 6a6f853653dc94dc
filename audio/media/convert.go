package media

import (
	"context"
	"errors"
	"io"
	"os"
	"strconv"

	"steno/audio"
)

// convertWAV starts to decode a WAV file at a rate that the program does not have. Its samples are
// given to ffmpeg bare, so that what is audio in the file does not depend on how ffmpeg reads
// headers. After an error the file is closed.
func (d *Decoder) convertWAV(ctx context.Context, wav *audio.WAVFile, info Info) (*Stream, error) {
	s := d.stream(info, outputFormat(source{Info: info, bits: wav.Format.BitDepth}))
	in, out, err := os.Pipe()
	if err == nil {
		s.from, err = d.convert(ctx, in, out, wav, s.format)
		err = errors.Join(err, in.Close())
	}
	if err != nil {
		return nil, errors.Join(&Error{Failed, "The recording could not be decoded.", err}, wav.Close())
	}
	return s, nil
}

// convert starts ffmpeg and writes the samples of the file to it.
func (d *Decoder) convert(ctx context.Context, in, out *os.File, wav *audio.WAVFile, f audio.Format) (*converter,
	error) {
	args := append(samplesInput(wav.Format), samplesOutput(f)...)
	p, err := d.startReading(ctx, in, nil, d.ffmpeg, args...)
	if err != nil {
		return nil, errors.Join(err, out.Close())
	}
	c := &converter{ffmpegReader: &ffmpegReader{subprocess: p, left: d.limits.Wall, cpu: d.limits.CPU}, wav: wav,
		copied: make(chan struct{})}
	go func() {
		defer close(c.copied)
		_, _ = io.Copy(out, wav) // the process reports its own end
		_ = out.Close()
	}()
	return c, nil
}

// samplesOutput are ffmpeg's arguments for samples of a format at its standard output.
func samplesOutput(f audio.Format) []string {
	codec := f.FFmpeg()
	args := []string{"-threads", "1", "-filter_threads", "1", "-c:a", "pcm_" + codec, "-ar", strconv.Itoa(f.SampleRate)}
	return append(append(args, keepChannels(f.Channels)...), "-f", codec, "pipe:1")
}

// converter reads what ffmpeg makes of the samples of a WAV file.
type converter struct {
	*ffmpegReader
	wav    *audio.WAVFile
	copied chan struct{} // closed when ffmpeg is given nothing more
}

// Close ends the process, and waits for both.
func (c *converter) Close() error {
	err := c.ffmpegReader.Close()
	<-c.copied
	return errors.Join(err, c.wav.Close())
}
