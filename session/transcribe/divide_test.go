package transcribe_test

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"steno/audio/audiotest"
	"steno/messages"
	"steno/session/transcribe"
)

// spoken is an utterance of words that last 0.3 s, each after a pause that follows it in brackets:
// "So. [0.4] It is."
func spoken(text string, start float64) messages.Utterance {
	var words []messages.Word
	at := start
	for _, w := range strings.Fields(text) {
		if pause, ok := strings.CutPrefix(w, "["); ok {
			at += map[string]float64{"0.1]": 0.1, "0.2]": 0.2, "0.4]": 0.4, "0.5]": 0.5, "1]": 1}[pause]
			continue
		}
		words = append(words, messages.Word{Word: " " + w, Start: at, End: at + 0.3, Confidence: 0.5 +
			float64(len(words))/100})
		at += 0.3
	}
	u := messages.Utterance{Language: "en"}.Excerpt(words)
	return u
}

func textsOf(us []messages.Utterance) (texts []string) {
	for _, u := range us {
		texts = append(texts, strings.TrimSpace(u.Text))
	}
	return texts
}

// A sentence that continues in the next utterance has no full stop where the speaker paused.
func TestSentencesOverUtterances(t *testing.T) {
	for text, want := range map[string]string{
		"My fellow Americans. | ask not. | what you can do.": "My fellow Americans ask not what you can do.",
		"We left. | They stayed.":                            "We left. They stayed.",
		"In the U.S. | and here. | iPhones.":                 "In the U.S. and here. iPhones.",
		"Did it? | yes! | it did... | and so":                "Did it? yes! it did... and so",
		". | and":                                            ". and",
	} {
		var us []messages.Utterance
		for i, part := range strings.Split(text, " | ") {
			us = append(us, spoken(part, float64(3*i)))
		}
		other := spoken("and so on", 1)
		other.Channel = 1
		us = append(us[:1:1], append([]messages.Utterance{other}, us[1:]...)...)
		got := textsOf(slices.DeleteFunc(transcribe.Divide(us), func(u messages.Utterance) bool {
			return u.Channel ==
				1
		}))
		if strings.Join(got, " ") != want {
			t.Errorf("%q became %q, want %q", text, got, want)
		}
	}
}

func TestDivide(t *testing.T) {
	for text, want := range map[string][]string{
		"We left.":                                  {"We left."},
		"We left. [0.2] They stayed.":               {"We left.", "They stayed."},
		"We left. [0.1] They stayed.":               {"We left. They stayed."},
		"We left, [0.4] they stayed.":               {"We left, they stayed."},
		"We left [0.5] and they stayed.":            {"We left", "and they stayed."},
		"Mr. [0.4] Smith left. [0.4] So":            {"Mr. Smith left.", "So"},
		"one two [1] three four [0.4] five [1] six": {"one two", "three four five", "six"},
	} {
		whole := spoken(text, 3)
		got := transcribe.Divide([]messages.Utterance{whole})
		if !slices.Equal(textsOf(got), want) {
			t.Errorf("%q is divided into %q, want %q", text, textsOf(got), want)
		}
		for _, u := range got {
			if last := u.Words[len(u.Words)-1]; u.Start != u.Words[0].Start || u.End != last.End || u.Confidence !=
				messages.MeanConfidence(u.Words) {
				t.Errorf("%q: %+v", text, u)
			}
		}
		whole.Untimed = true
		if got := transcribe.Divide([]messages.Utterance{whole}); len(got) != 1 {
			t.Errorf("%q is divided by times that mean nothing", text)
		}
	}
}

// No word is lost or added, utterances are ordered, and what is divided is not divided again.
func TestDivideKeepsAllWords(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		var us []messages.Utterance
		words := map[int][]messages.Word{}
		for channel := range rapid.IntRange(1, 3).Draw(rt, "channels") {
			parts := rapid.SliceOfN(rapid.SampledFrom([]string{"so", "So.", "Mr.", "yes,", "[0.1]", "[0.2]", "[0.5]",
				"[1]", "x."}), 1, 30).Draw(rt, "text")
			u := spoken("Well "+strings.Join(parts, " "), float64(channel))
			u.Channel = channel
			us, words[channel] = append(us, u), u.Words
		}
		got := transcribe.Divide(us)
		kept := map[int][]messages.Word{}
		for i, u := range got {
			kept[u.Channel] = append(kept[u.Channel], u.Words...)
			if u.Text != messages.TextOf(u.Words) || i > 0 && got[i-1].Start > u.Start {
				rt.Fatalf("%+v after %+v", u, got[max(i-1, 0)])
			}
		}
		for channel := range words {
			if !slices.Equal(kept[channel], words[channel]) {
				rt.Fatalf("channel %d: %v, want %v", channel, kept[channel], words[channel])
			}
		}
		if again := transcribe.Divide(got); len(again) != len(got) {
			rt.Fatalf("%d utterances become %d", len(got), len(again))
		}
	})
}

// breathless is speech without its pauses: without each 0.1 s that is not loud.
func breathless(pcm []byte) (loud []byte) {
	for part := range slices.Chunk(pcm, 3200) {
		peak := 0
		for i := 0; i+1 < len(part); i += 2 {
			peak = max(peak, int(int16(uint16(part[i])|uint16(part[i+1])<<8)))
		}
		if peak > 1000 {
			loud = append(loud, part...)
		}
	}
	return loud
}

// A recording is recognized in pieces of more than five seconds where nobody pauses, and no longer
// than twenty.
func TestPiecesOfRecordings(t *testing.T) {
	source, _ := recordingOf(breathless(audiotest.Speech(60, 12)), 16000, 1)
	longest := 0.0
	for _, u := range transcriptOf(t, jobOf(t, ``), source).Transcription.Utterances {
		longest = max(longest, u.End-u.Start)
	}
	if longest <= 6 || longest > 20 {
		t.Errorf("the longest utterance takes %v s", longest)
	}
}
