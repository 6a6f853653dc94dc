package embedded

import (
	"bufio"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"steno/messages"
	"steno/session/store"
)

// childVariable makes the test binary the writer that is killed, on the data folder it names.
const childVariable = "STENO_STORE_CHILD"

const crashID = "crash-test"

// acknowledged is what the child has said it wrote: "audio N", "event N", "sent N", "confirmed N",
// "delivery N", "arrived N" (a delivery marked as sent), "upload N".
type acknowledged struct {
	audio, event, sent, confirmed, delivery, arrived int64

	uploads []int64
}

func (a *acknowledged) take(line string) error {
	var what string
	var n int64
	if _, err := fmt.Sscanf(line, "%s %d", &what, &n); err != nil {
		return fmt.Errorf("child says %q: %w", line, err)
	}
	switch what {
	case "audio":
		a.audio = n
	case "event":
		a.event = n
	case "sent":
		a.sent = n
	case "confirmed":
		a.confirmed = n
	case "delivery":
		a.delivery = n
	case "arrived":
		a.arrived = n
	case "upload":
		a.uploads = append(a.uploads, n)
	default:
		return fmt.Errorf("child says %q", line)
	}
	return nil
}

// sampleAt is the byte of the test's audio at a position: any loss, repeat or gap shows.
func sampleAt(at int64) byte { return byte(uint64(at) * 0x9E3779B97F4A7C15 >> 56) }

func eventBody(seq int64) string { return fmt.Sprintf(`{"number":%d}`, seq) }

func runChild(dir string) int {
	if err := writeForEver(context.Background(), dir); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return 0
}

// writeForEver continues where the former child was killed, and reports after each call what it has
// written.
func writeForEver(ctx context.Context, dir string) error {
	s, err := Open(ctx, dir)
	if err != nil {
		return err
	}
	err = s.Create(ctx, store.Record{ID: crashID, Account: "acme", Kind: messages.JobLive,
		Status: messages.StatusQueued, CreatedAt: time.Now()})
	if err != nil && !errors.Is(err, store.ErrExists) {
		return err
	}
	l, err := s.Claim(ctx, crashID, store.IfFree)
	if err != nil {
		return err
	}
	events, err := l.Events(ctx, 0, 1<<30)
	if err != nil {
		return err
	}
	for seq := int64(len(events)) + 1; ; seq++ {
		if err := writeOnce(ctx, l, seq); err != nil {
			return err
		}
		if err := callOnce(ctx, s, seq); err != nil {
			return err
		}
		if err := uploadOnce(ctx, s, seq); err != nil {
			return err
		}
	}
}

// callOnce enqueues an event's delivery, and those of earlier events that were not when the former
// child was killed, and marks two as sent.
func callOnce(ctx context.Context, s *Store, seq int64) error {
	last, err := s.LastSeq(ctx, "acme", crashID)
	if err != nil {
		return err
	}
	for n := last + 1; n <= seq; n++ {
		d := store.Delivery{Account: "acme", Job: crashID, Seq: n, Event: "e", URL: "u", Method: "POST",
			Body: []byte(eventBody(n))}
		if err := s.Enqueue(ctx, d); err != nil {
			return err
		}
	}
	fmt.Println("delivery", seq)
	for range 2 {
		claimed, err := s.ClaimDeliveries(ctx, time.Hour, 1)
		if err != nil || len(claimed) == 0 {
			return err
		}
		if err := s.Sent(ctx, claimed[0]); err != nil {
			return err
		}
		fmt.Println("arrived", claimed[0].Seq)
	}
	return nil
}

func uploadID(n int64) string { return fmt.Sprint("upload-", n) }

