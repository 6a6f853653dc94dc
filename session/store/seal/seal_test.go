package seal_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"steno/messages"
	"steno/session/store"
	"steno/session/store/embedded"
	"steno/session/store/embedded/embeddedtest"
	"steno/session/store/seal"
	"steno/session/store/storetest"
	"steno/session/store/valkey"
	"steno/session/store/valkeytest"
)

const (
	masterText = "MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIzNDU2Nzg5MDE="
	otherText  = "YWJjZGVmZ2hpamtsbW5vcHFyc3R1dnd4eXphYmNkZWY="
)

func must(t *testing.T, errs ...error) {
	t.Helper()
	if err := errors.Join(errs...); err != nil {
		t.Fatal(err)
	}
}

func master(t *testing.T, text string) seal.Master {
	t.Helper()
	m, err := seal.NewMaster([]byte(text))
	must(t, err)
	return m
}

// sealed returns a store that seals what inner keeps.
func sealed(t *testing.T, inner seal.Inner, key seal.Master) *seal.Store {
	t.Helper()
	ring, err := seal.NewRing(t.Context(), inner, key)
	must(t, err)
	s, err := seal.New(inner, ring, filepath.Join(t.TempDir(), "scratch"))
	must(t, err)
	return s
}

func openEmbedded(t *testing.T, dir string) *embedded.Store {
	t.Helper()
	s, err := embedded.Open(t.Context(), dir)
	must(t, err)
	return s
}

// The contract holds with encryption, but for the sizes of what is kept. What takes long, and what
// is sealed has no part in, is left to the store inside.
func TestConformance(t *testing.T) {
	key := master(t, masterText)
	storetest.Run(t, func(t *testing.T, now func() time.Time) store.Store {
		s, err := embedded.OpenWith(t.Context(), embeddedtest.Folder(t), embedded.Options{Now: now})
		must(t, err)
		return sealed(t, s, key)
	}, "sizes in lists", "what keys hold", "many jobs, many workers", "many deliveries, many senders", "pruning",
		"tickets are for one use")
}

// traces counts the files of folders that hold a text.
func traces(t *testing.T, text []byte, dirs ...string) (found int) {
	t.Helper()
	for _, dir := range dirs {
		must(t, filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
			if err != nil || entry.IsDir() {
				return nil // gone meanwhile
			}
			if content, err := os.ReadFile(path); err == nil && bytes.Contains(content, text) {
				found++
			}
			return nil
		}))
	}
	return found
}

// sample is what the tests keep: a word and audio that stand nowhere else.
type sample struct {
	word  string
	sound []byte
}

func newSample() sample {
	sound := make([]byte, 300_000)
	_, _ = rand.NewChaCha8([32]byte{1}).Read(sound)
	return sample{"zqmarkedwordqz", sound}
}

// keep keeps a session, a job, a callback and a secret of account "acme".
func (m sample) keep(t *testing.T, s store.Store) {
	t.Helper()
	ctx, now := t.Context(), time.Now()
	r := store.Record{ID: "live", Account: "acme", Kind: messages.JobLive, Status: messages.StatusQueued,
		CreatedAt: now, Params: json.RawMessage(`{"vocabulary":"` + m.word + `"}`)}
	must(t, s.Create(ctx, r))
	for part := range 3 { // three claims, of which each begins in the middle of a chunk
		l, err := s.Claim(ctx, "live", store.IfFree)
		must(t, err)
		for from := part * 100_000; from < (part+1)*100_000; from += 4_000 {
			must(t, l.AppendAudio(ctx, m.sound[from:from+4_000]))
		}
		key := messages.Key{Kind: messages.KindFinal, Subject: string(rune('a' + part))}
		e := messages.Event{Key: key, Body: []byte(`"` + m.word + `"`)}
		_, _, err = l.AppendEvent(ctx, e, 0, []byte(m.word))
		must(t, err)
		if part == 2 {
			must(t, l.Finish(ctx, store.Outcome{Result: json.RawMessage(`"` + m.word + `"`), Seconds: 1}))
		}
		must(t, l.Close())
	}
	d := store.Delivery{Account: "acme", Job: "live", Seq: 1, Event: "one", URL: "https://host", Method: "POST"}
	d.Body = []byte(m.word)
	must(t, s.Enqueue(ctx, d), s.AddSecret(ctx, store.Secret{Account: "acme", Text: "whsec_" + m.word, CreatedAt: now}))
	w, err := s.NewUpload(ctx, "file")
	must(t, err)
	_, err = w.Write(m.sound)
	must(t, err)
	_, err = w.Commit(ctx, store.Upload{Account: "acme", Filename: m.word, CreatedAt: now})
	must(t, err)
}

