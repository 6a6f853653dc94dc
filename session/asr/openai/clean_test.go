package openai_test

import (
	"fmt"
	"maps"
	"strings"
	"testing"

	"steno/session/asr/openai"
)

// TestCleaning reads what servers are known to write where nobody speaks, and what people do
// speak that looks like it.
func TestCleaning(t *testing.T) {
	sentence := "You can do this. "
	for _, c := range []struct{ body, want, dropped string }{
		{`{"text":"[BLANK_AUDIO]"}`, "", "annotation"},
		{`{"text":" [ Silence ]"}`, "", "annotation"},
		{`{"text":"[Speaking in a foreign language] Good morning."}`, "Good morning.", "annotation"},
		{`{"text":"(upbeat music)"}`, "", "annotation"},
		{`{"text":"(whooshing)"}`, "", "annotation"},
		{`{"text":"Well (laughs) yes. *coughs*"}`, "Well yes.", "annotation annotation"},
		{`{"text":"State (Succeeded) and item [1]."}`, "State (Succeeded) and item [1].", ""},
		{`{"text":"♪♪"}`, "", "annotation"},
		{`{"text":"♪ Happy birthday ♪"}`, "Happy birthday", "annotation annotation"},
		{`{"text":"<|startoftranscript|><|en|><|transcribe|> Hello<|0.00|> there.<|endoftext|>"}`, "Hello there.",
			"token token token"},
		{`{"text":"<|nospeech|>"}`, "", "token"},
		{`{"text":". . ."}`, "", ""},
		{`{"text":"` + strings.Repeat(sentence, 20) + `"}`, strings.TrimSpace(sentence), "loop"},
		{`{"text":"Well. ` + strings.Repeat(sentence, 20) + `You can"}`, "Well. " + strings.TrimSpace(sentence),
			"loop"},
		{`{"text":"` + strings.Repeat("you ", 30) + `"}`, "you", "loop"},
		{`{"text":"No, no, no, no. Never, never again."}`, "No, no, no, no. Never, never again.", ""},
		{`{"text":"` + strings.Repeat("ご視聴", 20) + `"}`, "ご視聴", "loop"},
		{`{"text":"Untertitel im Auftrag des ZDF für funk, 2017"}`, "", "credit"},
		{`{"text":"Sous-titres réalisés par la communauté d'Amara.org"}`, "", "credit"},
		{`{"text":"Thank you for watching!"}`, "Thank you for watching!", ""},
		{`{"segments":[{"start":0,"end":1,"text":" Thank you for watching!","avg_logprob":-0.2,"no_speech_prob":0.05}]}`, "Thank you for watching!", ""},
		{`{"segments":[{"start":0,"end":1,"text":" Thank you for watching!","avg_logprob":-0.2,"no_speech_prob":0.7}]}`, "", "credit"},
		{`{"segments":[{"start":0,"end":1,"text":" Thank you for watching!","avg_logprob":-0.9,"no_speech_prob":0.2}]}`, "", "credit"},
		{`{"segments":[{"start":0,"end":1,"text":" you","avg_logprob":-0.9,"no_speech_prob":0.2}]}`, "", "filler"},
		{`{"segments":[{"start":0,"end":1,"text":" You.","avg_logprob":-0.1,"no_speech_prob":0.2}]}`, "You.", ""},
		{`{"segments":[{"start":0,"end":1,"text":" a","avg_logprob":-0.5,"no_speech_prob":0.95},{"start":1,"end":2,"text":" Moon.","avg_logprob":-1.5,"no_speech_prob":0.95}]}`,
			"a", "silence"},
		{`{"text":"Moon.","segments":[{"start":0,"end":2,"text":" Moon.","no_speech_prob":0.95,"avg_logprob":-1.5}],` +
			`"words":[{"word":"Moon","start":0,"end":1}]}`, "", "silence"},
		{`{"text":"a b c","words":[{"word":"a","start":-5,"end":1e300},{"word":"b","start":1.5,"end":1},{"word":"c","start":1,"end":9}]}`, "a b c", "times"},
		{`{"text":"a b","words":[{"word":"a","start":NaN,"end":0.2},{"word":"b","start":70,"end":71}]}`, "a b",
			"times"},
		{`{"text":"a \"NaN\" b","duration":NaN}`, `a "NaN" b`, ""},
	} {
		words, dropped, err := openai.WordsForTest([]byte(c.body), "application/json", 2*second)
		want := map[string]int{}
		for _, reason := range strings.Fields(c.dropped) {
			want[reason]++
		}
		if err != nil || texts(words) != c.want || !maps.Equal(dropped, want) {
			t.Errorf("%.100s: %q, dropped %v, %v; want %q, %v", c.body, texts(words), dropped, err, c.want, want)
		}
	}
}

// TestSilenceSaysNothing has credits and lone fillers over silence, from a server that tells no
// probabilities.
func TestSilenceSaysNothing(t *testing.T) {
	for text, reason := range map[string]string{
		"Thank you for watching!": "credit", "¡Gracias por ver el video!": "credit",
		"Vielen Dank fürs Zuschauen.":         "credit",
		"Merci d'avoir regardé cette vidéo !": "credit", "Grazie per aver guardato il video.": "credit",
		"you": "filler", "Gute Nacht": "",
	} {
		words, dropped, err := openai.WordsOfForTest(fmt.Appendf(nil, `{"text":%q}`, text), "application/json",
			make([]int16, second))
		if err != nil || (len(words) == 0) != (reason != "") || reason != "" && dropped[reason] != 1 {
			t.Errorf("%s: %q, dropped %v, %v", text, texts(words), dropped, err)
		}
	}
}
