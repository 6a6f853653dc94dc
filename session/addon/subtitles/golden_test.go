package subtitles

import (
	"flag"
	"math"
	"os"
	"strings"
	"testing"
	"unicode/utf8"

	"steno/messages"
)

var update = flag.Bool("update", false, "write the golden files anew")

// spoken times words as speech does: 0.12 s and 0.045 s a letter; 0.2 s of silence after a comma,
// 0.5 s after a sentence.
func spoken(channel, speaker int, language string, start float64, text string) messages.Utterance {
	u := messages.Utterance{Channel: channel, Speaker: &speaker, Language: language, Start: start}
	at := start
	for field := range strings.FieldsSeq(text) {
		u.Words = append(u.Words, messages.Word{Word: " " + field, Start: at, End: at + 0.12 +
			0.045*float64(utf8.RuneCountInString(field))})
		at = u.Words[len(u.Words)-1].End
		switch {
		case strings.HasSuffix(field, ","):
			at += 0.2
		case strings.ContainsAny(field[len(field)-1:], ".?!"):
			at += 0.5
		}
		u.Text += " " + field
	}
	u.End = at
	return u
}

// transcripts returns examples of what engines return: with marks and without, of several speakers,
// in various scripts.
func transcripts() map[string][]messages.Utterance {
	return map[string][]messages.Utterance{
		"interview": {
			spoken(0, 0, "en", 0.4,
				"Good morning, and welcome to the programme. With me today is Dr. Helen Marsh, who has spent the last twenty years "+
					"studying how cities grow, and why some of them stop. Helen, thank you for coming."),
			spoken(0, 1, "en", 17.2, "Thank you. It's a pleasure to be here."),
			spoken(0, 0, "en", 20.6, "So let me begin with the obvious question: what makes people leave?"),
			spoken(0, 1, "en", 24.1,
				"Well, there is never one single reason. Work is the first thing that people mention, but when you ask them again "+
					"a year later, they talk about schools, about the rent, and about the time that they spend on the road every day."),
			spoken(0, 0, "en", 34.0, "Really?"),
			spoken(0, 1, "en", 41.0, "Yes."),
		},
		"dictation": {
			spoken(0, 0, "en", 0,
				"the patient was seen in the clinic on monday she reports that the pain in her left knee has become worse over the last"),
			spoken(0, 0, "en", 9.4,
				"three weeks and that she can no longer walk to the end of the street without a rest"),
			spoken(0, 0, "en", 19, "no fever"),
		},
		"chinese": {
			spoken(0, 0, "zh", 0, "大家好,欢迎收看今天的节目。今天我们要谈的是城市的发展,以及人们为什么离开。首先请允许我介绍一下我们的嘉宾。"),
		},
		"scripts": {
			spoken(1, 0, "ar", 10, "صباح الخير، أهلا وسهلا بكم في برنامجنا. كيف حالك اليوم؟"),
			spoken(1, 0, "hi", 20, "नमस्ते, आप कैसे हैं? मैं ठीक हूँ।"),
			spoken(2, 0, "de", 25,
				"Die Donaudampfschifffahrtsgesellschaftskapitänswitwenversicherung zahlt R&D <nicht> --> mehr."),
		},
	}
}

func TestGolden(t *testing.T) {
	for name, us := range transcripts() {
		for _, style := range []string{"default", "compliance"} {
			for _, format := range []string{"srt", "vtt"} {
				got, err := Make(us, messages.SubtitlesConfig{Style: style}, format, 0)
				if err != nil {
					t.Fatal(err)
				}
				file := "testdata/" + name + "." + style + "." + format
				if *update {
					if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
						t.Fatal(err)
					}
				}
				if want, err := os.ReadFile(file); err != nil || string(want) != got {
					t.Errorf("%s (%v): got\n%s", file, err, got)
				}
			}
		}
	}
}

