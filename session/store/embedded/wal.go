package embedded

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"

	"steno/session/store"
)

// A write-ahead log is a header and frames, each a header and a page
// (https://sqlite.org/walformat.html). Numbers are big-endian.
const (
	walHeader   = 32
	frameHeader = 24
	walMagic    = 0x377f0682 // the last bit is the byte order of the words of checksums
)

// lostTransactions returns how many transactions of a write-ahead log SQLite will not read: those
// from a frame on whose checksum does not fit, which follow in the same generation of the log.
// Without a word SQLite takes such a frame for the end. A process that was killed leaves at most an
// incomplete frame after the last transaction, which counts as none. A log that is not there has
// lost nothing.
func lostTransactions(path string) (lost int, err error) {
	f, err := os.Open(path)
	if errors.Is(err, os.ErrNotExist) {
		return 0, nil
	}
	if err != nil {
		return 0, fmt.Errorf("open write-ahead log: %w", err)
	}
	defer f.Close()
	if lost, err = countLost(bufio.NewReaderSize(f, 1<<20)); err != nil {
		return 0, fmt.Errorf("read write-ahead log: %w", err)
	}
	return lost, nil
}

// lostLog is the damage of a log that has lost transactions.
func lostLog(transactions int) store.Damage {
	return store.Damage{What: fmt.Sprintf("the write-ahead log is damaged: %d transactions at its end are lost",
		transactions)}
}

func countLost(r io.Reader) (lost int, err error) {
	header := make([]byte, walHeader)
	if _, err := io.ReadFull(r, header); err != nil {
		return 0, ignoreEnd(err)
	}
	words, salt, pageSize := order(header), string(header[16:24]), binary.BigEndian.Uint32(header[8:])
	sum := walSum{}.add(words, header[:24])
	whole := sum.equals(header[24:]) && binary.BigEndian.Uint32(header)&^1 == walMagic
	if pageSize < 512 || pageSize > 64<<10 || pageSize&(pageSize-1) != 0 {
		return 1, nil // the header itself is damaged, and nothing can be counted
	}
	frame := make([]byte, frameHeader+int(pageSize))
	for first := true; ; first = false {
		if _, err := io.ReadFull(r, frame); err != nil {
			return lost, ignoreEnd(err)
		}
		if first && !whole {
			salt = string(frame[8:16])
		}
		if string(frame[8:16]) != salt && whole {
			return lost, nil // of an earlier generation
		}
		sum = sum.add(words, frame[:8]).add(words, frame[frameHeader:])
		whole = whole && sum.equals(frame[16:24])
		if commits := binary.BigEndian.Uint32(frame[4:]) != 0; commits && !whole && string(frame[8:16]) == salt {
			lost++
		}
	}
}

func ignoreEnd(err error) error {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return nil
	}
	return err
}

// order is that of the words of checksums.
func order(header []byte) binary.ByteOrder {
	if header[3]&1 == 1 {
		return binary.BigEndian
	}
	return binary.LittleEndian
}

// walSum is the running checksum of a log.
type walSum struct{ a, b uint32 }

func (s walSum) add(words binary.ByteOrder, p []byte) walSum {
	for ; len(p) >= 8; p = p[8:] {
		s.a += words.Uint32(p) + s.b
		s.b += words.Uint32(p[4:]) + s.a
	}
	return s
}

// equals compares with a checksum as it is kept.
func (s walSum) equals(kept []byte) bool {
	return s.a == binary.BigEndian.Uint32(kept) && s.b == binary.BigEndian.Uint32(kept[4:])
}
