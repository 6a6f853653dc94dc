package client

import (
	"context"
	"math/rand/v2"
	"testing"

	"github.com/rs/zerolog"

	"steno/gateway/dialect"
	"steno/gateway/metrics"
	"steno/messages"
	"steno/session"
	"steno/session/asr/scripted"
	"steno/session/store"
)

// awayJournal is a journal on a server that does not answer one read.
type awayJournal struct {
	Ledger
	audio *session.Memory
	reads int // until that one
}

func (j *awayJournal) ReadAudioAt(ctx context.Context, p []byte, off int64) (int, error) {
	if j.reads--; j.reads == 0 {
		return 0, store.ErrAway
	}
	return j.audio.ReadAudioAt(ctx, p, off)
}

func (j *awayJournal) Full() <-chan struct{} { return nil }
func (j *awayJournal) Cause() error          { return nil }

// resumedIntake returns the intake of a socket whose client may continue at the starts, in a
// journal whose first read fails.
func resumedIntake(t *testing.T, journal *awayJournal, open *session.Session, starts ...int64) *intake {
	t.Helper()
	out, _ := testOutbox(10, 0)
	s := &Clients{cfg: Config{Metrics: metrics.New(), Log: zerolog.Nop()}, life: t.Context()}
	s.cfg.Limits = s.cfg.Limits.WithDefaults()
	l := journal
	k := &Client{all: s, seat: &Seat{}, out: out, session: open, ledger: l, written: make(chan struct{})}
	read := readerAt(func(p []byte, off int64) (int, error) { return l.ReadAudioAt(t.Context(), p, off) })
	k.intake = intake{client: k, session: open, ledger: l, pace: newPace(&s.cfg.Limits), matcher: newMatcher(read,
		open.Received(), starts)}
	return &k.intake
}

// A client sends again audio of the journal, part of which cannot be read. Its socket is closed;
// audio sent until then is not written as new audio, as the audio before it is missing.
func TestAudioBehindAnUnreadableJournal(t *testing.T) {
	request, fault := messages.ParseLive([]byte(`{}`))
	if fault != nil {
		t.Fatal(fault)
	}
	random := rand.New(rand.NewPCG(1, 2))
	sound := make([]byte, 32000)
	for i := range sound {
		sound[i] = byte(random.Uint32())
	}
	for away := range 10 {
		var kept session.Memory
		open, err := session.Open(t.Context(), session.Config{ID: "S", Request: request,
			Recognizer: scripted.New(scripted.Config{}), Ledger: &kept})
		if err != nil {
			t.Fatal(err)
		}
		defer open.Abandon()
		if err := open.Write(t.Context(), sound); err != nil {
			t.Fatal(err)
		}
		in := resumedIntake(t, &awayJournal{audio: &kept, reads: 1 + away}, open, 0)
		for at := 0; at < len(sound); at += 3200 {
			in.audio(sound[at : at+3200])
		}
		if got := open.Received(); got != int64(len(sound)) {
			t.Errorf("away at read %d: %d bytes are recorded, want %d", away, got, len(sound))
		}
		if _, closeWith, _ := in.client.out.take(nil); closeWith == nil || closeWith.Why != dialect.Away {
			t.Errorf("away at read %d: closed with %v", away, closeWith)
		}
	}
}
