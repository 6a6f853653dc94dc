package embedded

import (
	"bufio"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"slices"
	"testing"
	"time"

	"steno/messages"
	"steno/session/store"
)

// childVariable makes the test binary the writer that is killed, on the data folder it names.
const childVariable = "STENO_STORE_CHILD"

const crashID = "crash-test"

// acknowledged is what the child has said it wrote: "audio N", "event N", "sent N", "confirmed N".
type acknowledged struct {
	audio, event, sent, confirmed int64
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

// writeForEver goes on where the former child was killed, saying after each call what it has written.
func writeForEver(ctx context.Context, dir string) error {
	s, err := Open(ctx, dir)
	if err != nil {
		return err
	}
	err = s.Create(ctx, store.Record{ID: crashID, Account: "acme", Kind: messages.JobLive, Status: messages.StatusQueued, CreatedAt: time.Now()})
	if err != nil && !errors.Is(err, store.ErrExists) {
		return err
	}
	l, err := s.Claim(ctx, crashID)
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
	}
}

func writeOnce(ctx context.Context, l store.Live, seq int64) error {
	p := make([]byte, 1+rand.IntN(20000))
	from := l.AudioSize()
	for i := range p {
		p[i] = sampleAt(from + int64(i))
	}
	if err := l.AppendAudio(ctx, p); err != nil {
		return err
	}
	fmt.Println("audio", l.AudioSize())
	if err := l.MarkAck(ctx, l.AudioSize()); err != nil {
		return err
	}
	fmt.Println("sent", l.AudioSize())
	e := messages.Logged{Kind: messages.KindFinal, Key: fmt.Sprint("key ", seq), Body: []byte(eventBody(seq))}
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
	rounds := 12
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

// killChild lets a child write until it has said so many lines, kills it wherever it is then, and takes in the rest
// of what it said.
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
	l, err := s.Claim(ctx, crashID)
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
	if err := s.Close(); err != nil {
		t.Fatal(err)
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
