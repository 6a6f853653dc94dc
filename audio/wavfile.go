package audio

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
)

// WAVFile reads the audio of a WAV file, or of several one after another in a file, as the bytes a
// client would stream. It belongs to one goroutine.
type WAVFile struct {
	// Format is that of the bytes. Its rate and its number of channels may be beyond what
	// Format.Validate accepts.
	Format    Format
	DataBytes int64 // total length of what Read returns, a whole number of frames
	// Rest is why audio at the end of the file is left out; nil: none is.
	Rest error

	file   *os.File
	data   io.Reader
	gaps   Gaps
	offset int64 // in the audio, of what data reads next
}

// OpenWAV opens a WAV file of PCM, A-law or mu-law; 32-bit floating point is read as 32-bit PCM,
// with values beyond full scale clipped. It reads the file once to find its audio, see [Unwrapper].
// A file that follows in another format is left out. The caller closes the file.
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
	w := &WAVFile{file: file}
	u := new(Unwrapper)
	if w.Rest = w.scan(u); w.Rest != nil && !u.header {
		return nil, w.Rest
	}
	if !u.header || !u.wav {
		return nil, errors.New("not a whole WAV file")
	}
	w.Format, w.gaps = u.first.Format, u.Gaps
	w.data = readerFunc(w.read)
	if u.first.float {
		w.data = &floatReader{from: w.data}
	}
	return w, nil
}

// scan finds the audio of the file. An error of the stream comes where audio cannot be read on.
func (w *WAVFile) scan(u *Unwrapper) error {
	emit := func(p []byte) error {
		w.DataBytes += int64(len(p))
		return nil
	}
	buf := make([]byte, 256<<10)
	for {
		n, err := w.file.Read(buf)
		if fault := u.Feed(buf[:n], emit); fault != nil {
			return fault
		}
		if !u.wav {
			return nil
		}
		if errors.Is(err, io.EOF) {
			return u.Flush(emit)
		}
		if err != nil {
			return fmt.Errorf("read WAV: %w", err)
		}
	}
}

// read reads audio as it is in the file.
func (w *WAVFile) read(p []byte) (int, error) {
	n := w.gaps.Run(w.offset, min(int64(len(p)), w.DataBytes-w.offset))
	if n <= 0 {
		return 0, io.EOF
	}
	got, err := w.file.ReadAt(p[:n], w.gaps.Stream(w.offset))
	w.offset += int64(got)
	if got > 0 {
		err = nil
	}
	return got, err
}

// readerFunc is an io.Reader.
type readerFunc func(p []byte) (int, error)

func (f readerFunc) Read(p []byte) (int, error) { return f(p) }

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
