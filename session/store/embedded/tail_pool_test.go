package embedded

import (
	"bytes"
	"errors"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"steno/session/store"
)

// whatever returns n bytes that no others look like.
func whatever(r *rand.Rand, n int) []byte {
	p := make([]byte, n)
	for i := range p {
		p[i] = byte(r.Uint32())
	}
	return p
}

// abandoned is a data folder as a process leaves it that dies now.
func abandoned(t *testing.T, dir string) string {
	t.Helper()
	left := t.TempDir()
	if err := os.CopyFS(left, os.DirFS(dir)); err != nil {
		t.Fatal(err)
	}
	return left
}

// recorded is all audio of a session.
func recorded(t *testing.T, s *Store, id string) []byte {
	t.Helper()
	audio, err := s.OpenAudio(t.Context(), "acme", id)
	if err != nil {
		t.Fatal(err)
	}
	defer audio.Close()
	got, err := io.ReadAll(audio)
	if err != nil {
		t.Fatal(err)
	}
	return got
}

// A process that dies after any call leaves everything that it has accepted of several sessions.
func TestTailsSurvive(t *testing.T) {
	ctx := t.Context()
	r := rand.New(rand.NewPCG(1, 2))
	dir := t.TempDir()
	s := openIn(t, dir)
	defer s.Close()
	ids := []string{"one", "two", "three"}
	handles, want, sent := make([]store.Live, len(ids)), make([][]byte, len(ids)), make([][]int64, len(ids))
	for i, id := range ids {
		handles[i] = claimNew(t, s, id)
	}
	if _, err := os.Stat(filepath.Join(dir, tailsFile)); err != nil {
		t.Skip("no file of tails here: ", err)
	}
	for step := range 300 {
		i := r.IntN(len(ids))
		l := handles[i]
		var err error
		switch r.IntN(12) {
		case 0:
			_, err = l.ReadAudioAt(ctx, make([]byte, 10), max(l.AudioSize()-10, 0))
			if err == io.EOF {
				err = nil
			}
		case 1:
			if err = l.Close(); err == nil {
				handles[i], err = s.Claim(ctx, ids[i], store.IfFree)
			}
		case 2:
			handles[i], err = s.Claim(ctx, ids[i], store.TakeOver)
			_ = l.Close()
		case 3:
			if n := len(sent[i]); n > 0 {
				err = l.Confirm(ctx, sent[i][n/2], 0)
				sent[i] = sent[i][n/2+1:]
			}
		default:
			p := whatever(r, []int{r.IntN(700), 640, 640, r.IntN(6 * audioTail), audioTail}[r.IntN(5)])
			want[i] = append(want[i], p...)
			if err = l.AppendAudio(ctx, p); err == nil && len(p) > 0 {
				err = l.Sync(int64(len(want[i])))
				sent[i] = append(sent[i], int64(len(want[i])))
			}
		}
		if err != nil {
			t.Fatalf("step %d: %v", step, err)
		}
		if step%20 != 0 {
			continue
		}
		next := openIn(t, abandoned(t, dir))
		for i, id := range ids {
			if got := recorded(t, next, id); !bytes.Equal(got, want[i]) {
				t.Fatalf("step %d: %d bytes are left of %s, want %d", step, len(got), id, len(want[i]))
			}
			l, err := next.Claim(ctx, id, store.IfFree)
			if err != nil {
				t.Fatal(err)
			}
			if m, err := l.Marks(ctx); err != nil || !slices.Equal(m.Sent, sent[i]) {
				t.Fatalf("step %d: %s was sent %v (%v), want %v", step, id, m.Sent, err, sent[i])
			}
		}
		if err := next.Close(); err != nil {
			t.Fatal(err)
		}
	}
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
	path := filepath.Join(dir, audioFile)
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
	a := &tailPool{dir: t.TempDir()}
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
	path := filepath.Join(folder, audioFile)
	if err := os.Mkdir(path, folderMode); err != nil {
		t.Fatal(err)
	}
	if err := a.settle("job", folder); err == nil {
		t.Error("written into a folder")
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte("four"), fileMode); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if err := a.settle("job", folder); err != nil {
			t.Error(err)
		}
	}
	if got, err := os.ReadFile(path); err != nil || string(got) != "fourfive" {
		t.Errorf("the file has %q, %v", got, err)
	}
	leave("more")
	if err := a.settle("job", ""); err != nil || len(a.left) != 0 {
		t.Errorf("%d are left, %v", len(a.left), err)
	}
	leave("gone?")
	if err := a.close(); err != nil {
		t.Error(err)
	}
	if content, err := os.ReadFile(filepath.Join(a.dir, tailsFile)); err != nil ||
		!bytes.Contains(content, []byte("gone?")) || bytes.Contains(content, []byte("five")) ||
		bytes.Contains(content, []byte("more")) {
		t.Errorf("the file of tails has not what is left alone: %v", err)
	}
}

// Sessions that come and go use the same slots, each of them empty.
func TestSlotsAreReused(t *testing.T) {
	dir := t.TempDir()
	s := openIn(t, dir)
	const few = 3
	for range 2 * partSlots / few {
		var used []*slot
		for range few {
			slot := s.files.tails.take("job")
			if slot.audio.size() > 0 || slot.acks.size() > 0 {
				t.Fatal("a slot is not empty")
			}
			slot.audio.append([]byte("secret"))
			slot.acks.append(appendEntry(nil, entrySent, 100, 0))
			used = append(used, slot)
		}
		for _, slot := range used {
			s.files.tails.put(slot, true)
		}
	}
	l := claimNew(t, s, "job")
	if err := l.AppendAudio(t.Context(), []byte("secret")); err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(l.Finish(t.Context(), store.Outcome{}), l.Close(), s.Delete(t.Context(), "acme",
		"job")); err != nil {
		t.Fatal(err)
	}
	if content, err := os.ReadFile(filepath.Join(dir, tailsFile)); err == nil && (len(content) != partSize ||
		bytes.Contains(content, []byte("secret"))) {
		t.Errorf("the file has %d bytes, %v of what was deleted", len(content),
			bytes.Contains(content, []byte("secret")))
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(dir, tailsFile)); !os.IsNotExist(err) {
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
		if err := os.WriteFile(filepath.Join(dir, audioFile), []byte("four"), fileMode); err != nil {
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
		if got, err := os.ReadFile(filepath.Join(dir, audioFile)); err != nil ||
			!bytes.HasPrefix(got, []byte("four")) || len(got) > 4+audioTail {
			t.Fatalf("the file has %q, %v", got, err)
		}
	})
}

// TestTailsOnFullDisk cannot have the file of tails: sessions continue without it.
func TestTailsOnFullDisk(t *testing.T) {
	if os.Getenv(limitVariable) == "" {
		runLimited(t)
		return
	}
	a := &tailPool{dir: t.TempDir()}
	used, taken := 0, 0
	for ; taken < limitedSize/(slotHead+audioTail)+partSlots; taken++ {
		if s := a.take("job"); s.audio.kept {
			used++
		}
	}
	if used > limitedSize/partSize*partSlots || used == taken {
		t.Errorf("%d of %d slots are in a file of %d bytes", used, taken, limitedSize)
	}
}
