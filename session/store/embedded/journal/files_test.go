package journal

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"syscall"
	"testing"

	"steno/session/store"
	"steno/session/store/embedded/limittest"
)

// TestFullDisk appends to a device that is always full.
func TestFullDisk(t *testing.T) {
	f, err := os.OpenFile("/dev/full", os.O_RDWR, 0)
	if err != nil {
		t.Skip("no /dev/full here: ", err)
	}
	end := newTail(audioTail)
	j := &audio{file: f, tail: &end}
	if err := j.append(make([]byte, audioTail+1)); !errors.Is(err, syscall.ENOSPC) {
		t.Errorf("error is %v, want ENOSPC", err)
	}
	if j.size.Load() != 0 {
		t.Errorf("size is %d after a failed append", j.size.Load())
	}
	// The device cannot be cut either, so whether the failed bytes are there is not known: nothing
	// may follow them.
	if err := errors.Join(j.append([]byte("abc")), j.flush()); !errors.Is(err, store.ErrBroken) {
		t.Errorf("error is %v, want ErrBroken", err)
	}
	if err := j.close(); !errors.Is(err, store.ErrBroken) {
		t.Errorf("error is %v, want ErrBroken", err)
	}
}

// TestTornAppend makes the system take a part of a write and refuse the rest, by a limit of the
// file's size.
func TestTornAppend(t *testing.T) {
	if !limittest.Run(t) {
		return
	}
	path := filepath.Join(t.TempDir(), "audio")
	end := newTail(audioTail)
	j, err := openAudio(path, &end)
	if err != nil {
		t.Fatal(err)
	}
	kept := make([]byte, limittest.Size-100)
	if err := j.append(kept); err != nil {
		t.Fatal(err)
	}
	for _, n := range []int{audioTail + 1, 3 * audioTail, 5 * audioTail} {
		if err := j.append(make([]byte, n)); !errors.Is(err, syscall.EFBIG) {
			t.Fatalf("error is %v, want EFBIG", err)
		}
		if info, err := os.Stat(path); err != nil || info.Size() != end.base() || j.size.Load() != int64(len(kept)) {
			t.Fatalf("file has %d bytes, the journal %d of %d (%v)", info.Size(), j.size.Load(), len(kept), err)
		}
	}
	if err := errors.Join(j.append(make([]byte, 50)), j.flush()); err != nil {
		t.Fatalf("append of what fits: %v", err)
	}
	if info, err := os.Stat(path); err != nil || info.Size() != int64(len(kept))+50 || j.size.Load() != info.Size() {
		t.Fatalf("file has %d bytes, the journal %d (%v)", info.Size(), j.size.Load(), err)
	}
	if err := j.close(); err != nil {
		t.Fatal(err)
	}
}

// TestTornAcks cuts the file at every byte, and spoils every byte of its entries.
func TestTornAcks(t *testing.T) {
	path := filepath.Join(t.TempDir(), "acks")
	a := openAcksIn(t, path)
	for b := range int64(5) {
		if err := a.sent(100 * (b + 1)); err != nil {
			t.Fatal(err)
		}
	}
	closeAcks(t, a)
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for cut := range len(whole) + 1 {
		checkTorn(t, path, whole[:cut], cut/entrySize)
	}
	for at := range whole {
		spoiled := slices.Clone(whole)
		spoiled[at] ^= 0x40
		checkTorn(t, path, spoiled, at/entrySize)
	}
}

// checkTorn opens a file that has so many entries left, adds one, and finds it when the file is
// opened again.
func checkTorn(t *testing.T, path string, content []byte, left int) {
	t.Helper()
	if err := os.WriteFile(path, content, fileMode); err != nil {
		t.Fatal(err)
	}
	want := []int64{100, 200, 300, 400, 500}[:left]
	a := openAcksIn(t, path)
	if got := a.snapshot().Sent; !slices.Equal(got, want) {
		t.Fatalf("%d bytes left: sent is %v, want %v", len(content), got, want)
	}
	if err := a.sent(1000); err != nil {
		t.Fatal(err)
	}
	closeAcks(t, a)
	a = openAcksIn(t, path)
	if got := a.snapshot().Sent; !slices.Equal(got, append(slices.Clone(want), 1000)) {
		t.Fatalf("%d bytes left: sent is %v after one more", len(content), got)
	}
	closeAcks(t, a)
}

// TestAcksStaySmall confirms for hours and finds the file bounded.
func TestAcksStaySmall(t *testing.T) {
	path := filepath.Join(t.TempDir(), "acks")
	a := openAcksIn(t, path)
	const last = 3 * 60 * 60 * 10
	for b := range int64(last) {
		if err := a.sent(b); err != nil {
			t.Fatal(err)
		}
		if err := a.confirm(b-5, b); b >= 5 && err != nil {
			t.Fatal(err)
		}
		if a.size > compactBeyond {
			t.Fatalf("file has %d bytes", a.size)
		}
	}
	closeAcks(t, a)
	a = openAcksIn(t, path)
	m := a.snapshot()
	if m.Boundary != last-6 || m.Seq != last-1 || len(m.Sent) != 5 {
		t.Fatalf("marks are %+v", m)
	}
	closeAcks(t, a)
}

func FuzzAcks(f *testing.F) {
	f.Add(appendEntry(appendEntry(nil, entrySent, 100, 0), entryConfirm, 50, 7))
	f.Add([]byte("garbage"))
	f.Fuzz(func(t *testing.T, content []byte) {
		path := filepath.Join(t.TempDir(), "acks")
		if err := os.WriteFile(path, content, fileMode); err != nil {
			t.Fatal(err)
		}
		a := openAcksIn(t, path)
		m := a.snapshot()
		if !slices.IsSorted(m.Sent) || len(m.Sent) > store.MaxSent || len(m.Sent) > 0 && m.Sent[0] <= m.Boundary {
			t.Fatalf("marks are %+v", m)
		}
		closeAcks(t, a)
	})
}

func openAcksIn(t *testing.T, path string) *acks {
	t.Helper()
	end := newTail(acksTail)
	a, err := openAcks(path, &end)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

func closeAcks(t *testing.T, a *acks) {
	t.Helper()
	if err := a.close(); err != nil {
		t.Fatal(err)
	}
}
