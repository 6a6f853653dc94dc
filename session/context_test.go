package session

import (
	"context"
	"maps"
	"slices"
	"sync"
	"testing"
	"testing/synctest"

	"pgregory.net/rapid"

	"steno/audio"
	"steno/session/asr"
	"steno/session/asr/scripted"
	"steno/session/internal/samples"
)

// contextRecorder is a recognizer that records the context and the audio of each stream.
type contextRecorder struct {
	asr.Recognizer
	mu  sync.Mutex
	all []*contextStream
}

type contextStream struct {
	asr.Stream
	context, audio, following []int16
}

func (s *contextStream) Follow(samples []int16) error {
	s.following = slices.Clone(samples)
	return nil
}

func (c *contextRecorder) Open(ctx context.Context, p asr.Params) (asr.Stream, error) {
	u, err := c.Recognizer.Open(ctx, p)
	s := &contextStream{Stream: u, context: p.Context}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.all = append(c.all, s)
	return s, err
}

func (s *contextStream) Write(samples []int16) error {
	s.audio = append(s.audio, samples...)
	return s.Stream.Write(samples)
}

// place returns where in the audio the samples, which occur once, lie.
func place(t *testing.T, audio, samples []int16) int {
	t.Helper()
	key := samples[:min(len(samples), 400)]
	for at := 0; at+len(samples) <= len(audio); at++ {
		if audio[at] == key[0] && slices.Equal(audio[at:at+len(key)], key) {
			if !slices.Equal(audio[at:at+len(samples)], samples) {
				t.Fatalf("samples from %d on are not contiguous", at)
			}
			return at
		}
	}
	t.Fatal("samples are not in the audio")
	return 0
}

func samplesOf(pcm []byte) []int16 {
	out := make([]int16, len(pcm)/2)
	audio.DecodePCM(out, pcm)
	return out
}

// conversation is speech with short and long pauses, some of it longer than the longest context.
// Tests share it, and do not write to it.
var conversation = sync.OnceValue(func() []byte {
	var x []float64
	for i, pause := range []float64{0.8, 1.3, 0.7, 4, 0.9, 0.6, 0.8, 1, 0.7, 0.9, 0.8, 1.2, 0.6, 3, 0.7} {
		x = append(x, whiteNoise(pause, -75, uint64(i))...)
		x = append(x, voice(1.2+float64(i%3), uint64(i))...)
	}
	return interleave(x)
})

// placed is an utterance as written to a recognizer: where its context and its audio start, and
// where it ends.
type placed struct{ context, from, end int }

// places returns the utterances of the streams in the order of the audio. If one was cut by force
// and fed to another stream, the later stream counts.
func (c *contextRecorder) places(t *testing.T, audio []int16) []placed {
	t.Helper()
	byStart := map[int]placed{}
	for _, s := range c.all {
		at := place(t, audio, slices.Concat(s.context, s.audio))
		from := at + len(s.context)
		byStart[from] = placed{at, from, from + len(s.audio)}
	}
	return slices.SortedFunc(maps.Values(byStart), func(a, b placed) int { return a.from - b.from })
}

// An utterance's context is the audio directly before it, from the utterances that it follows
// closely on, 16 s at most.
func TestContext(t *testing.T) {
	for _, request := range []string{`{}`, `{"maximum_duration_without_endpointing":5,"endpointing":1}`} {
		pcm := conversation()
		r := &contextRecorder{Recognizer: scripted.New(scripted.Config{Context: true})}
		s := openWith(t, &Memory{}, request, asr.Replay, r)
		write(t, s, pcm)
		stopAndWait(t, s)
		first, end, longest, none := 0, -1<<40, 0, 0
		for _, u := range r.places(t, samplesOf(pcm)) {
			if u.from-end > maxGap {
				first = u.from
				none++
			}
			if want := min(u.from-first, asr.MaxContext); u.from-u.context != want {
				t.Errorf("%s: utterance from %d, %d after the last one's end: context from %d, want %d samples",
					request, u.from, u.from-end, u.context, want)
			}
			end, longest = u.end, max(longest, u.from-u.context)
		}
		if longest != asr.MaxContext || none < 3 {
			t.Errorf("%s: %d utterances without context, the longest is of %d samples: nothing is tested", request,
				none, longest)
		}
	}
}

// After a forced cut the recognizer is given the audio that followed, as far as it was heard before
// the cut, whether it uses context or not.
func TestFollowing(t *testing.T) {
	pcm := conversation()
	for _, context := range []bool{true, false} {
		r := &contextRecorder{Recognizer: scripted.New(scripted.Config{Context: context})}
		s := openWith(t, &Memory{}, `{"endpointing":2,"maximum_duration_without_endpointing":5}`, asr.Replay, r)
		write(t, s, pcm)
		stopAndWait(t, s)
		heard, followed := samplesOf(pcm), 0
		for _, u := range r.all {
			if len(u.following) == 0 {
				continue
			}
			followed++
			end := place(t, heard, u.audio) + len(u.audio)
			if n := len(u.following); n > asr.MaxFollowing || !slices.Equal(u.following, heard[end:end+n]) {
				t.Errorf("%d samples follow an utterance that ends at %d", n, end)
			}
		}
		if followed < 3 {
			t.Errorf("%d utterances of %d were followed: nothing is tested", followed, len(r.all))
		}
	}
}