// uploadOnce hands in a file of which every part is known. What the former child was killed at may
// be there.
func uploadOnce(ctx context.Context, s *Store, n int64) error {
	w, err := s.NewUpload(ctx, uploadID(n))
	if errors.Is(err, store.ErrExists) {
		return nil
	}
	if err != nil {
		return err
	}
	p := make([]byte, uploadSize(n))
	for i := range p {
		p[i] = sampleAt(n + int64(i))
	}
	for len(p) > 0 {
		part := p[:min(len(p), 1000)]
		p = p[len(part):]
		if _, err := w.Write(part); err != nil {
			return err
		}
	}
	if _, err := w.Commit(ctx, store.Upload{Account: "acme", CreatedAt: time.Now()}); err != nil {
		return err
	}
	fmt.Println("upload", n)
	return nil
}

func uploadSize(n int64) int64 { return n * 7919 % 10_000 }

func writeOnce(ctx context.Context, l store.Live, seq int64) error {
	p := make([]byte, 1+rand.IntN(20000))
	from := l.AudioSize()
	for i := range p {
		p[i] = sampleAt(from + int64(i))
	}
	if err := l.AppendAudio(ctx, p); err != nil {
		return err
	}
	if err := l.Sync(l.AudioSize()); err != nil {
		return err
	}
	fmt.Println("audio", l.AudioSize())
	fmt.Println("sent", l.AudioSize())
	e := messages.Event{Key: messages.Key{Kind: messages.KindFinal, Subject: fmt.Sprint("key ", seq)},
		Body: []byte(eventBody(seq))}
	got, fresh, err := l.AppendEvent(ctx, e, int(seq%3), binary.AppendVarint(nil, seq))
	if err != nil || !fresh || got != seq {
		return fmt.Errorf("append event %d gives %d, fresh %v: %w", seq, got, fresh, err)
	}
	fmt.Println("event", seq)
	if rand.IntN(5) > 0 {
		return nil
	}
	if err := l.Confirm(ctx, from, seq); err != nil {
		return err
	}
	fmt.Println("confirmed", from)
	return nil
}

// TestKilledWriter kills a writing process again and again, and finds all it had acknowledged.
func TestKilledWriter(t *testing.T) {
	dir := t.TempDir()
	rounds := 5
	if testing.Short() {
		rounds = 3
	}
	var said acknowledged
	for range rounds {
		killChild(t, dir, &said, 1+rand.IntN(300))
		checkSurvivors(t, dir, said)
	}
	if said.event < int64(rounds) || said.confirmed == 0 {
		t.Fatalf("the child came to write too little: %+v", said)
	}
}

// killChild lets a child write until it has said so many lines, kills it wherever it is then, and
// takes in the rest of what it said.
func killChild(t *testing.T, dir string, said *acknowledged, lines int) {
	t.Helper()
	child := exec.Command(os.Args[0], "-test.run=^$")
	child.Env = append(os.Environ(), childVariable+"="+dir)
	child.Stderr = os.Stderr
	out, err := child.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := child.Start(); err != nil {
		t.Fatal(err)
	}
	n := 0
	for scan := bufio.NewScanner(out); scan.Scan(); n++ {
		if n == lines {
			if err := child.Process.Kill(); err != nil {
				t.Error(err)
			}
		}
		if err := said.take(scan.Text()); err != nil {
			t.Error(err)
		}
	}
	err = child.Wait()
	if status := new(exec.ExitError); !errors.As(err, &status) || status.Exited() || n < lines {
		t.Fatalf("child ended by itself after %d lines: %v", n, err)
	}
}

func checkSurvivors(t *testing.T, dir string, said acknowledged) {
	t.Helper()
	ctx := t.Context()
	s := openIn(t, dir)
	l, err := s.Claim(ctx, crashID, store.IfFree)
	if err != nil {
		t.Fatal(err)
	}
	checkAudio(t, l, said.audio)
	events, err := l.Events(ctx, 0, 1<<30)
	if err != nil {
		t.Fatal(err)
	}
	if int64(len(events)) < said.event {
		t.Fatalf("%d events, %d were acknowledged", len(events), said.event)
	}
	for i, e := range events {
		if seq := int64(i + 1); e.Seq != seq || string(e.Body) != eventBody(seq) {
			t.Fatalf("event %d is %d, %s", seq, e.Seq, e.Body)
		}
	}
	checkCheckpoints(t, l, int64(len(events)))
	m, err := l.Marks(ctx)
	if err != nil {
		t.Fatal(err)
	}
	if m.Boundary < said.confirmed || m.Boundary < said.sent && !slices.Contains(m.Sent, said.sent) {
		t.Fatalf("marks %+v lack what was acknowledged: %+v", m, said)
	}
	checkDeliveries(t, s, said)
	checkUploads(t, s, said.uploads)
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
}

