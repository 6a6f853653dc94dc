package storetest

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"sync"
	"testing"
	"testing/iotest"

	"steno/messages"
	"steno/session"
	"steno/session/store"
)

func appendEvent(t *testing.T, l store.Live, key, body string) int64 {
	t.Helper()
	e := messages.Event{Seq: 99, Key: messages.Key{Kind: messages.KindFinal, Subject: key}, Body: []byte(body)}
	seq, fresh, err := l.AppendEvent(t.Context(), e, -1, nil)
	must(t, err)
	same(t, "fresh", fresh, true)
	return seq
}

// reclaim closes a handle and claims the session again.
func reclaim(t *testing.T, s store.Store, l store.Live, id string) store.Live {
	t.Helper()
	must(t, l.Close())
	l, err := s.Claim(t.Context(), id, store.IfFree)
	must(t, err)
	return l
}

func audio(t *testing.T, s store.Store) {
	ctx := t.Context()
	l := claim(t, s, "job")
	var want []byte
	for i := range 50 {
		p := bytes.Repeat([]byte{byte(i)}, i*37)
		must(t, l.AppendAudio(ctx, p))
		want = append(want, p...)
		clear(p) // the slice is the caller's again
		same(t, "size", l.AudioSize(), int64(len(want)))
	}
	l = reclaim(t, s, l, "job")
	same(t, "size after reopening", l.AudioSize(), int64(len(want)))
	reader := readerAt{t, l}
	got, err := io.ReadAll(io.NewSectionReader(reader, 0, l.AudioSize()+10))
	must(t, err)
	if !bytes.Equal(got, want) {
		t.Fatal("audio is not what was appended")
	}
	must(t, iotest.TestReader(io.NewSectionReader(reader, 100, 5000), want[100:5100]))
	p := make([]byte, 10)
	n, err := l.ReadAudioAt(ctx, p, l.AudioSize()-4)
	if n != 4 || err != io.EOF {
		t.Fatalf("read at the end gives %d, %v, want 4, EOF", n, err)
	}
	if n, err = l.ReadAudioAt(ctx, p, l.AudioSize()); n != 0 || err != io.EOF {
		t.Fatalf("read beyond the end gives %d, %v, want 0, EOF", n, err)
	}
	_, err = l.ReadAudioAt(ctx, p, -1)
	wants(t, err, store.ErrInvalid)
	must(t, l.Close())
}

type readerAt struct {
	t *testing.T
	l store.Live
}

func (r readerAt) ReadAt(p []byte, off int64) (int, error) {
	return r.l.ReadAudioAt(r.t.Context(), p, off)
}

// audioRace reads while appending: a reader sees whole appends only.
func audioRace(t *testing.T, s store.Store) {
	const block, blocks = 640, 500
	l := claim(t, s, "job")
	var done sync.WaitGroup
	done.Go(func() {
		for i := range blocks {
			if err := l.AppendAudio(t.Context(), bytes.Repeat([]byte{byte(i)}, block)); err != nil {
				t.Error(err)
				return
			}
		}
	})
	p := make([]byte, block)
	for at := int64(0); at < blocks*block && !t.Failed(); {
		size := l.AudioSize()
		if size%block != 0 {
			t.Fatalf("size %d is not a whole number of appends", size)
		}
		for ; at < size; at += block {
			if _, err := l.ReadAudioAt(t.Context(), p, at); err != nil {
				t.Fatal(err)
			}
			if want := byte(at / block); p[0] != want || p[block-1] != want {
				t.Fatalf("block at %d is torn", at)
			}
		}
	}
	done.Wait()
	must(t, l.Close())
}

func recording(t *testing.T, s store.Store) {
	ctx := t.Context()
	_, err := s.OpenAudio(ctx, "acme", "job")
	wants(t, err, store.ErrNotFound)
	create(t, s, newRecord("silent"))
	a, err := s.OpenAudio(ctx, "acme", "silent")
	must(t, err)
	same(t, "size of nothing", a.Size(), 0)
	must(t, a.Close())
	l := claim(t, s, "job")
	must(t, l.AppendAudio(ctx, []byte("0123456789")))
	flush(t, l, 0)
	a, err = s.OpenAudio(ctx, "acme", "job")
	must(t, err)
	must(t, l.AppendAudio(ctx, []byte("later")))
	same(t, "size when opened", a.Size(), 10)
	must(t, iotest.TestReader(a, []byte("0123456789")))
	_, err = a.Seek(-3, io.SeekEnd)
	must(t, err)
	end, err := io.ReadAll(a)
	must(t, err)
	same(t, "end", string(end), "789")
	must(t, a.Close())
	must(t, l.Close())
}