// check wants what keep has kept.
func (m sample) check(t *testing.T, s store.Store) {
	t.Helper()
	ctx := t.Context()
	r, err := s.Get(ctx, "acme", "live")
	must(t, err)
	events, err := s.Events(ctx, "acme", "live", 0, 10)
	must(t, err)
	if string(r.Result) != `"`+m.word+`"` ||
		string(r.Params) != `{"vocabulary":"`+m.word+`"}` || len(events) != 3 || string(events[2].Body) != `"`+m.word+`"` {
		t.Errorf("result %s, events %+v", r.Result, events)
	}
	a, err := s.OpenAudio(ctx, "acme", "live")
	must(t, err)
	got, err := io.ReadAll(a)
	must(t, err, a.Close())
	if !bytes.Equal(got, m.sound) {
		t.Errorf("the recording of %d bytes is another one", len(got))
	}
	f, err := s.OpenUpload(ctx, "acme", "file")
	must(t, err)
	got, err = io.ReadAll(f)
	must(t, err)
	copied, err := os.ReadFile(f.Path())
	must(t, err, f.Close())
	u, err := s.Upload(ctx, "acme", "file")
	must(t, err)
	if !bytes.Equal(got, m.sound) || !bytes.Equal(copied, m.sound) || u.Filename != m.word ||
		u.Size != int64(len(got)) {
		t.Errorf("the upload %+v of %d bytes is another one", u, len(got))
	}
	secrets, err := s.Secrets(ctx, "acme")
	must(t, err)
	if len(secrets) != 1 || secrets[0].Text != "whsec_"+m.word {
		t.Errorf("secrets are %v", secrets)
	}
}

// Neither audio nor words are in any byte of a data folder, and all of it is there for who has the
// key; for nobody else, and for nobody once the key was forgotten.
func TestEmbedded(t *testing.T) {
	dir, m, ctx := embeddedtest.Folder(t), newSample(), t.Context()
	s := sealed(t, openEmbedded(t, dir), master(t, masterText))
	m.keep(t, s)
	m.check(t, s)
	wantNone := func() {
		t.Helper()
		if n := traces(t, []byte(m.word), dir) + traces(t, m.sound[100_000:100_032], dir); n != 0 {
			t.Errorf("%d files hold what is sealed", n)
		}
	}
	wantNone()
	d, err := s.ClaimDeliveries(ctx, time.Minute, 1)
	must(t, err)
	if len(d) != 1 || string(d[0].Body) != m.word {
		t.Errorf("deliveries are %+v", d)
	}
	must(t, s.Ring().Rotate(ctx, "acme"))
	m.check(t, s)
	must(t, s.Close())

	inner := openEmbedded(t, dir)
	if _, err := seal.NewRing(ctx, inner, master(t, otherText)); !errors.Is(err, seal.ErrMaster) {
		t.Errorf("with another master key: %v", err)
	}
	ring, err := seal.NewRing(ctx, inner, master(t, otherText), master(t, masterText))
	must(t, err)
	if n, err := ring.RotateMaster(ctx); n != 2 || err != nil {
		t.Errorf("%d keys were wrapped anew, %v", n, err)
	}
	s = sealed(t, inner, master(t, otherText))
	m.check(t, s)
	must(t, s.Ring().Forget(ctx, "acme"))
	r, err := s.Get(ctx, "acme", "live")
	must(t, err)
	_, missing := s.OpenAudio(ctx, "acme", "live")
	events, err := s.Events(ctx, "acme", "live", 0, 10)
	must(t, err)
	if r.Result != nil || r.Stripped != store.AllParts || len(events) != 0 || !errors.Is(missing, store.ErrErased) {
		t.Errorf("after the key was forgotten: %+v, %d events, audio %v", r, len(events), missing)
	}
	wantNone()
	must(t, s.Close())
}