func TestConfigOutOfRange(t *testing.T) {
	for field, c := range map[string]messages.SubtitlesConfig{
		"minimum_duration":           {MinimumDuration: new(-0.1)},
		"maximum_duration":           {MaximumDuration: new(30.5)},
		"maximum_characters_per_row": {MaximumCharactersPerRow: new(0)},
		"maximum_rows_per_caption":   {MaximumRowsPerCaption: new(6)},
		"style":                      {Style: "other"},
	} {
		if _, err := Make(nil, c, "srt", 0); err == nil || !strings.Contains(err.Error(), field) {
			t.Errorf("%s: error %v", field, err)
		}
	}
	if _, err := Make(nil, messages.SubtitlesConfig{}, "txt", 0); err == nil || !strings.Contains(err.Error(), "txt") {
		t.Errorf("format: error %v", err)
	}
}

func TestNothingSaid(t *testing.T) {
	for format, want := range map[string]string{"srt": "", "vtt": "WEBVTT\n"} {
		if got, err := Make([]messages.Utterance{{Words: []messages.Word{{Word: " "}}}}, messages.SubtitlesConfig{},
			format, 0); err != nil || got != want {
			t.Errorf("%s: got %q, %v", format, got, err)
		}
	}
}

// TestText is what becomes of text that files cannot hold as it is.
func TestText(t *testing.T) {
	for word, want := range map[string]string{
		" e\u0301\u00a0a\u0308\n\tu": "é ä u", " a\x00b\u0007\x7f": "ab", " \xff": "\ufffd", "1\r\n\r\n2\u2028": "1 2",
		" שלום\u200f": "שלום\u200f",
	} {
		got, err := Make([]messages.Utterance{{Words: []messages.Word{{Word: word}}}}, messages.SubtitlesConfig{},
			"srt", 0)
		if file := "1\n00:00:00,000 --> 00:00:01,000\n" + want + "\n"; err != nil || got != file {
			t.Errorf("%q: got %q, %v", word, got, err)
		}
	}
}

// TestTimes that cannot be are taken as the nearest that can.
func TestTimes(t *testing.T) {
	inf := math.Inf(1)
	words := []messages.Word{{Word: " a", Start: math.NaN(), End: -1}, {Word: " b", Start: -inf, End: inf}}
	got, err := Make([]messages.Utterance{{Words: words}}, messages.SubtitlesConfig{}, "vtt", 0)
	if want := "WEBVTT\n\n00:00:00.000 --> 00:00:00.250\na\n\n00:00:00.250 --> 00:00:07.250\nb\n"; err != nil ||
		got != want {
		t.Errorf("got %q, %v, want %q", got, err, want)
	}
}

// TestTwoAtOnce has two voices speak over each other: each caption begins with its words and stays
// as long as they are spoken, and as the minimum; captions of one voice never overlap.
func TestTwoAtOnce(t *testing.T) {
	long, short := "fine thanks to you for asking and how are you today", "good"
	for _, style := range []string{"default", "compliance"} {
		for _, later := range []float64{0, 0.02, 0.1, 0.6, 1.2} {
			us := []messages.Utterance{
				spoken(0, 0, "en", 0, long), spoken(1, 1, "en", later, short+" morning. "+long),
				spoken(0, 0, "en", 6, "No."), spoken(1, 1, "en", 6.2, "No no."), spoken(0, 0, "en", 7.5, "Yes."),
			}
			l, err := limitsOf(messages.SubtitlesConfig{Style: style}, "en")
			if err != nil {
				t.Fatal(err)
			}
			all := l.schedule(l.divided(runs(us, l.chars)))
			for i, s := range all {
				if s.from != s.start() || s.to < s.end() || s.to-s.from < l.min {
					t.Errorf("%s, %v s later: %q is shown from %d to %d, said from %d to %d", style, later,
						text(s.tokens), s.from, s.to, s.start(), s.end())
				}
				for _, o := range all[i+1:] {
					if o.voice == s.voice && o.from < s.to {
						t.Errorf("%s: %q and %q of one voice are shown at the same time", style, text(s.tokens),
							text(o.tokens))
					}
				}
			}
		}
	}
}