func eventNumbers(t *testing.T, s store.Store) {
	ctx := t.Context()
	l, other := claim(t, s, "job"), claim(t, s, "other")
	for i := range 10 {
		same(t, "number", appendEvent(t, l, fmt.Sprintf("k%d", i), fmt.Sprintf(`{"n":%d}`, i)), int64(i+1))
	}
	same(t, "first number of another session", appendEvent(t, other, "k3", "{}"), 1)
	l = reclaim(t, s, l, "job")
	same(t, "number after reopening", appendEvent(t, l, "k10", "{}"), 11)
	flush(t, l, 11)
	events, err := l.Events(ctx, 3, 4)
	must(t, err)
	same(t, "number of events", len(events), 4)
	for i, e := range events {
		same(t, "number", e.Seq, int64(4+i))
		same(t, "key", e.Key, messages.Key{Kind: messages.KindFinal, Subject: fmt.Sprintf("k%d", 3+i)})
		same(t, "kind", e.Kind, messages.KindFinal)
		same(t, "body", string(e.Body), fmt.Sprintf(`{"n":%d}`, 3+i))
	}
	without, err := s.Events(ctx, "acme", "job", 9, 100)
	must(t, err)
	same(t, "events without a claim", len(without), 2)
	for _, c := range []struct {
		after int64
		limit int
	}{{11, 5}, {0, 0}, {0, -1}} {
		events, err = l.Events(ctx, c.after, c.limit)
		must(t, err)
		same(t, "number of events", len(events), 0)
	}
	must(t, errors.Join(l.Close(), other.Close()))
}

func eventRace(t *testing.T, s store.Store) {
	const hands, each = 4, 25
	l := claim(t, s, "job")
	var done sync.WaitGroup
	for h := range hands {
		done.Go(func() {
			for i := range each {
				e := messages.Event{Key: messages.Key{Kind: messages.KindFinal, Subject: fmt.Sprintf("%d/%d", h, i)},
					Body: []byte("{}")}
				if _, fresh, err := l.AppendEvent(t.Context(), e, h, []byte{byte(i)}); err != nil || !fresh {
					t.Error("append:", fresh, err)
				}
			}
		})
	}
	done.Wait()
	flush(t, l, hands*each)
	events, err := l.Events(t.Context(), 0, 2*hands*each)
	must(t, err)
	same(t, "number of events", len(events), hands*each)
	for i, e := range events {
		same(t, "number", e.Seq, int64(i+1))
	}
	must(t, l.Close())
}

func eventKeys(t *testing.T, s store.Store) {
	ctx := t.Context()
	l := claim(t, s, "job")
	appendEvent(t, l, "a", "first")
	appendEvent(t, l, "b", "second")
	e := messages.Event{Key: messages.Key{Kind: messages.KindFinal, Subject: "a"}, Body: []byte("other")}
	seq, fresh, err := l.AppendEvent(ctx, e, -1, nil)
	must(t, err)
	same(t, "number", seq, 1)
	same(t, "fresh", fresh, false)
	flush(t, l, 2)
	got, err := l.Events(ctx, 0, 1)
	must(t, err)
	same(t, "number of events", len(got), 1)
	same(t, "body", string(got[0].Body), "first")
	same(t, "key", got[0].Key, e.Key)
	same(t, "number", got[0].Seq, 1)
	_, _, err = l.AppendEvent(ctx, messages.Event{}, -1, nil)
	wants(t, err, store.ErrInvalid)
	same(t, "next number", appendEvent(t, l, "c", ""), 3)
	must(t, l.Close())
}

