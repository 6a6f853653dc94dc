package endtoend_test

import (
	"context"
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/coder/websocket"

	"steno/messages"
	"steno/session/asr/wer"
)

// The most words that the Whisper base model may get wrong, of a sentence and of all together: far
// more than it does, since a little other rounding changes words.
const (
	worstSentence = 0.5
	worstOfAll    = 0.3
)

// TestWhisperSwitchesLanguages has people speak one language after the other in one live session,
// to a real multilingual model: each utterance has the right language, and the words that were
// said, the first ones of each language among them, when they were said.
func TestWhisperSwitchesLanguages(t *testing.T) {
	needLong(t)
	t.Parallel()
	all := spokenSentences(t)
	g := newWhisperGateway(t, newWhisper(t), "")
	pcm, starts := joined(all, 1)
	finals, _ := g.listen(t, pcm, nil, liveRequest(all, false))
	heard := make([][]messages.Utterance, len(all))
	for _, u := range finals {
		i := 0
		for i+1 < len(starts) && u.Start >= starts[i+1]-0.3 {
			i++
		}
		heard[i] = append(heard[i], u)
	}
	var total wer.Score
	for i, s := range all {
		score := checkSaid(t, s, heard[i])
		total = total.Add(score)
		checkTimes(t, heard[i], starts[i]-0.3, starts[i]+float64(len(s.samples))/clipRate+0.3)
	}
	t.Logf("all: %.1f %% of %d words wrong", 100*total.Rate(), total.Words)
	if total.Rate() > worstOfAll {
		t.Errorf("%.0f %% of all words are wrong", 100*total.Rate())
	}
}

// liveRequest is the request for a session in all languages of recordings.
func liveRequest(all []sentence, partials bool) string {
	var languages []string
	for _, s := range all {
		if !slices.Contains(languages, s.language) {
			languages = append(languages, s.language)
		}
	}
	body, _ := json.Marshal(map[string]any{
		"endpointing": 0.5, "maximum_duration_without_endpointing": 15,
		"language_config": map[string]any{"languages": languages, "code_switching": true},
		"messages_config": map[string]bool{"receive_partial_transcripts": partials},
	})
	return string(body)
}

// listen speaks in a live session and returns its finals and partials. At the given places, in
// seconds, the speaker waits for the next partial, so that there are some on a slow machine too.
func (g *gateway) listen(t *testing.T, c clip, waits []float64, request string) (finals,
	partials []messages.Utterance) {
	t.Helper()
	ctx, conn := g.dialLive(t, request)
	came := make(chan struct{}, 1) // a partial since the last wait
	go func() {
		sent := 0
		for _, at := range append(waits, c.duration().Seconds()) {
			end := min(int(at*clipRate)*2, len(c.pcm))
			for chunk := range slices.Chunk(c.pcm[sent:end], clipRate/5) {
				_ = conn.Write(ctx, websocket.MessageBinary, chunk) // reading returns what is wrong
			}
			if sent = end; sent < len(c.pcm) {
				select {
				case <-came:
				case <-ctx.Done():
				}
			}
		}
		_ = conn.Write(ctx, websocket.MessageText, []byte(`{"type":"stop_recording"}`))
	}()
	hear(ctx, t, conn, func(_ string, final bool, u messages.Utterance) {
		if final {
			finals = append(finals, u)
			return
		}
		partials = append(partials, u)
		select {
		case came <- struct{}{}:
		default:
		}
	})
	return finals, partials
}

// checkSaid compares what was heard of a recording with what was said, and returns how far it is
// from that.
func checkSaid(t *testing.T, s sentence, heard []messages.Utterance) wer.Score {
	t.Helper()
	var text strings.Builder
	for _, u := range heard {
		text.WriteString(u.Text)
		if u.Language != s.language {
			t.Errorf("%s is taken for %s: %q", s.language, u.Language, u.Text)
		}
	}
	score := wer.Of(s.text, text.String(), s.language)
	t.Logf("%s: %.1f %% wrong: %s", s.language, 100*score.Rate(), text.String())
	if score.Rate() > worstSentence {
		t.Errorf("%s: %q was heard, %q said", s.language, text.String(), s.text)
	}
	said, got := wer.Words(s.text), wer.Words(text.String())
	if len(got) < 2 || wer.Distance(said[:2], got[:2]) > 1 {
		t.Errorf("%s: the first words are lost: %q was heard, %q said", s.language, text.String(), s.text)
	}
	return score
}