// TestCaptionsStayAtTheirWords has text in captions too small for the minimum duration, given or
// assumed: each still begins with its first word, and all end with the audio.
func TestCaptionsStayAtTheirWords(t *testing.T) {
	us := transcripts()["interview"][:1]
	seconds := us[0].Words[len(us[0].Words)-1].End + 0.1
	for _, low := range []*float64{nil, new(2.0), new(100.0)} {
		for _, style := range []string{"default", "compliance"} {
			for _, chars := range []int{1, 10, 16} {
				c := messages.SubtitlesConfig{MinimumDuration: low, MaximumRowsPerCaption: new(1),
					MaximumCharactersPerRow: &chars, Style: style}
				l, err := limitsOf(c, "en")
				if err != nil {
					t.Fatal(err)
				}
				l.end = int64(seconds * 1000)
				all := l.schedule(l.divided(runs(us, l.chars)))
				if len(all) < 10 {
					t.Fatalf("%d captions", len(all))
				}
				for _, s := range all {
					if s.from != s.start() && chars > 1 || s.from < s.start() || s.from > s.start()+minStagger ||
						s.to <= s.from || s.to > l.end {
						t.Errorf("%s, %d characters: %q is shown from %d to %d, said at %d, the audio ends at %d",
							style, chars, text(s.tokens), s.from, s.to, s.start(), l.end)
					}
				}
			}
		}
	}
}

func BenchmarkMake(b *testing.B) {
	text := strings.Repeat("Well, there is never one single reason. Work is the first thing that people mention, but when you ask them again ", 500)
	us := []messages.Utterance{spoken(0, 0, "en", 0, text)}
	for b.Loop() {
		if _, err := Make(us, messages.SubtitlesConfig{Style: "compliance"}, "srt", 0); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(len(us[0].Words)), "words")
}

// Nothing is shown beyond the end of the recording, neither to be read nor for the minimum
// duration.
func TestTheEndOfTheRecording(t *testing.T) {
	us := []messages.Utterance{{Start: 1, End: 1.5, Text: " so much that was said in a hurry here", Language: "en"}}
	for seconds, want := range map[float64]string{0: "00:00:02,900", 10: "00:00:02,900", 2.5: "00:00:02,500",
		1.7: "00:00:01,700", 1.5: "00:00:01,500"} {
		got, err := Make(us, messages.SubtitlesConfig{Style: "compliance"}, "srt", seconds)
		if err != nil || !strings.Contains(got, "00:00:01,000 --> "+want) {
			t.Errorf("%v s: %q, %v", seconds, got, err)
		}
	}
}

// TestMarksInWords has text that looks like marks of the formats: none of it becomes one.
func TestMarksInWords(t *testing.T) {
	for _, text := range []string{
		"<i>slanted</i> & bold", "a --> b", "0:01 -- > 0:02", "00:00:01,000 --> 00:00:02,000", "<v Ann>hi", "--->",
		"--", "WEBVTT", "NOTE this", "7", "&lt;b&gt;",
	} {
		u := messages.Utterance{Start: 1, End: 4, Language: "en", Text: " " + text}
		for field := range strings.FieldsSeq(text) {
			u.Words = append(u.Words, messages.Word{Word: " " + field, Start: 1 + float64(len(u.Words))/5,
				End: 1.2 + float64(len(u.Words))/5})
		}
		for format, as := range map[string]*strings.Replacer{
			"srt": strings.NewReplacer("-->", "→"), "vtt": strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;"),
		} {
			got, err := Make([]messages.Utterance{u}, messages.SubtitlesConfig{}, format, 10)
			if n := strings.Count(got, "-->"); err != nil || n != 1 || !strings.HasSuffix(got, "\n"+as.Replace(text)+
				"\n") {
				t.Errorf("%s of %q, %v: %q", format, text, err, got)
			}
		}
	}
}
