package session

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"pgregory.net/rapid"

	"steno/messages"
	"steno/session/asr"
	"steno/session/asr/scripted"
)

func hush(t *testing.T, s *Session) {
	t.Helper()
	if err := s.Silence(context.Background()); err != nil {
		t.Fatal(err)
	}
}

// kinds lists the logged events from the number on.
func kinds(m *Memory, from int) string {
	var list []string
	for _, e := range m.events[from:] {
		list = append(list, e.Kind.String())
	}
	return strings.Join(list, " ")
}

// A client that stops sending right after its last word gets the same final as one that sends
// silence, on either channel. The inserted silence does not lengthen the recording.
func TestSilenceEndsWhatIsSaid(t *testing.T) {
	for _, request := range []string{
		`{"channels":2,"endpointing":0.3}`,
		`{"channels":2,"endpointing":3,"maximum_duration_without_endpointing":60}`,
		`{"channels":2,"endpointing":3,"pre_processing":{"audio_enhancer":true}}`,
	} {
		sound := interleave(slices.Concat(whiteNoise(1, -80, 1), voice(2, 3)), slices.Concat(whiteNoise(2, -80, 2),
			voice(1, 4)))
		sent := playReplay(t, request, slices.Concat(sound, make([]byte, 4*4*16000))) // 4 s of zeros
		synctest.Test(t, func(t *testing.T) {
			var m Memory
			s := open(t, &m, request, asr.Live)
			write(t, s, sound)
			synctest.Wait()
			before := len(m.events)
			hush(t, s)
			synctest.Wait()
			if got := kinds(&m, before); strings.Count(got, "speech_end") != 2 ||
				strings.Count(got, "transcript") != 2 {
				t.Errorf("%s: silence brought %q", request, got)
			}
			hush(t, s) // nothing was said since
			stopAndWait(t, s)
			if got, want := utterancesText(t, &m), utterancesText(t, sent); got != clipped(t, sent, 3) || len(want) <
				100 {
				t.Errorf("%s: got %s\nwant %s", request, got, want)
			}
			if got := m.Outcome().Seconds; got != 3 || len(m.silences) != 1 {
				t.Errorf("%s: %v seconds, silences %v", request, got, m.silences)
			}
		})
	}
}

// clipped returns utterancesText with no time beyond the end of the recording.
func clipped(t *testing.T, m *Memory, end float64) string {
	t.Helper()
	us := m.Outcome().Result.Transcription.Utterances
	for i := range us {
		us[i].End = min(us[i].End, end)
		for w := range us[i].Words {
			us[i].Words[w].Start, us[i].Words[w].End = min(us[i].Words[w].Start, end), min(us[i].Words[w].End, end)
		}
	}
	return utterancesText(t, m)
}

// If everything counts as speech, silence still ends utterances.
func TestSilenceEndsWhatNeverEnds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var m Memory
		s := open(t, &m, `{"pre_processing":{"speech_threshold":0}}`, asr.Live)
		write(t, s, interleave(voice(2, 3)))
		hush(t, s)
		synctest.Wait()
		if got := kinds(&m, 0); !strings.HasSuffix(got, "transcript speech_end") {
			t.Errorf("events %q", got)
		}
		stopAndWait(t, s)
	})
}

// Silence at a mark takes no time of the recording: speech after it has the time at which it was
// sent.
func TestMarkedSilenceShiftsNothing(t *testing.T) {
	var sound []float64
	var begins []float64
	for i := range uint64(6) {
		sound = append(sound, whiteNoise(1, -80, i)...)
		begins = append(begins, float64(len(sound))/16000)
		sound = append(sound, voice(1, i)...)
	}
	pcm := interleave(sound)
	var m Memory
	s := open(t, &m, `{"endpointing":0.3}`, asr.Replay)
	for rest := pcm; len(rest) > 0; rest = rest[2*32000:] { // a pause after each phrase
		write(t, s, rest[:2*32000])
		hush(t, s)
	}
	stopAndWait(t, s)
	us := m.Outcome().Result.Transcription.Utterances
	if len(us) != len(begins) {
		t.Fatalf("%d utterances, want %d", len(us), len(begins))
	}
	for i, u := range us {
		if u.Start < begins[i]-tolerance || u.Start > begins[i]+tolerance || u.End > begins[i]+1 {
			t.Errorf("utterance %d from %.3f to %.3f, spoken from %.3f to %.3f", i, u.Start, u.End, begins[i],
				begins[i]+1)
		}
	}
}

// playMarked writes chunks with pauses in between, calls Silence at the marks and abandons the
// session at the cuts.
func playMarked(t *testing.T, m *Memory, request string, audio []byte, marks, cuts []int, chunk int,
	pause time.Duration) {
	synctest.Test(t, func(t *testing.T) {
		s := open(t, m, request, asr.Live)
		stops := slices.Sorted(slices.Values(slices.Concat(marks, cuts)))
		for at := 0; at < len(audio); {
			n := min(chunk, len(audio)-at)
			if i := slices.IndexFunc(stops, func(x int) bool { return x > at }); i >= 0 {
				n = min(n, stops[i]-at)
			}
			write(t, s, audio[at:at+n])
			at += n
			if slices.Contains(marks, at) {
				hush(t, s)
			}
			if slices.Contains(cuts, at) {
				s.Abandon()
				s = open(t, m, request, asr.Live)
			}
			time.Sleep(pause)
		}
		stopAndWait(t, s)
	})
}

