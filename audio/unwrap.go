package audio

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
)

// Unwrapper separates the audio of a stream from what belongs to WAV files in it: their headers and
// the chunks before, between and after their audio. It finds them wherever they are, so that
// neither how the stream is cut nor where a client begins again matters: a client may send a WAV
// file as it is, several in succession, or each of its messages as a file.
//
// Sizes in headers are believed as far as what follows agrees with them. The audio of a file ends
// at the next header; at the end of its data chunk if another chunk follows there; and where the
// header leaves the size open, at a chunk of text. Everything else after the end of the data chunk
// is audio too: the header was written when the file was begun. RF64 and BW64 are as good as RIFF.
//
// The zero value takes the format from the first header. A stream without one is audio as a whole.
type Unwrapper struct {
	// Declared is the format of the audio. A header of another one is an error.
	Declared Format
	// Gaps are what of the stream is no audio, as far as it was judged.
	Gaps Gaps

	found  wavFormat // by the newest header
	first  wavFormat // by the first
	state  func(u *Unwrapper, p []byte, last bool) (int, bool, error)
	emit   func(p []byte) error
	at     int64  // bytes of the stream that are done with
	heard  int64  // of them, those up to which the gaps are known
	held   []byte // bytes after them that cannot be judged yet
	fmts   int    // fmt chunks of the file so far
	large  int64  // bytes of audio by a ds64 chunk
	end    int64  // of the file by its header; 0: not known
	left   int64  // of the data chunk; -1: not known
	odd    bool   // the data chunk has an odd number of bytes, so that another one may follow
	skip   int64  // of a chunk
	header bool   // there was a whole header
	wav    bool   // the stream begins with a file
}

// Format is that of the audio so far: by the first header, or as declared. ok is false where
// nothing is known.
func (u *Unwrapper) Format() (f Format, ok bool) {
	if u.header {
		return u.first.Format, true
	}
	return u.Declared, u.Declared.Channels > 0
}

// Feed takes the next bytes of the stream and calls emit for the audio among them, in whole frames.
// Some bytes may be held until more has come. The slice that emit is given is valid during the call
// only. Feed returns the errors of emit, and reports a header that is damaged or of another format;
// no call may follow an error.
func (u *Unwrapper) Feed(p []byte, emit func(p []byte) error) error {
	return u.feed(p, false, emit)
}

// Flush emits what is held, at the end of the stream. Bytes of an unfinished frame are left out.
func (u *Unwrapper) Flush(emit func(p []byte) error) error { return u.feed(nil, true, emit) }

// Resume returns an Unwrapper that has had so many bytes of audio after a header of so many bytes,
// which the stream begins with and which may be none. ok is false where the stream does not begin
// so.
func Resume(declared Format, head []byte, header, audio int64) (u *Unwrapper, ok bool) {
	u = &Unwrapper{Declared: declared, state: (*Unwrapper).samples, at: header + audio, heard: header + audio, left: -1}
	if header == 0 {
		return u, true
	}
	whole := Unwrapper{Declared: declared}
	if header > int64(len(head)) || whole.Feed(head[:header], ignore) != nil || !whole.header || whole.Gaps.Total() !=
		header {
		return nil, false
	}
	u.first, u.found, u.fmts, u.large, u.end = whole.first, whole.found, whole.fmts, whole.large, whole.end
	u.header, u.wav, u.odd, u.Gaps = true, true, whole.odd, whole.Gaps
	if whole.left > audio {
		u.left = whole.left - audio
	}
	return u, true
}

func ignore([]byte) error { return nil }

func (u *Unwrapper) feed(p []byte, last bool, emit func(p []byte) error) error {
	if u.state == nil {
		u.state = (*Unwrapper).opening
	}
	u.emit = emit
	if len(u.held) > 0 {
		u.held = append(u.held, p...)
		p = u.held
	}
	for {
		n, more, err := u.state(u, p, last)
		if err != nil {
			return err
		}
		p = p[n:]
		u.at += int64(n)
		if !more {
			break
		}
	}
	if cap(u.held) > 1<<10 {
		u.held = nil
	}
	u.held = append(u.held[:0], p...)
	if last {
		u.at, u.held = u.at+int64(len(p)), nil
	}
	return u.skipped()
}

// skipped notes that what was done with since the last audio is none.
func (u *Unwrapper) skipped() error {
	from := u.heard
	u.heard = u.at
	return u.Gaps.Add(from, u.at)
}