// Whoever changes, cuts or swaps pieces of a recording is found out; a handle that was killed loses
// nothing.
func TestJournal(t *testing.T) {
	dir, m, ctx := embeddedtest.Folder(t), newSample(), t.Context()
	s := sealed(t, openEmbedded(t, dir), master(t, masterText))
	m.keep(t, s)
	must(t, s.Close())
	path := filepath.Join(dir, "sessions", "li", "live", "audio")
	whole, err := os.ReadFile(path)
	must(t, err)
	for name, change := range map[string]func(p []byte) []byte{
		"a bit":  func(p []byte) []byte { p[150_000] ^= 1; return p },
		"a cut":  func(p []byte) []byte { return p[:299_000] },
		"a swap": func(p []byte) []byte { copy(p[:1000], whole[100_000:101_000]); return p },
	} {
		must(t, os.WriteFile(path, change(bytes.Clone(whole)), 0o600))
		s := sealed(t, openEmbedded(t, dir), master(t, masterText))
		a, err := s.OpenAudio(ctx, "acme", "live")
		must(t, err)
		if _, err := io.ReadAll(a); !errors.Is(err, store.ErrDamaged) {
			t.Errorf("%s is not noticed: %v", name, err)
		}
		must(t, a.Close(), s.Close())
	}
}

// A process that is killed leaves a segment without an end: the next claim reads it and ends it.
func TestKilledHandle(t *testing.T) {
	dir, m, ctx := embeddedtest.Folder(t), newSample(), t.Context()
	inner := openEmbedded(t, dir)
	s := sealed(t, inner, master(t, masterText))
	r := store.Record{ID: "live", Account: "acme", Kind: messages.JobLive, Status: messages.StatusQueued}
	r.CreatedAt = time.Now()
	must(t, s.Create(ctx, r))
	l, err := s.Claim(ctx, "live", store.IfFree)
	must(t, err)
	must(t, l.AppendAudio(ctx, m.sound[:150_001]))
	back := make([]byte, 150_001)
	_, err = l.ReadAudioAt(ctx, back, 0)
	must(t, err)
	other, err := s.Claim(ctx, "live", store.TakeOver) // the former handle cannot end its segment
	must(t, err)
	again := make([]byte, 150_001)
	_, err = other.ReadAudioAt(ctx, again, 0)
	must(t, err)
	must(t, other.AppendAudio(ctx, m.sound[150_001:]), other.Finish(ctx, store.Outcome{}), other.Close(), l.Close())
	if !bytes.Equal(back, m.sound[:150_001]) || !bytes.Equal(again, back) {
		t.Error("what a handle reads is not what was appended")
	}
	a, err := s.OpenAudio(ctx, "acme", "live")
	must(t, err)
	got, err := io.ReadAll(a)
	must(t, err, a.Close(), s.Close())
	if !bytes.Equal(got, m.sound) {
		t.Errorf("the recording of %d bytes is another one", len(got))
	}
}

// What was kept before there was a key stays readable, and so does a session.
func TestMixed(t *testing.T) {
	m, inner := newSample(), openEmbedded(t, embeddedtest.Folder(t))
	m.keep(t, inner)
	s := sealed(t, inner, master(t, masterText))
	m.check(t, s)
	must(t, s.Close())
}

