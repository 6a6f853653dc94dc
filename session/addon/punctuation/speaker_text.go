package punctuation

import (
	"cmp"
	"slices"
	"unicode"

	"steno/messages"
)

// speakerText holds the utterances of one speaker on a channel in one language, in order of time.
type speakerText struct {
	utterances []*messages.Utterance
	// comma and stop are the least pauses, in seconds, that stand for such a mark.
	comma, stop float64
	// shouted: all is in capitals.
	shouted bool
}

// straight is the silence in seconds after which an utterance does not go straight on in the next.
const straight = 0.2

// speakerTexts returns the texts of all speakers. They point into us.
func speakerTexts(us []messages.Utterance) []speakerText {
	type voice struct {
		channel, speaker int
		language         string
	}
	places := map[voice]int{}
	var all []speakerText
	for i := range us {
		v := voice{us[i].Channel, -1, us[i].Language}
		if us[i].Speaker != nil {
			v.speaker = *us[i].Speaker
		}
		at, ok := places[v]
		if !ok {
			at = len(all)
			places[v] = at
			all = append(all, speakerText{})
		}
		all[at].utterances = append(all[at].utterances, &us[i])
	}
	for i := range all {
		all[i].measure()
	}
	return all
}

// measure orders the utterances and finds what is a pause with this speaker.
func (t *speakerText) measure() {
	slices.SortStableFunc(t.utterances, func(a, b *messages.Utterance) int { return cmp.Compare(a.Start, b.Start) })
	var pauses []float64
	capitals, small := 0, 0
	for _, u := range t.utterances {
		for i, w := range u.Words {
			if i > 0 && w.Start-u.Words[i-1].End >= 0.05 {
				pauses = append(pauses, w.Start-u.Words[i-1].End)
			}
			for _, r := range w.Word {
				capitals, small = capitals+one(unicode.IsUpper(r)), small+one(unicode.IsLower(r))
			}
		}
	}
	t.shouted = small == 0 && capitals >= shoutedLetters
	t.comma, t.stop = 0.35, 0.7
	if len(pauses) >= enoughPauses {
		slices.Sort(pauses)
		middle := pauses[len(pauses)/2]
		t.comma, t.stop = min(max(1.5*middle, 0.25), 0.8), min(max(3*middle, 0.6), 2)
	}
}

const (
	shoutedLetters = 20 // fewer may be acronyms
	enoughPauses   = 8  // for a median that describes a speaker
)

func one(b bool) int {
	if b {
		return 1
	}
	return 0
}

// goesOn reports whether utterance i was cut rather than ended: the next one follows without a
// pause.
func (t speakerText) goesOn(i int) bool {
	return i+1 < len(t.utterances) && t.utterances[i+1].Start-t.utterances[i].End < straight
}
