package sentences

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"steno/messages"
)

func by(speaker int, u messages.Utterance) messages.Utterance {
	u.Speaker = &speaker
	return u
}

func TestDisplayCutsWhoIsTalkedOver(t *testing.T) {
	us := []messages.Utterance{
		by(0, said("en", "I came here. It was late. So I left.", 0)), // sentences begin at 0, 0.6 and 1.2
		by(1, said("en", "Oh really?", 0.7)),
		by(0, said("en", "Yes.", 3)),
		by(1, said("en", "I see.", 4)),
	}
	turns, lines := Display(us)
	want := []string{"Speaker 0: I came here. It was late.", "Speaker 1: Oh really?", "Speaker 0: So I left.",
		"Speaker 0: Yes.", "Speaker 1: I see."}
	if !slices.Equal(lines, want) {
		t.Fatalf("got %q, want %q", lines, want)
	}
	if rest := turns[2]; rest.Start != turns[2].Words[0].Start || rest.Start < 1.1 || rest.Confidence != 0.5 ||
		rest.Text != " So I left." {
		t.Errorf("the rest is not an utterance of its own: %+v", rest)
	}
}

func TestDisplayLabels(t *testing.T) {
	alone := said("en", "hello", 0)
	other := said("en", "hi", 1)
	other.Channel = 1
	for _, c := range []struct {
		us   []messages.Utterance
		want []string
	}{
		{nil, nil},
		{[]messages.Utterance{alone}, []string{"hello"}},
		{[]messages.Utterance{by(2, alone)}, []string{"Speaker 2: hello"}},
		{[]messages.Utterance{other, alone}, []string{"Channel 1: hello", "Channel 2: hi"}},
		{[]messages.Utterance{by(0, other), by(1, alone)}, []string{"Channel 1, speaker 1: hello",
			"Channel 2, speaker 0: hi"}},
	} {
		if _, got := Display(c.us); !slices.Equal(got, c.want) {
			t.Errorf("got %q, want %q", got, c.want)
		}
	}
}

func TestDisplayKeepsAllWords(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		us := utterances(t)
		turns, lines := Display(us)
		if !equalTexts(joined(byStart(us)), joined(turns)) || len(lines) != len(turns) {
			t.Fatalf("words were lost or moved:\n%v\n%v", joined(byStart(us)), joined(turns))
		}
		again, _ := Display(turns)
		if len(again) < len(turns) {
			t.Fatalf("%d turns became %d", len(turns), len(again))
		}
	})
}
