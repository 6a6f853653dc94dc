package audio

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"os"

	"github.com/go-audio/wav"
)

// WAVFile reads the audio of a WAV file as the bytes a client would stream. It belongs to one goroutine.
type WAVFile struct {
	Format    Format
	DataBytes int64 // total length of what Read returns, a whole number of frames

	file *os.File
	data io.Reader
}

// OpenWAV opens a WAV file of a format that Format.Validate accepts; 32-bit floating point is read as 32-bit PCM, with
// values beyond full scale clipped. A size in the header that is unknown, or longer than the file, is replaced by the
// length of the rest of the file. The caller closes the file.
func OpenWAV(path string) (*WAVFile, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("open WAV: %w", err)
	}
	w, err := newWAVFile(file)
	if err != nil {
		return nil, errors.Join(fmt.Errorf("open WAV %s: %w", path, err), file.Close())
	}
	return w, nil
}

func newWAVFile(file *os.File) (*WAVFile, error) {
	info, err := file.Stat()
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, errors.New("not a regular file")
	}
	prefix := make([]byte, min(info.Size(), maxHeader))
	if _, err := io.ReadFull(file, prefix); err != nil {
		return nil, fmt.Errorf("read header: %w", err)
	}
	h, need, err := parseRIFF(prefix)
	if err != nil {
		return nil, err
	}
	if need || h.size == 0 {
		return nil, errors.New("not a whole WAV file")
	}
	held := info.Size() - int64(h.size)
	truthful := h.data >= 0 && h.data <= held
	w := &WAVFile{Format: h.format, DataBytes: held, file: file}
	if truthful {
		w.DataBytes = h.data
	}
	w.DataBytes -= w.DataBytes % int64(h.format.FrameBytes())
	if w.data, err = openData(file, h, truthful, w.DataBytes); err != nil {
		return nil, err
	}
	if h.float {
		w.data = &floatReader{from: w.data}
	}
	return w, nil
}

// openData returns the reader of the audio. It uses go-audio/wav for plain files; in other layouts (extensions, lists, unknown
// sizes, RF64) the data begin where our own parser has found them.
func openData(file *os.File, h riffHeader, truthful bool, size int64) (io.Reader, error) {
	if h.plain && truthful {
		if _, err := file.Seek(0, io.SeekStart); err != nil {
			return nil, err
		}
		d := wav.NewDecoder(file)
		if err := d.FwdToPCM(); err != nil {
			return nil, fmt.Errorf("find data: %w", err)
		}
		if d.PCMChunk == nil || int(d.NumChans) != h.format.Channels || int(d.BitDepth) != h.format.BitDepth {
			return nil, errors.New("header is ambiguous")
		}
		return io.LimitReader(d.PCMChunk, size), nil
	}
	return io.NewSectionReader(file, int64(h.size), size), nil
}

// Read returns the next bytes of audio in Format, and io.EOF after DataBytes.
func (w *WAVFile) Read(p []byte) (int, error) { return w.data.Read(p) }

// Close closes the file.
func (w *WAVFile) Close() error { return w.file.Close() }

// floatReader converts 32-bit floating-point samples (full scale 1) to 32-bit PCM.
type floatReader struct {
	from io.Reader
	buf  [4096]byte
	held []byte // converted, not yet read
}

func (r *floatReader) Read(p []byte) (int, error) {
	if len(p) == 0 {
		return 0, nil
	}
	if len(r.held) == 0 {
		n, err := io.ReadFull(r.from, r.buf[:])
		if n -= n % 4; n == 0 {
			if errors.Is(err, io.ErrUnexpectedEOF) {
				err = io.EOF
			}
			return 0, err
		}
		r.held = r.buf[:n]
		for i := 0; i < n; i += 4 {
			v := math.Float32frombits(binary.LittleEndian.Uint32(r.held[i:]))
			binary.LittleEndian.PutUint32(r.held[i:], uint32(floatToInt32(v)))
		}
	}
	n := copy(p, r.held)
	r.held = r.held[n:]
	return n, nil
}

// floatToInt32 rounds and saturates; what is not a number becomes silence.
func floatToInt32(v float32) int32 {
	x := math.RoundToEven(float64(v) * (1 << 31))
	switch {
	case x != x:
		return 0
	case x >= math.MaxInt32:
		return math.MaxInt32
	case x <= math.MinInt32:
		return math.MinInt32
	}
	return int32(x)
}