// opening judges the beginning of the stream.
func (u *Unwrapper) opening(p []byte, last bool) (int, bool, error) {
	u.left = -1
	if startsFile(p, 4) && (len(p) > 0 || !last) {
		if len(p) < 12 && !last {
			return 0, false, nil
		}
		if len(p) >= 12 && string(p[8:12]) != "WAVE" {
			return 0, false, fmt.Errorf("%w: a RIFF file, but not WAVE", errHeader)
		}
		if len(p) >= 12 {
			u.wav = true
			return u.file(p)
		}
	}
	u.state = (*Unwrapper).samples
	return 0, true, nil
}

var errHeader = errors.New("WAV header")

// fileIDs are those of the outermost chunk of a WAV file.
var fileIDs = [...]string{"RIFF", "RF64", "BW64"}

// startsFile reports whether the first n bytes are those of a WAV file, as far as they have come.
func startsFile(p []byte, n int) bool {
	return slices.ContainsFunc(fileIDs[:], func(id string) bool { return startsLike(p[:min(len(p), n)], id) })
}

// isFile reports whether a WAV file begins here.
func isFile(p []byte) bool { return len(p) >= 12 && startsFile(p, 4) && string(p[8:12]) == "WAVE" }

// file begins a file.
func (u *Unwrapper) file(p []byte) (int, bool, error) {
	u.fmts, u.large, u.end = 0, 0, 0
	if size := binary.LittleEndian.Uint32(p[4:]); size < endless && size >= 36 {
		u.end = u.at + 8 + int64(size)
	}
	u.state = (*Unwrapper).chunk
	return 12, true, nil
}

// endless is the least of the sizes that programs write for one that they do not know, other than
// 0.
const endless = 0x7FF00000

// most is how many bytes of a fmt or ds64 chunk matter.
const most = 40

// chunk judges a chunk before the data.
func (u *Unwrapper) chunk(p []byte, _ bool) (int, bool, error) {
	if len(p) < 8 {
		return 0, false, nil
	}
	id, size := string(p[:4]), binary.LittleEndian.Uint32(p[4:])
	var body []byte
	switch id {
	case "data":
		return 8, true, u.data(size)
	case "fmt ", "ds64":
		if size > 64<<10 {
			return 0, false, fmt.Errorf("%w: a %s chunk longer than 64 KiB", errHeader, id)
		}
		n := 8 + min(int(size), most)
		if len(p) < n {
			return 0, false, nil
		}
		body = p[8:n]
	}
	if err := u.describe(id, body); err != nil {
		return 0, false, fmt.Errorf("%w: %w", errHeader, err)
	}
	u.pass(int64(size)-int64(len(body)), size, (*Unwrapper).chunk)
	return 8 + len(body), true, nil
}

// describe reads a chunk that describes the audio.
func (u *Unwrapper) describe(id string, body []byte) (err error) {
	switch {
	case id == "fmt " && u.fmts > 0:
		return errors.New("two fmt chunks")
	case id == "fmt ":
		u.fmts++
		if u.found, err = parseFmt(body); err == nil && u.Declared.Channels > 0 {
			err = u.found.fits(u.Declared)
		}
	case id == "ds64" && len(body) >= 16:
		u.large = int64(binary.LittleEndian.Uint64(body[8:]))
	}
	return err
}

// pass skips bytes of a chunk of a size, and the one that makes this even.
func (u *Unwrapper) pass(n int64, size uint32, next func(*Unwrapper, []byte, bool) (int, bool, error)) {
	u.skip = n + int64(size&1)
	u.state = func(u *Unwrapper, p []byte, _ bool) (int, bool, error) {
		n := min(u.skip, int64(len(p)))
		if u.skip -= n; u.skip > 0 {
			return int(n), false, nil
		}
		u.state = next
		return int(n), true, nil
	}
}

// errFormats reports audio in another format than the one before.
var errFormats = errors.New("audio of another format")

// data begins the audio of a file.
func (u *Unwrapper) data(size uint32) error {
	if u.fmts == 0 {
		return fmt.Errorf("%w: no fmt chunk before the data", errHeader)
	}
	if u.header && u.found != u.first {
		return fmt.Errorf("%w: %s after %s", errFormats, u.found.Format, u.first.Format)
	}
	u.first, u.header = u.found, true
	u.left, u.odd = -1, size&1 == 1
	switch {
	case size == 0xFFFFFFFF && u.large > 0:
		u.left, u.odd = u.large, u.large&1 == 1
	case size != 0 && size < endless:
		u.left = int64(size)
	}
	u.state = (*Unwrapper).samples
	return nil
}

