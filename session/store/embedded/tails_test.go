package embedded

import (
	"bytes"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"steno/session/store"
	"steno/session/store/embedded/journal"
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
	if _, err := os.Stat(filepath.Join(dir, journal.TailsFile)); err != nil {
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
			p := whatever(r, []int{r.IntN(700), 640, 640, r.IntN(6 * 4096), 4096}[r.IntN(5)])
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