// The utterances depend only on the bytes and marks, not on how they arrive nor on how often the
// session is resumed. A replay of all of them in one run yields the same.
func TestUtterancesAreAFunctionOfBytesAndMarks(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		channels := rapid.IntRange(1, 3).Draw(rt, "channels")
		request := fmt.Sprintf(`{"channels":%d,"endpointing":%s,"realtime_processing":{"diarization":true},"pre_processing":{"audio_enhancer":%v}}`,
			channels, rapid.SampledFrom([]string{"0.05", "0.3", "2"}).Draw(rt, "endpointing"),
			rapid.Bool().Draw(rt, "enhancer"))
		audio := scene(channels, rapid.Float64Range(1, 6).Draw(rt, "seconds"), rapid.Uint64Range(0, 5).Draw(rt, "seed"))
		places := rapid.SliceOfN(rapid.IntRange(1, len(audio)), 0, 6)
		marks := places.Draw(rt, "marks")
		var m Memory
		playMarked(t, &m, request, audio, marks, slices.Concat(places.Draw(rt, "cuts"), marks[:len(marks)/2]),
			rapid.IntRange(1000, 40000).Draw(rt, "chunk"), time.Duration(rapid.IntRange(0, 300).Draw(rt, "pause"))*
				time.Millisecond)

		again := Memory{audio: audio, size: int64(len(audio)), silences: m.silences, stopped: true}
		s := open(t, &again, request, asr.Replay)
		<-s.Done()
		if got, want := utterancesText(t, &m), utterancesText(t, &again); got != want {
			rt.Fatalf("got  %s\nwant %s", got, want)
		}
		if got, want := fmt.Sprint(scoreEvents(t, &m)), fmt.Sprint(scoreEvents(t, &again)); got != want {
			rt.Fatalf("got  %s\nwant %s", got, want)
		}
	})
}

// A process may die at any change, including a mark of silence.
func TestSilenceSurvives(t *testing.T) {
	request, audio := `{"channels":2,"endpointing":0.3}`, scene(2, 6, 3)
	const chunk = 40000
	play := func(lives ...int64) *Memory {
		var m Memory
		synctest.Test(t, func(t *testing.T) {
			for _, calls := range append(lives, 1<<40) {
				s, err := Open(context.Background(), Config{
					ID: "S", Request: parsed(t, request), Ledger: failingAfter(&m, calls), Priority: asr.Live,
					Recognizer: scripted.New(scripted.Config{Delay: 20 * time.Millisecond}),
				})
				if err != nil {
					continue
				}
				for at := int(m.AudioSize()); err == nil && at < len(audio); at += chunk {
					if err = s.Silence(context.Background()); err == nil { // the one before may have been lost
						err = s.Write(context.Background(), audio[at:min(at+chunk, len(audio))])
					}
					time.Sleep(100 * time.Millisecond)
				}
				if err == nil && s.Stop(context.Background(), false) == nil {
					<-s.Done()
				}
				s.Abandon()
			}
		})
		return &m
	}
	whole := play()
	for calls := int64(0); calls < 40; calls += 3 {
		m := play(calls, calls/2)
		if got, want := utterancesText(t, m), utterancesText(t, whole); got != want {
			t.Errorf("death after %d: got %s\nwant %s", calls, got, want)
		}
	}
}

func parsed(t *testing.T, request string) *messages.LiveRequest {
	t.Helper()
	r, problem := messages.ParseLive([]byte(request))
	if problem != nil {
		t.Fatal(problem)
	}
	return r
}

// A power cut may take the end of the journal and leave marks beyond it: they count once the
// recording reaches them.
func TestMarksBeyondTheJournalWait(t *testing.T) {
	request, audio := requestOf(1, "0.3"), scene(1, 6, 4)
	var whole Memory
	playMarked(t, &whole, request, audio, []int{40000, 130000}, nil, 5000, 0)
	m := Memory{audio: slices.Clone(audio[:30000]), size: 30000, silences: slices.Clone(whole.silences)}
	s := open(t, &m, request, asr.Live)
	write(t, s, audio[30000:])
	stopAndWait(t, s)
	if got, want := utterancesText(t, &m), utterancesText(t, &whole); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

func TestRecordedPositions(t *testing.T) {
	var m silenceMarks
	for _, at := range []int64{300, 100, 300, 200} {
		m.add(at)
	}
	if !slices.Equal(m.marks, []int64{100, 200, 300}) {
		t.Fatalf("marks %v", m.marks)
	}
	m.pass(100) // at 1 s
	m.pass(100)
	m.pass(300) // at 3 s
	const silence = silenceTicks * 160
	for _, c := range [][2]int64{
		{0, 0}, {15999, 15999}, {16000, 16000}, {16001, 16000}, {16000 + silence, 16000}, {16000 + 2*silence, 16000},
		{16001 + 2*silence, 16001}, {48000 + 2*silence, 48000}, {48000 + 3*silence, 48000}, {48005 + 3*silence, 48005},
	} {
		if got := m.recorded(c[0]); got != c[1] {
			t.Errorf("position %d is recorded at %d, want %d", c[0], got, c[1])
		}
	}
}