func checkpoints(t *testing.T, s store.Store) {
	ctx := t.Context()
	l := claim(t, s, "job")
	all, err := l.Checkpoints(ctx)
	must(t, err)
	same(t, "number of checkpoints", len(all), 0)
	for _, c := range []struct {
		key   string
		lane  int
		state string
	}{{"a", 0, "one"}, {"b", 7, "two"}, {"c", 0, "three"}, {"d", -1, "unseen"}, {"b", 7, "again"}} {
		e := messages.Event{Key: messages.Key{Kind: messages.KindFinal, Subject: c.key}, Body: []byte("{}")}
		_, _, err := l.AppendEvent(ctx, e, c.lane, []byte(c.state))
		must(t, err)
	}
	l = reclaim(t, s, l, "job")
	all, err = l.Checkpoints(ctx)
	must(t, err)
	same(t, "number of checkpoints", len(all), 2)
	same(t, "lane 0", string(all[0]), "three")
	same(t, "lane 7", string(all[7]), "again")
	must(t, l.Close())
}

func sameMarks(t *testing.T, l store.Live, want store.Marks) {
	t.Helper()
	got, err := l.Marks(t.Context())
	must(t, err)
	if got.Boundary != want.Boundary || got.Seq != want.Seq || !slices.Equal(got.Sent, want.Sent) {
		t.Fatalf("marks are %+v, want %+v", got, want)
	}
}

func acks(t *testing.T, s store.Store) {
	ctx := t.Context()
	l := claim(t, s, "job")
	sameMarks(t, l, store.Marks{})
	for _, b := range []int64{3200, 6400, 6400, 9600, 12800, 0} {
		must(t, l.Sync(b))
	}
	sameMarks(t, l, store.Marks{Sent: []int64{3200, 6400, 9600, 12800}})
	must(t, l.Confirm(ctx, 6400, 5))
	sameMarks(t, l, store.Marks{Boundary: 6400, Seq: 5, Sent: []int64{9600, 12800}})
	must(t, l.Confirm(ctx, 3200, 9))
	must(t, l.Confirm(ctx, 7000, 2))
	must(t, l.Sync(3200))
	want := store.Marks{Boundary: 7000, Seq: 9, Sent: []int64{9600, 12800}}
	sameMarks(t, l, want)
	l = reclaim(t, s, l, "job")
	sameMarks(t, l, want)
	must(t, l.Confirm(ctx, 12800, 9))
	sameMarks(t, l, store.Marks{Boundary: 12800, Seq: 9})
	wants(t, l.Sync(-1), store.ErrInvalid)
	wants(t, l.Confirm(ctx, -1, 0), store.ErrInvalid)
	must(t, l.Close())
}

func silences(t *testing.T, s store.Store) {
	ctx := t.Context()
	l, other := claim(t, s, "job"), claim(t, s, "other")
	list := func(l store.Live, want ...int64) {
		t.Helper()
		got, err := l.Silences(ctx)
		must(t, err)
		if !slices.Equal(got, want) {
			t.Fatalf("silences are %v, want %v", got, want)
		}
	}
	list(l)
	for _, at := range []int64{9600, 3200, 9600, 1 << 40} {
		must(t, l.MarkSilence(ctx, at))
	}
	must(t, other.MarkSilence(ctx, 6400))
	list(l, 3200, 9600, 1<<40)
	l = reclaim(t, s, l, "job")
	list(l, 3200, 9600, 1<<40)
	wants(t, l.MarkSilence(ctx, -1), store.ErrInvalid)
	must(t, l.Finish(ctx, store.Outcome{}))
	must(t, s.Delete(ctx, "acme", "job"))
	awaitLost(t, l, store.ErrNotFound)
	wants(t, l.MarkSilence(ctx, 12800), store.ErrNotFound)
	_, err := l.Silences(ctx)
	wants(t, err, store.ErrNotFound)
	list(other, 6400)
	must(t, l.Close())
	wants(t, l.MarkSilence(ctx, 12800), store.ErrLost)
	must(t, other.Close())
}