// A recognizer without use for context is given none, and no audio is kept for it.
func TestContextIsOptional(t *testing.T) {
	r := &paramsRecorder{Recognizer: scripted.New(scripted.Config{})}
	s := openWith(t, &Memory{}, `{}`, asr.Replay, unwilling{r})
	write(t, s, conversation())
	stopAndWait(t, s)
	for _, p := range r.told {
		if p.Context != nil {
			t.Fatalf("%d samples of context", len(p.Context))
		}
	}
	if len(r.told) < 10 {
		t.Errorf("%d utterances", len(r.told))
	}
}

// unwilling is a recognizer without use for context.
type unwilling struct{ asr.Recognizer }

func (unwilling) TakesContext([]string) bool { return false }

// remoteMemory is a ledger whose audio is not local.
type remoteMemory struct{ *Memory }

func (remoteMemory) Local() bool { return false }

// Context is the same after restarts at any place, in any format, with local and remote ledgers,
// with inserted silence and with forced cuts.
func TestContextSurvives(t *testing.T) {
	sound := conversation()[:24*2*asr.Rate]
	rapid.Check(t, func(rt *rapid.T) {
		request := rapid.SampledFrom([]string{
			`{}`, `{"endpointing":0.3}`, `{"sample_rate":8000}`, `{"sample_rate":48000,"endpointing":1}`,
			`{"channels":2}`, `{"pre_processing":{"speech_threshold":0}}`,
		}).Draw(rt, "request")
		size := rapid.IntRange(len(sound)/8, len(sound)).Draw(rt, "size")
		cuts := rapid.SliceOfN(rapid.IntRange(1, size), 1, 4).Draw(rt, "cuts")
		marks := rapid.SliceOfN(rapid.IntRange(1, size), 0, 3).Draw(rt, "marks")
		remote := rapid.Bool().Draw(rt, "remote")
		want := playLeft(t, request, sound[:size], nil, marks, remote)
		if got := playLeft(t, request, sound[:size], cuts, marks, remote); got != want {
			rt.Fatalf("got  %s\nwant %s", got, want)
		}
	})
}

// playLeft plays audio with silence at marks to a session that is abandoned and resumed at cuts.
func playLeft(t *testing.T, request string, pcm []byte, cuts, marks []int, remote bool) string {
	var m Memory
	var ledger Ledger = &m
	if remote {
		ledger = remoteMemory{&m}
	}
	at := slices.Concat(cuts, marks, []int{len(pcm)})
	slices.Sort(at)
	synctest.Test(t, func(t *testing.T) {
		s := open(t, ledger, request, asr.Live)
		from := 0
		for _, to := range slices.Compact(at) {
			write(t, s, pcm[from:to])
			synctest.Wait() // for the finals
			from = to
			if slices.Contains(marks, to) {
				hush(t, s)
			}
			if slices.Contains(cuts, to) {
				s.Abandon()
				s = open(t, ledger, request, asr.Live)
			}
		}
		stopAndWait(t, s)
	})
	return utterancesText(t, &m)
}

// A session that has been silent for a while holds no audio, however much context it had.
func TestSilenceEndsContext(t *testing.T) {
	for _, ledger := range []Ledger{&Memory{}, remoteMemory{&Memory{}}} {
		s := open(t, ledger, `{}`, asr.Replay)
		pcm := conversation()
		write(t, s, pcm[:len(pcm)-10*2*asr.Rate]) // before the last long pause
		l := s.recording.lanes[0]
		if n := l.buffer.End() - l.needed(); n < asr.MaxContext/2 {
			t.Errorf("%d samples held while somebody speaks: nothing is tested", n)
		}
		write(t, s, interleave(whiteNoise(4, -75, 3)))
		if n := l.buffer.Room(); n > samples.RoomSamples {
			t.Errorf("%T: room for %d samples in silence", ledger, n)
		}
		stopAndWait(t, s)
	}
}

// A checkpoint has the start of the context, and not its samples.
func TestCheckpointsHoldNoContext(t *testing.T) {
	var m Memory
	s := open(t, &m, `{}`, asr.Replay)
	write(t, s, conversation())
	stopAndWait(t, s)
	if n := len(m.checkpoints[0]); n == 0 || n > 2*asr.MaxContext/4 {
		t.Errorf("a checkpoint of %d bytes", n)
	}
}