// checkDeliveries wants what was marked as sent to be so, and what was enqueued to be there, in
// order and once.
func checkDeliveries(t *testing.T, s *Store, said acknowledged) {
	t.Helper()
	next := int64(1)
	for _, state := range []store.DeliveryState{store.DeliverySent, store.DeliveryPending} {
		all, err := s.Deliveries(t.Context(), "acme", state, 1<<30)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range all {
			if d.Seq != next {
				t.Fatalf("delivery %d is in the place of %d", d.Seq, next)
			}
			next++
		}
		if state == store.DeliverySent && next <= said.arrived {
			t.Fatalf("%d deliveries are sent, %d were acknowledged", next-1, said.arrived)
		}
	}
	if last, err := s.LastSeq(t.Context(), "acme", crashID); err != nil || last != next-1 || last < said.delivery {
		t.Fatalf("last delivery is %d (%v) of %d, %d were acknowledged", last, err, next-1, said.delivery)
	}
}

// checkUploads wants those acknowledged to be there, whatever is there to be whole, and no file
// that is no upload.
func checkUploads(t *testing.T, s *Store, said []int64) {
	t.Helper()
	for _, n := range said {
		if _, err := s.Upload(t.Context(), "acme", uploadID(n)); err != nil {
			t.Fatalf("upload %d was acknowledged: %v", n, err)
		}
	}
	all, err := s.UnusedUploads(t.Context(), time.Now().Add(time.Hour), 1<<30)
	if err != nil {
		t.Fatal(err)
	}
	for _, u := range all {
		checkWhole(t, s, u)
	}
	if files, err := filepath.Glob(filepath.Join(s.dir, "uploads", "*", "*")); err != nil || len(files) != len(all) {
		t.Fatalf("%d files of %d uploads, %v", len(files), len(all), err)
	}
}

func checkWhole(t *testing.T, s *Store, u store.Upload) {
	t.Helper()
	var n int64
	if _, err := fmt.Sscanf(u.ID, "upload-%d", &n); err != nil {
		t.Fatal(err)
	}
	f, err := s.OpenUpload(t.Context(), "acme", u.ID)
	if err != nil {
		t.Fatal(err)
	}
	content, err := io.ReadAll(f)
	if err = errors.Join(err, f.Close()); err != nil || int64(len(content)) != uploadSize(n) ||
		u.Size != uploadSize(n) {
		t.Fatalf("upload %d has %d bytes of %d, %v", n, len(content), uploadSize(n), err)
	}
	for i, b := range content {
		if b != sampleAt(n+int64(i)) {
			t.Fatalf("upload %d is wrong from byte %d", n, i)
		}
	}
}

func checkAudio(t *testing.T, l store.Live, least int64) {
	t.Helper()
	p := make([]byte, l.AudioSize())
	if int64(len(p)) < least {
		t.Fatalf("%d bytes of audio, %d were acknowledged", len(p), least)
	}
	if _, err := l.ReadAudioAt(t.Context(), p, 0); err != nil {
		t.Fatal(err)
	}
	for i, b := range p {
		if b != sampleAt(int64(i)) {
			t.Fatalf("audio is wrong from byte %d of %d", i, len(p))
		}
	}
}

// checkCheckpoints wants each lane's to be that of its last event: neither older nor newer.
func checkCheckpoints(t *testing.T, l store.Live, last int64) {
	t.Helper()
	all, err := l.Checkpoints(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for seq := max(last-2, 1); seq <= last; seq++ {
		if got, _ := binary.Varint(all[int(seq%3)]); got != seq {
			t.Fatalf("checkpoint of lane %d is of event %d, want %d", seq%3, got, seq)
		}
	}
}
