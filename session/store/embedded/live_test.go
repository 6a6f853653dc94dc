package embedded

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"steno/messages"
	"steno/session/store"
	"steno/session/store/embedded/journal"
)

// TestManyHands drives several sessions concurrently, with lists, keys and deletions between.
func TestManyHands(t *testing.T) {
	s := openIn(t, t.TempDir())
	var done sync.WaitGroup
	for h := range 6 {
		done.Go(func() { driveSession(t, s, fmt.Sprintf("job-%d", h)) })
	}
	for range 20 {
		if _, _, err := s.List(t.Context(), "acme", messages.ListQuery{}); err != nil {
			t.Error(err)
		}
		if err := s.Ping(t.Context()); err != nil {
			t.Error(err)
		}
	}
	done.Wait()
	if left, _, err := s.List(t.Context(), "acme", messages.ListQuery{}); err != nil || len(left) != 0 {
		t.Errorf("%d records left, %v", len(left), err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
}

// driveSession takes a session from its making to its deletion, which comes while the handle is
// still open.
func driveSession(t *testing.T, s *Store, id string) {
	ctx := t.Context()
	check := func(err error) {
		if err != nil {
			t.Errorf("%s: %v", id, err)
		}
	}
	check(s.Create(ctx, newRecord(id)))
	l, err := s.Claim(ctx, id, store.IfFree)
	if err != nil {
		t.Errorf("%s: %v", id, err)
		return
	}
	for i := range int64(50) {
		check(l.AppendAudio(ctx, make([]byte, 640)))
		check(l.Sync(l.AudioSize()))
		check(l.Confirm(ctx, l.AudioSize()-640, i))
		e := messages.Event{Key: messages.Key{Kind: messages.KindFinal, Subject: fmt.Sprint(i)}, Body: []byte("{}")}
		if seq, _, err := l.AppendEvent(ctx, e, 0, []byte("state")); err != nil || seq != i+1 {
			t.Errorf("%s: event %d is %d, %v", id, i+1, seq, err)
		}
	}
	check(l.Finish(ctx, store.Outcome{}))
	check(s.Delete(ctx, "acme", id))
	check(l.Close())
}

// TestClaimOfNobody takes a session over for a caller who has stopped waiting: it stays its
// holder's.
func TestClaimOfNobody(t *testing.T) {
	s := openIn(t, t.TempDir())
	l := claimNew(t, s, "job")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := s.Claim(ctx, "job", store.TakeOver); !errors.Is(err, context.Canceled) {
		t.Errorf("claim: %v", err)
	}
	if err := l.AppendAudio(t.Context(), []byte("more")); err != nil {
		t.Errorf("audio of the holder: %v", err)
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
}

func BenchmarkAppendAudio(b *testing.B) {
	s := openIn(b, b.TempDir())
	l := claimNew(b, s, "job")
	p := make([]byte, 3200)
	b.SetBytes(int64(len(p)))
	b.ReportAllocs()
	for b.Loop() {
		if err := l.AppendAudio(b.Context(), p); err != nil {
			b.Fatal(err)
		}
	}
	if err := s.Close(); err != nil {
		b.Fatal(err)
	}
}

func BenchmarkSync(b *testing.B) {
	s := openIn(b, b.TempDir())
	l := claimNew(b, s, "job")
	b.ReportAllocs()
	for at := int64(3200); b.Loop(); at += 3200 {
		if err := l.Sync(at); err != nil {
			b.Fatal(err)
		}
		if at%8000 == 0 {
			if err := l.Confirm(b.Context(), at-3200, at/8000); err != nil {
				b.Fatal(err)
			}
		}
	}
	if err := s.Close(); err != nil {
		b.Fatal(err)
	}
}

func BenchmarkAppendEvent(b *testing.B) {
	for _, c := range []struct {
		name string
		lane int
	}{{"plain", -1}, {"with checkpoint of 16 KiB", 0}} {
		b.Run(c.name, func(b *testing.B) {
			s := openIn(b, b.TempDir())
			l := claimNew(b, s, "job")
			body, state := make([]byte, 1500), make([]byte, 16<<10)
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				e := messages.Event{Key: messages.Key{Kind: messages.KindFinal, Subject: fmt.Sprint(i)}, Body: body}
				if _, _, err := l.AppendEvent(b.Context(), e, c.lane, state); err != nil {
					b.Fatal(err)
				}
			}
			if err := s.Close(); err != nil {
				b.Fatal(err)
			}
		})
	}
}

// BenchmarkAppendEventAmongDeletions appends while jobs like the one appended to are deleted all
// the time.
func BenchmarkAppendEventAmongDeletions(b *testing.B) {
	s := openIn(b, b.TempDir())
	body := make([]byte, 1500)
	const old = 200
	for i := range old {
		l := claimNew(b, s, fmt.Sprint("old-", i))
		for k := range 20 {
			if _, _, err := l.AppendEvent(b.Context(), messages.Event{Key: messages.Key{Kind: messages.KindFinal,
				Subject: fmt.Sprint(k)}, Body: body}, -1, nil); err != nil {
				b.Fatal(err)
			}
		}
		if err := errors.Join(l.Finish(b.Context(), store.Outcome{}), l.Close()); err != nil {
			b.Fatal(err)
		}
	}
	l := claimNew(b, s, "job")
	for i := 0; b.Loop(); i++ {
		if i%50 == 0 && i/50 < old {
			b.StopTimer()
			if err := s.Delete(b.Context(), "acme", fmt.Sprint("old-", i/50)); err != nil {
				b.Fatal(err)
			}
			b.StartTimer()
		}
		e := messages.Event{Key: messages.Key{Kind: messages.KindFinal, Subject: fmt.Sprint(i)}, Body: body}
		if _, _, err := l.AppendEvent(b.Context(), e, -1, nil); err != nil {
			b.Fatal(err)
		}
	}
	if err := s.Close(); err != nil {
		b.Fatal(err)
	}
}

// The live path of a session makes no garbage: neither a frame of audio, nor an ack, nor its
// confirmation.
func TestLiveAllocations(t *testing.T) {
	s := openIn(t, t.TempDir())
	defer s.Close() // its handle is closed with it
	l := claimNew(t, s, "job")
	frame := make([]byte, 640)
	ctx := t.Context()
	ack := func() {
		for range 5 {
			if err := l.AppendAudio(ctx, frame); err != nil {
				t.Fatal(err)
			}
		}
		if err := l.Sync(l.AudioSize()); err != nil {
			t.Fatal(err)
		}
	}
	if n := testing.AllocsPerRun(200, func() {
		ack()
		ack()
		if err := l.Confirm(ctx, l.AudioSize()-3200, 0); err != nil {
			t.Fatal(err)
		}
	}); n > 0 {
		t.Errorf("%v allocations", n)
	}
}

// Audio that waits to be written is read as all other is, by the handle and by those who have no
// claim, and outlives the process after whatever promises it: without a file of tails in its own
// file.
func TestWaitingAudio(t *testing.T) {
	for _, tails := range []bool{true, false} {
		t.Run(fmt.Sprint("tails ", tails), func(t *testing.T) { testWaitingAudio(t, tails) })
	}
}

func testWaitingAudio(t *testing.T, tails bool) {
	ctx := t.Context()
	dir := t.TempDir()
	s := openIn(t, dir)
	defer s.Close()
	id := "job"
	if !tails {
		id = strings.Repeat("j", 64) // there is no room for it in the file of tails
	}
	l := claimNew(t, s, id)
	var want []byte
	add := func() {
		p := bytes.Repeat([]byte{byte(len(want))}, 100)
		want = append(want, p...)
		if err := l.AppendAudio(ctx, p); err != nil {
			t.Fatal(err)
		}
	}
	add()
	got := make([]byte, 50)
	if n, err := l.ReadAudioAt(ctx, got, 50); n != 50 || err != nil || !bytes.Equal(got, want[50:100]) {
		t.Errorf("read %d bytes, %v", n, err)
	}
	add()
	audio, err := s.OpenAudio(ctx, "acme", id)
	if err != nil {
		t.Fatal(err)
	}
	if got, err := io.ReadAll(audio); err != nil || !bytes.Equal(got, want) {
		t.Errorf("%d bytes are opened, %v", len(got), err)
	}
	if err := audio.Close(); err != nil {
		t.Error(err)
	}
	for name, promise := range map[string]func() error{
		"sync": func() error { return l.Sync(l.AudioSize()) },
		"event": func() error {
			_, _, err := l.AppendEvent(ctx, messages.Event{Key: messages.Key{Kind: messages.KindFinal, Subject: "a"}},
				-1, nil)
			return err
		},
		"silence": func() error { return l.MarkSilence(ctx, 100) },
		"stop":    func() error { return l.SetStopped(ctx) },
	} {
		add()
		if err := promise(); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if info, err := os.Stat(filepath.Join(s.folder(id), journal.AudioFile)); !tails &&
			(err != nil || info.Size() != int64(len(want))) {
			t.Errorf("%s: the file has %d bytes of %d, %v", name, info.Size(), len(want), err)
		}
		next := openIn(t, abandoned(t, dir))
		if got := recorded(t, next, id); !bytes.Equal(got, want) {
			t.Errorf("%s: %d bytes of %d are left by a process that dies", name, len(got), len(want))
		}
		if err := next.Close(); err != nil {
			t.Error(err)
		}
	}
	add()
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(filepath.Join(s.folder(id), journal.AudioFile))
	if err != nil || info.Size() != int64(len(want)) {
		t.Errorf("closed: the file has %d bytes of %d, %v", info.Size(), len(want), err)
	}
}
