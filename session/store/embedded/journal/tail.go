package journal

import (
	"hash/crc32"
	"sync/atomic"
	"unsafe"
)

// tail is the end of a file that only grows: bytes that are accepted and not written yet. Its
// methods are called by one goroutine at a time.
type tail struct {
	head *tailHead
	data []byte
	kept bool // the memory outlives the process: what is in it is as durable as what is written
}

// tailHead describes what a tail holds. It lies beside the data, so that whoever finds both knows
// what they are.
type tailHead struct {
	base  atomic.Int64  // place in the file of the first byte
	state atomic.Uint64 // how many bytes, and in the lower half the checksum of base and bytes: they change together
}

const tailHeadSize = int(unsafe.Sizeof(tailHead{}))

// headAt is the head at the beginning of b, which begins at a multiple of 8 bytes.
func headAt(b []byte) *tailHead {
	return (*tailHead)(unsafe.Pointer(unsafe.SliceData(b[:tailHeadSize])))
}

// newTail is an empty tail in memory that ends with the process.
func newTail(size int) tail { return tail{head: new(tailHead), data: make([]byte, size)} }

// reset empties the tail. The next byte is that of a place of the file.
func (t *tail) reset(base int64) {
	t.head.state.Store(0) // first: bytes of one place are never taken for those of another
	t.head.base.Store(base)
}

// base is the place of the first byte, or of the next one.
func (t *tail) base() int64 { return t.head.base.Load() }

// end returns the place after the last byte.
func (t *tail) end() int64 { return t.base() + int64(t.size()) }

func (t *tail) size() int { return int(t.head.state.Load() >> 32) }

// bytes are those of the tail, valid until the next change.
func (t *tail) bytes() []byte { return t.data[:t.size()] }

// room returns how many bytes fit after the last one.
func (t *tail) room() int { return len(t.data) - t.size() }

// append adds bytes, for which there must be room.
func (t *tail) append(p []byte) {
	state := t.head.state.Load()
	n, sum := state>>32, uint32(state)
	copy(t.data[n:], p)
	if n == 0 {
		sum = t.seed()
	}
	t.head.state.Store((n+uint64(len(p)))<<32 | uint64(crc32.Update(sum, castagnoli(), p)))
}

// seed is what the checksum begins with: bytes of another place have another sum.
func (t *tail) seed() uint32 { return uint32(t.base()) ^ uint32(t.base()>>32) }

// whole reports whether a tail that was found holds what was written to it: a machine that died may
// have kept a part of it.
func (t *tail) whole() bool {
	if base, n := t.base(), t.head.state.Load()>>32; base < 0 || n > uint64(len(t.data)) {
		return false
	}
	return t.size() == 0 || crc32.Update(t.seed(), castagnoli(), t.bytes()) == uint32(t.head.state.Load())
}
