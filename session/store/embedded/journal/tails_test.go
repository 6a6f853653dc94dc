package journal

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"testing"

	"steno/session/store/embedded/limittest"
)

// whatever returns n bytes that no others look like.
func whatever(r *rand.Rand, n int) []byte {
	p := make([]byte, n)
	for i := range p {
		p[i] = byte(r.Uint32())
	}
	return p
}

// A machine that dies may keep any part of the file of tails: what is added to a session's audio
// then is what the session said, or nothing.
func TestTornTails(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	part := make([]byte, partSize)
	s := slotOf(part, 3)
	s.name[0] = byte(copy(s.name[1:], "job"))
	written, waits := whatever(r, 5000), whatever(r, 100)
	s.audio.reset(int64(len(written)))
	s.audio.append(waits[:50])
	s.audio.append(waits[50:])
	dir := t.TempDir()
	path := filepath.Join(dir, AudioFile)
	whole := slices.Concat(written, waits)
	check := func(what string, at int, lost ...[]byte) {
		if err := os.WriteFile(path, written, fileMode); err != nil {
			t.Fatal(err)
		}
		told := int64(-1)
		if err := recoverPart(part, func(id string) string {
			return filepath.Join(dir, map[bool]string{true: ".", false: "none"}[id == "job"])
		}, func(_ string, from int64) { told = from }); err != nil {
			t.Fatalf("%s at %d: %v", what, at, err)
		}
		got, err := os.ReadFile(path)
		if err != nil || !bytes.Equal(got, whole) && (len(lost) == 0 || !bytes.Equal(got, written)) {
			t.Fatalf("%s at %d: %d bytes, %v", what, at, len(got), err)
		}
		if bytes.Equal(got, whole) && told >= 0 || told >= 0 && told != int64(len(written)) ||
			what == "audio spoiled" && told < 0 && !bytes.Equal(got, whole) {
			t.Fatalf("%s at %d: told to have lost what follows %d, there are %d bytes", what, at, told, len(got))
		}
	}
	check("nothing", 0)
	for at := 3 * slotHead; at < 4*slotHead; at++ {
		part[at] ^= 0x41
		check("head spoiled", at, written)
		part[at] ^= 0x41
	}
	for at := partSlots*slotHead + 3*audioTail; at < partSlots*slotHead+4*audioTail; at += 1 + r.IntN(20) {
		part[at] ^= 0x41
		check("audio spoiled", at, written)
		part[at] ^= 0x41
	}
	if err := os.Truncate(path, 4000); err != nil {
		t.Fatal(err)
	}
	if err := s.write(dir, func(int64) {}); err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat(path); err != nil || info.Size() != 4000 {
		t.Errorf("a file that ends before its tail begins has %d bytes, %v", info.Size(), err)
	}
}

// What could not be written when a session was closed is written before the session is claimed
// again, and goes with the session.
func TestTailsLeft(t *testing.T) {
	a := NewTails(t.TempDir())
	leave := func(text string) {
		s := a.take("job")
		if s.name == nil {
			t.Skip("no file of tails here")
		}
		s.audio.reset(4)
		s.audio.append([]byte(text))
		a.put(s, false)
	}
	leave("five")
	folder := t.TempDir()
	path := filepath.Join(folder, AudioFile)
	if err := os.Mkdir(path, folderMode); err != nil {
		t.Fatal(err)
	}
	if err := a.Settle("job", folder); err == nil {
		t.Error("written into a folder")
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte("four"), fileMode); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if err := a.Settle("job", folder); err != nil {
			t.Error(err)
		}
	}
	if got, err := os.ReadFile(path); err != nil || string(got) != "fourfive" {
		t.Errorf("the file has %q, %v", got, err)
	}
	leave("more")
	if err := a.Settle("job", ""); err != nil || len(a.left) != 0 {
		t.Errorf("%d are left, %v", len(a.left), err)
	}
	leave("gone?")
	if err := a.Close(); err != nil {
		t.Error(err)
	}
	if content, err := os.ReadFile(filepath.Join(a.dir, TailsFile)); err != nil ||
		!bytes.Contains(content, []byte("gone?")) || bytes.Contains(content, []byte("five")) ||
		bytes.Contains(content, []byte("more")) {
		t.Errorf("the file of tails has not what is left alone: %v", err)
	}
}

// Sessions that come and go use the same slots, each of them empty.
func TestSlotsAreReused(t *testing.T) {
	dir := t.TempDir()
	p := NewTails(dir)
	const few = 3
	for range 2 * partSlots / few {
		var open []*Journal
		for i := range few {
			j, err := p.Open("job", filepath.Join(t.TempDir(), strconv.Itoa(i)))
			if err != nil {
				t.Fatal(err)
			}
			if j.slot.audio.size() > 0 || j.slot.acks.size() > 0 {
				t.Fatal("a slot is not empty")
			}
			if err := errors.Join(j.Append([]byte("secret")), j.Sent(100)); err != nil {
				t.Fatal(err)
			}
			open = append(open, j)
		}
		for _, j := range open {
			if err := j.Close(); err != nil {
				t.Fatal(err)
			}
		}
	}
	if content, err := os.ReadFile(filepath.Join(dir, TailsFile)); err == nil && (len(content) != partSize ||
		bytes.Contains(content, []byte("secret"))) {
		t.Errorf("the file has %d bytes, %v of what was closed", len(content),
			bytes.Contains(content, []byte("secret")))
	}
	if err := p.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(dir, TailsFile)); !os.IsNotExist(err) {
		t.Errorf("the file of tails is left: %v", err)
	}
}

func FuzzTails(f *testing.F) {
	f.Add([]byte("\x03job"), int64(4), uint64(7)<<32, []byte("audio"))
	f.Fuzz(func(t *testing.T, name []byte, base int64, state uint64, data []byte) {
		part := make([]byte, partSize)
		s := slotOf(part, 0)
		copy(s.name, name)
		for _, at := range []*tail{&s.audio, &s.acks} {
			at.head.base.Store(base)
			at.head.state.Store(state)
			copy(at.data, data)
		}
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, AudioFile), []byte("four"), fileMode); err != nil {
			t.Fatal(err)
		}
		err := recoverPart(part, func(id string) string {
			if !isID(id) || filepath.Base(id) != id {
				t.Fatalf("asked for session %q", id)
			}
			return dir
		}, func(string, int64) {})
		if err != nil {
			t.Fatal(err)
		}
		if got, err := os.ReadFile(filepath.Join(dir, AudioFile)); err != nil ||
			!bytes.HasPrefix(got, []byte("four")) || len(got) > 4+audioTail {
			t.Fatalf("the file has %q, %v", got, err)
		}
	})
}

// TestTailsOnFullDisk cannot have the file of tails: sessions continue without it.
func TestTailsOnFullDisk(t *testing.T) {
	if !limittest.Run(t) {
		return
	}
	a := NewTails(t.TempDir())
	used, taken := 0, 0
	for ; taken < limittest.Size/(slotHead+audioTail)+partSlots; taken++ {
		if s := a.take("job"); s.audio.kept {
			used++
		}
	}
	if used > limittest.Size/partSize*partSlots || used == taken {
		t.Errorf("%d of %d slots are in a file of %d bytes", used, taken, limittest.Size)
	}
}