// frame is the size of a frame: 1 where it is not known.
func (u *Unwrapper) frame() int {
	if u.header {
		return u.first.FrameBytes()
	}
	if f, ok := u.Format(); ok {
		return f.FrameBytes()
	}
	return 1
}

// samples emits audio up to what ends it.
func (u *Unwrapper) samples(p []byte, last bool) (int, bool, error) {
	frame := u.frame()
	n, found, hold := u.mark(p, last)
	if u.left >= 0 && u.left <= int64(n) && (!found || u.left < int64(n)) {
		whole := int(u.left) - int(u.left)%frame
		if err := u.pour(p[:whole]); err != nil {
			return 0, false, err
		}
		u.left -= int64(whole)
		u.state = (*Unwrapper).after
		return whole, true, nil
	}
	whole := n - n%frame
	if err := u.pour(p[:whole]); err != nil {
		return 0, false, err
	}
	if u.left >= 0 {
		u.left -= int64(whole)
	}
	if !found || hold {
		return whole, false, nil
	}
	u.state = (*Unwrapper).mustEnd
	return n, true, nil // an unfinished frame before a header is left out
}

// pour emits audio.
func (u *Unwrapper) pour(p []byte) error {
	if len(p) == 0 {
		return nil
	}
	if err := u.skipped(); err != nil {
		return err
	}
	u.heard += int64(len(p))
	return u.emit(p)
}

// mark returns the first place that may end the audio, with found set; hold reports that more bytes
// are needed to decide. Without one it returns the length.
func (u *Unwrapper) mark(p []byte, last bool) (n int, found, hold bool) {
	n = len(p)
	for from := 0; ; {
		i := bytes.Index(p[from:n], []byte(fileIDs[0]))
		if i < 0 {
			break
		}
		i += from
		if len(p) < i+12 && !last {
			return i, true, true
		}
		if isFile(p[i:]) {
			n, found = i, true
			break
		}
		from = i + 1
	}
	if u.header && u.left < 0 {
		if i, wait := textChunk(p[:n], p, last); i >= 0 {
			return i, true, wait
		}
	}
	if !found && !last {
		for i := max(0, n-3); i < n; i++ { // the beginning of an id
			if startsLike(p[i:], fileIDs[0]) {
				return i, true, true
			}
		}
	}
	return n, found, false
}

// mustEnd takes over at the end of the audio that mark has found: a file, a chunk or a tag begins
// there.
func (u *Unwrapper) mustEnd(p []byte, _ bool) (int, bool, error) {
	if isFile(p) {
		return u.file(p)
	}
	u.state = (*Unwrapper).between
	return 0, true, nil
}

// after judges what follows upon the data chunk, of which less than a frame may be left.
func (u *Unwrapper) after(p []byte, last bool) (int, bool, error) {
	rest := int(u.left)
	if len(p) < rest+13 && !last {
		return 0, false, nil
	}
	for pad := 0; pad < 2; pad++ {
		if pad == 1 && (!u.odd || len(p) <= rest || p[rest] != 0) {
			break
		}
		from := min(rest+pad, len(p))
		follows := p[from:]
		if len(follows) == 0 || isFile(follows) || u.belongs(follows, u.at+int64(from)) {
			u.state = (*Unwrapper).between
			return from, true, nil
		}
	}
	u.left = -1 // the header was not true
	u.state = (*Unwrapper).samples
	return 0, true, nil
}

// between judges what follows upon a chunk after the data.
func (u *Unwrapper) between(p []byte, last bool) (int, bool, error) {
	switch {
	case len(p) < 12 && !last || len(p) == 0:
		return 0, false, nil
	case isFile(p):
		return u.file(p)
	case len(p) >= 8 && string(p[:4]) == "data" && u.belongs(p, u.at):
		return 8, true, u.data(binary.LittleEndian.Uint32(p[4:]))
	}
	if n := tag(p); n > 0 {
		u.pass(n, 0, (*Unwrapper).between)
		return 0, true, nil
	}
	if len(p) < 8 || !u.belongs(p, u.at) {
		u.left = -1
		u.state = (*Unwrapper).samples
		return 0, true, nil
	}
	size := binary.LittleEndian.Uint32(p[4:])
	u.pass(int64(size), size, (*Unwrapper).between)
	return 8, true, nil
}