func notes(t *testing.T, s store.Store) {
	ctx := t.Context()
	l, other := claim(t, s, "job"), claim(t, s, "other")
	list := func(l store.Live, want ...session.Note) {
		t.Helper()
		got, err := l.Notes(ctx)
		must(t, err)
		equal := func(a, b session.Note) bool { return a.At == b.At && bytes.Equal(a.Body, b.Body) }
		if !slices.EqualFunc(got, want, equal) {
			t.Fatalf("notes are %v, want %v", got, want)
		}
	}
	list(l)
	binary := []byte{' ', 0, 255, '\n'}
	want := []session.Note{{At: 9600, Body: []byte("b")}, {At: 3200, Body: binary}, {At: 9600, Body: []byte("b")}}
	for _, n := range want {
		must(t, l.AddNote(ctx, n))
	}
	binary[0] = 'x' // it is the caller's
	want[1].Body = []byte{' ', 0, 255, '\n'}
	must(t, other.AddNote(ctx, session.Note{}))
	list(l, want...)
	l = reclaim(t, s, l, "job")
	list(l, want...)
	must(t, l.AddNote(ctx, session.Note{At: 1, Body: []byte("late")}))
	l = reclaim(t, s, l, "job")
	list(l, append(want, session.Note{At: 1, Body: []byte("late")})...)
	wants(t, l.AddNote(ctx, session.Note{At: -1}), store.ErrInvalid)
	wants(t, l.AddNote(ctx, session.Note{Body: make([]byte, session.MaxNote+store.SealRoom+1)}), store.ErrInvalid)
	must(t, l.Finish(ctx, store.Outcome{}))
	must(t, s.Delete(ctx, "acme", "job"))
	awaitLost(t, l, store.ErrNotFound)
	wants(t, l.AddNote(ctx, session.Note{}), store.ErrNotFound)
	_, err := l.Notes(ctx)
	wants(t, err, store.ErrNotFound)
	list(other, session.Note{})
	must(t, l.Close())
	wants(t, l.AddNote(ctx, session.Note{}), store.ErrLost)
	must(t, other.Close())
}

func acksBounded(t *testing.T, s store.Store) {
	l := claim(t, s, "job")
	const sent = 10 * store.MaxSent
	for i := range int64(sent) {
		must(t, l.Sync(100*(i+1)))
	}
	awaitDurable(t, l, session.Progress{Boundary: 100 * sent}) // a handle that is closed does not wait for long
	for range 2 {
		m, err := l.Marks(t.Context())
		must(t, err)
		same(t, "number kept", len(m.Sent), store.MaxSent)
		same(t, "sorted", slices.IsSorted(m.Sent), true)
		same(t, "first", m.Sent[0], 100)
		same(t, "last of the old", m.Sent[store.MaxSent/2-1], 100*store.MaxSent/2)
		same(t, "first of the new", m.Sent[store.MaxSent/2], 100*(sent-store.MaxSent/2+1))
		same(t, "last", m.Sent[store.MaxSent-1], 100*sent)
		l = reclaim(t, s, l, "job")
	}
	must(t, l.Close())
}

func outcome(t *testing.T, s store.Store) {
	ctx := t.Context()
	l := claim(t, s, "job")
	stopped, err := l.Stopped(ctx)
	must(t, err)
	same(t, "stopped", stopped, false)
	must(t, l.SetStopped(ctx))
	must(t, l.SetStopped(ctx))
	l = reclaim(t, s, l, "job")
	stopped, err = l.Stopped(ctx)
	must(t, err)
	same(t, "stopped", stopped, true)
	must(t, l.Finish(ctx, store.Outcome{Result: []byte(`{"x":1}`), Seconds: 1.5}))
	wants(t, l.Finish(ctx, store.Outcome{ErrorCode: 500}), store.ErrFinished)
	appendEvent(t, l, "end", "{}") // what follows the outcome is still logged
	must(t, l.Close())
	r, err := s.Get(ctx, "acme", "job")
	must(t, err)
	same(t, "status", r.Status, messages.StatusDone)
	same(t, "finished", r.Finished(), true)
	same(t, "stopped", r.Stopped, true)
	same(t, "result", string(r.Result), `{"x":1}`)
	same(t, "seconds", *r.Seconds, 1.5)
	same(t, "has an error code", r.ErrorCode != nil, false)
	same(t, "has its time of completion", r.CompletedAt != nil, true)

	l = claim(t, s, "failed")
	must(t, l.Finish(ctx, store.Outcome{ErrorCode: 408}))
	must(t, l.Close())
	r, err = s.Get(ctx, "acme", "failed")
	must(t, err)
	same(t, "status", r.Status, messages.StatusError)
	same(t, "error code", *r.ErrorCode, 408)
	same(t, "has a result", r.Result != nil, false)
}