// On a server and in blob storage there is nothing in the clear either, before and after a session
// has moved there.
func TestValkey(t *testing.T) {
	running, blobs, m := valkeytest.Start(t, "--appendonly", "yes"), t.TempDir(), newSample()
	inner, err := valkey.Open(t.Context(), valkey.Options{
		Addr: running.Addr(), Node: "node", Blobs: blobs, Spool: t.TempDir(), Failed: func(err error) { t.Error(err) },
	})
	must(t, err)
	s := sealed(t, inner, master(t, masterText))
	m.keep(t, s)
	m.check(t, s)
	for end := time.Now().Add(time.Minute); traces(t, []byte("journal"), blobs)+len(glob(t, blobs)) == 0 &&
		time.Now().Before(end); {
		time.Sleep(20 * time.Millisecond)
	}
	m.check(t, s)
	if running.Holds(m.word) || running.Holds(string(m.sound[100_000:100_032])) ||
		traces(t, []byte(m.word), blobs)+traces(t, m.sound[100_000:100_032], blobs) != 0 {
		t.Error("something is in the clear")
	}
	must(t, s.Close())
}

// glob lists the archives of journals.
func glob(t *testing.T, blobs string) []string {
	t.Helper()
	found, err := filepath.Glob(filepath.Join(blobs, "r", "*", "*", "journal-*"))
	must(t, err)
	return found
}

// BenchmarkAppend is what a tenth of a second at 16 kHz costs a store, in the clear and sealed.
func BenchmarkAppend(b *testing.B) {
	for _, name := range []string{"clear", "sealed"} {
		b.Run(name, func(b *testing.B) {
			var s store.Store
			inner, err := embedded.Open(b.Context(), b.TempDir())
			if err != nil {
				b.Fatal(err)
			}
			if s = inner; name == "sealed" {
				key, keyErr := seal.NewMaster([]byte(masterText))
				ring, ringErr := seal.NewRing(b.Context(), inner, key)
				wrapped, storeErr := seal.New(inner, ring, filepath.Join(b.TempDir(), "scratch"))
				if err := errors.Join(keyErr, ringErr, storeErr); err != nil {
					b.Fatal(err)
				}
				s = wrapped
			}
			defer s.Close()
			r := store.Record{ID: "live", Account: "acme", Kind: messages.JobLive, Status: messages.StatusQueued}
			r.CreatedAt = time.Now()
			if err := s.Create(b.Context(), r); err != nil {
				b.Fatal(err)
			}
			l, err := s.Claim(b.Context(), "live", store.IfFree)
			if err != nil {
				b.Fatal(err)
			}
			frame := make([]byte, 3200)
			b.ResetTimer()
			for range b.N {
				if err := l.AppendAudio(b.Context(), frame); err != nil {
					b.Fatal(err)
				}
				if err := l.Sync(l.AudioSize()); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// A program may have the master key: it has to answer, and not too much. One that answers without
// an end is left immediately, not when its time is up.
func TestCommand(t *testing.T) {
	ctx, inner := t.Context(), openEmbedded(t, embeddedtest.Folder(t))
	for _, c := range []struct{ script, fault string }{
		{`cat /dev/zero`, "too long"}, {`exit 1`, "exit status 1"}, {`exit 0`, "answered nothing"},
		{`test "$0" = unwrap -o "$0" = wrap && cat`, ""},
	} {
		ring, err := seal.NewRing(ctx, inner, seal.Command{"sh", "-c", c.script})
		must(t, err)
		p, err := ring.Seal(ctx, "acme", "about", []byte("clear"))
		if err == nil {
			p, err = ring.Open(ctx, "acme", "about", p)
		}
		if c.fault == "" && (err != nil || string(p) != "clear") ||
			c.fault != "" && (err == nil || !strings.Contains(err.Error(), c.fault)) {
			t.Errorf("%s: %q, %v", c.script, p, err)
		}
	}
	_, err := seal.NewRing(ctx, inner, seal.Command{"sh", "-c", "cat /dev/zero"})
	if err == nil || !strings.Contains(err.Error(), "too long") {
		t.Errorf("a key that no command can unwrap: %v", err)
	}
	must(t, inner.Close())
}
