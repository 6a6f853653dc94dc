package session

import (
	"context"
	"encoding/binary"
	"sync/atomic"
	"testing"
	"testing/synctest"

	"steno/audio"
	"steno/messages"
	"steno/session/asr"
	"steno/session/asr/scripted"
)

// countingRecognizer is a recognizer that counts its streams.
type countingRecognizer struct {
	asr.Recognizer
	opened *atomic.Int64
}

func (c countingRecognizer) Open(ctx context.Context, p asr.Params) (asr.Stream, error) {
	c.opened.Add(1)
	return c.Recognizer.Open(ctx, p)
}

// forgetEnd removes from a ledger what a session writes after its last final.
func forgetEnd(m *Memory) {
	for i, e := range m.events {
		if e.Kind == messages.KindEndRecording {
			for _, e := range m.events[i:] {
				delete(m.known, e.Key)
			}
			m.events = m.events[:i]
			break
		}
	}
	m.outcome = nil
}

// If a process dies while a stopped session is being finished, nothing is recognized again, though
// the last tick of the recording and the ticks of the front end's lag are beyond the journal.
func TestNothingIsRecognizedAnewAfterTheLastFinal(t *testing.T) {
	speech := interleave(append(append(voice(1.5, 4), whiteNoise(1, -80, 1)...), voice(1.5051, 5)...))
	for _, c := range []struct {
		request string
		pcm     []byte
	}{
		{`{}`, speech},
		{`{"sample_rate":8000}`, speech},
		{`{"channels":2}`, speech},
		{`{"sample_rate":32000,"pre_processing":{"audio_enhancer":true,"speech_threshold":0}}`,
			speech[:len(speech)-960]},
	} {
		var m Memory
		s := open(t, &m, c.request, asr.Replay)
		write(t, s, c.pcm)
		stopAndWait(t, s)
		want := utterancesText(t, &m)
		forgetEnd(&m)
		var opened atomic.Int64
		s = openWith(t, &m, c.request, asr.Replay,
			countingRecognizer{multilingualRecognizer{scripted.New(scripted.Config{Context: true})}, &opened})
		<-s.Done()
		if got := utterancesText(t, &m); got != want || want == "[]" {
			t.Errorf("%s: got %s\nwant %s", c.request, got, want)
		}
		if n := opened.Load(); n != 0 {
			t.Errorf("%s: %d utterances were recognized anew", c.request, n)
		}
	}
}

// A power cut may take the end of the journal and leave a checkpoint beyond it, by less than the
// header's length. Audio sent from there on has the right position, to the byte.
func TestJournalThatIsBehindACheckpoint(t *testing.T) {
	format := audio.Format{BitDepth: 16, SampleRate: audio.Rate, Channels: 1}
	pcm := interleave(append(append(voice(1.5, 4), whiteNoise(1, -80, 1)...), voice(1.5, 5)...))
	stream := append(audio.WAVHeader(format, -1), pcm...)
	want := utterancesText(t, playReplay(t, `{}`, stream))
	for lost := 1; lost < 44; lost += 6 {
		var m Memory
		synctest.Test(t, func(t *testing.T) {
			s := open(t, &m, `{}`, asr.Live)
			for at := 0; len(m.checkpoints) == 0; at += 320 {
				write(t, s, stream[at:at+320])
				synctest.Wait()
			}
			s.Abandon()
			ticks := int64(binary.LittleEndian.Uint64(m.checkpoints[0][1:]))
			m.size = 44 + ticks*int64(format.TickBytes()) - int64(lost)
			m.audio = m.audio[:m.size]
			s = open(t, &m, `{}`, asr.Live)
			write(t, s, stream[m.size:])
			stopAndWait(t, s)
		})
		if got := utterancesText(t, &m); got != want {
			t.Errorf("%d bytes lost: got %s\nwant %s", lost, got, want)
		}
	}
}