// checkTimes wants words in order, in their utterance, between two times, and none as long as a
// pause with words around it.
func checkTimes(t *testing.T, heard []messages.Utterance, from, to float64) {
	t.Helper()
	for _, u := range heard {
		before := from
		for _, w := range u.Words {
			if w.Start < before || w.End < w.Start+0.01 || w.End > to || w.End-w.Start > 2 {
				t.Errorf("%q is said from %.2f to %.2f s, before it %.2f; its recording lasts from %.2f to %.2f s",
					w.Word, w.Start, w.End, before, from, to)
			}
			before = w.Start
		}
		if len(u.Words) == 0 || u.Start != u.Words[0].Start || u.End != u.Words[len(u.Words)-1].End {
			t.Errorf("utterance %+v", u)
		}
	}
}

// needLong skips a test that takes minutes unless make test-whisper runs it.
func needLong(t *testing.T) {
	t.Helper()
	if os.Getenv("STENO_TEST_WHISPER") == "" {
		t.Skip("takes minutes: make test-whisper")
	}
}

// TestWhisperFiles has recordings transcribed as files: in the language that is given, and in one
// that is to be found.
func TestWhisperFiles(t *testing.T) {
	needLong(t)
	t.Parallel()
	all := spokenSentences(t)
	g := newWhisperGateway(t, newWhisper(t), "")
	for _, given := range []bool{true, false} {
		var total wer.Score
		for _, s := range all {
			pcm, _ := joined([]sentence{s}, 0.5)
			config := `"language_config":{}`
			if given {
				config = `"language_config":{"languages":["` + s.language + `"]}`
			}
			result := g.result(t, g.submit(t, pcm.wav(t), config))
			total = total.Add(checkSaid(t, s, result.Transcription.Utterances))
			checkTimes(t, result.Transcription.Utterances, 0, pcm.duration().Seconds())
			if got := result.Transcription.Languages; len(got) != 1 || got[0] != s.language {
				t.Errorf("%s: languages %v", s.language, got)
			}
		}
		t.Logf("language given: %v: %.1f %% of %d words wrong", given, 100*total.Rate(), total.Words)
		if total.Rate() > worstOfAll {
			t.Errorf("language given: %v: %.0f %% of all words are wrong", given, 100*total.Rate())
		}
	}
}

// TestWhisperPartials has partials made by the model that makes the finals: most of their words,
// the last one apart, stand in the final of their utterance. Finals are those of a session without
// partials.
func TestWhisperPartials(t *testing.T) {
	needLong(t)
	t.Parallel()
	all := spokenSentences(t)[:3]
	server := newWhisper(t)
	g := newWhisperGateway(t, server, ", partials: true, partial_every: 2s")
	pcm, starts := joined(all, 1)
	var waits []float64
	for _, start := range starts {
		waits = append(waits, start+3, start+6)
	}
	finals, partials := g.listen(t, pcm, waits, liveRequest(all, true))
	again, none := newWhisperGateway(t, server, "").listen(t, pcm, nil, liveRequest(all, true))
	if len(none) > 0 || len(again) != len(finals) {
		t.Fatalf("%d partials of an engine without, %d and %d finals", len(none), len(again), len(finals))
	}
	for i := range finals {
		if finals[i].Text != again[i].Text || finals[i].Language != again[i].Language {
			t.Errorf("final %q in %s with partials, %q in %s without", finals[i].Text, finals[i].Language,
				again[i].Text, again[i].Language)
		}
	}
	words, stand := 0, 0
	for _, p := range partials {
		shown := wer.Words(p.Text)
		for _, f := range finals {
			if p.Start < f.End && p.End > f.Start && len(shown) > 1 {
				shown = shown[:len(shown)-1]
				words += len(shown)
				final := wer.Words(f.Text)
				stand += len(shown) - wer.Distance(shown, final[:min(len(final), len(shown))])
				break
			}
		}
	}
	t.Logf("%d partials, %d of %d words stand in the finals", len(partials), stand, words)
	if len(partials) < 3 || float64(stand) < 0.6*float64(words) {
		t.Errorf("%d partials, %d of their %d words stand in the finals", len(partials), stand, words)
	}
}

// hear passes on the transcripts of a session until its socket is closed as after the last message.
func hear(ctx context.Context, t *testing.T, conn *websocket.Conn, transcript func(id string, final bool,
	u messages.Utterance)) {
	t.Helper()
	conn.SetReadLimit(1 << 20)
	for {
		_, text, err := conn.Read(ctx)
		if websocket.CloseStatus(err) == websocket.StatusNormalClosure {
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		var m struct {
			Type string
			Data struct {
				ID        string
				IsFinal   bool `json:"is_final"`
				Utterance messages.Utterance
			}
		}
		if err := json.Unmarshal(text, &m); err != nil {
			t.Fatal(err)
		}
		if m.Type == "transcript" {
			transcript(m.Data.ID, m.Data.IsFinal, m.Data.Utterance)
		}
	}
}
