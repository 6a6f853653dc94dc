package subtitles

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/asticode/go-astisub"
	"github.com/rivo/uniseg"
	"golang.org/x/text/unicode/norm"
	"pgregory.net/rapid"

	"steno/messages"
)

// speech draws utterances of any density: from talk without times to long silence, channels and
// speakers over one another.
func speech(t *rapid.T, word *rapid.Generator[string]) []messages.Utterance {
	scale := rapid.SampledFrom([]float64{0, 0.02, 0.3, 3}).Draw(t, "scale")
	one := rapid.Custom(func(t *rapid.T) messages.Utterance {
		u := messages.Utterance{
			Start:    rapid.OneOf(rapid.Float64Range(0, 20), rapid.Float64Range(0, 0.2)).Draw(t, "start"),
			Channel:  rapid.IntRange(0, 1).Draw(t, "channel"),
			Language: rapid.SampledFrom([]string{"en", "ja", "fr", ""}).Draw(t, "language"),
		}
		if speaker := rapid.IntRange(-1, 1).Draw(t, "speaker"); speaker >= 0 {
			u.Speaker = &speaker
		}
		at := u.Start
		for _, text := range rapid.SliceOfN(word, 0, 50).Draw(t, "words") {
			w := messages.Word{Word: text, Start: at + scale*rapid.Float64Range(-0.2, 1).Draw(t, "pause")}
			w.End = w.Start + scale*rapid.Float64Range(0, 1).Draw(t, "length")
			u.Words, u.Text, at = append(u.Words, w), u.Text+w.Word, w.End
		}
		u.End = at
		return u
	})
	return rapid.SliceOfN(one, 0, 6).Draw(t, "utterances")
}

// anyWord is with or without a space before it, of any script, and now and then far too long.
func anyWord() *rapid.Generator[string] {
	return rapid.OneOf(
		rapid.StringMatching(` [a-z]{1,9}[.,?!]?`), rapid.StringMatching(` ?[A-Za-z<>&-]{1,60}`),
		rapid.StringMatching(`[\p{Han}。，]{1,12}`),
		rapid.StringN(0, 5, 20),
		rapid.SampledFrom([]string{" 👩‍👩‍👧‍👦👍🏽🇫🇷🇩", "🇪", " e\u0301a\u0308o\u0302", "\u0301", " नमस्ते", " שלום",
			"مرحبا", "-->", " 5", "\n", " a\nb", "\ufeff", "\u200b", " -", "각각\u1100", "\xff", "WEBVTT", " NOTE"}))
}

func config(t *rapid.T) messages.SubtitlesConfig {
	var c messages.SubtitlesConfig
	maybe := func(name string) bool { return rapid.Bool().Draw(t, "has "+name) }
	if maybe("minimum") {
		c.MinimumDuration = new(rapid.SampledFrom([]float64{0, 0.001, 0.5, 1, 1.0005, 2.7, 6, 40}).Draw(t, "minimum"))
	}
	if maybe("maximum") {
		c.MaximumDuration = new(rapid.Float64Range(1, 30).Draw(t, "maximum"))
	}
	if maybe("characters") {
		c.MaximumCharactersPerRow = new(rapid.SampledFrom([]int{1, 2, 3, 10, 42, 1000}).Draw(t, "characters"))
	}
	if maybe("rows") {
		c.MaximumRowsPerCaption = new(rapid.IntRange(1, 5).Draw(t, "rows"))
	}
	c.Style = rapid.SampledFrom([]string{"", "default", "compliance"}).Draw(t, "style")
	return c
}

// bare is text in NFC without white space and control characters.
func bare(text string) string { return strings.Join(strings.Fields(clean(text)), "") }

func TestNoLimitIsEverBroken(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		us, c := speech(t, anyWord()), config(t)
		l, err := limitsOf(c, language(us))
		if err != nil {
			t.Fatal(err)
		}
		if c.MinimumDuration != nil && c.MaximumDuration != nil {
			expectLimits(t, l, *c.MinimumDuration, *c.MaximumDuration)
		}
		var last int64
		for _, u := range us {
			last = max(last, int64(u.End*1000)+1)
		}
		l.end = last + rapid.SampledFrom([]int64{0, 100, 2000, 1 << 40}).Draw(t, "silence behind")
		last = 0
		for i, cue := range l.cues(runs(us, l.chars)) {
			if cue.start < last || cue.end <= cue.start || cue.end-cue.start > l.max {
				t.Fatalf("caption %d is shown from %d to %d, the one before from %d, the longest for %d", i, cue.start,
					cue.end, last, l.max)
			}
			expectRows(t, l, cue.rows)
			last = cue.start
		}
		for _, all := range byVoice(l.schedule(l.divided(runs(us, l.chars)))) {
			for i := range all {
				expectBegin(t, l, all, i)
				expectEnd(t, l, all, i)
			}
		}
	})
}

// byVoice divides what is shown by its voices.
func byVoice(all []shown) map[voice][]shown {
	voices := map[voice][]shown{}
	for _, s := range all {
		voices[s.voice] = append(voices[s.voice], s)
	}
	return voices
}

// expectBegin wants a caption to begin with its words, or later where others of the voice are said
// at the same time.
func expectBegin(t *rapid.T, l limits, all []shown, i int) {
	said := func(n int) int64 { return all[n].start() }
	end := l.lastMoment(len(all))
	if left := end - int64(len(all)-i); said(i) > left { // said at the very end of the recording
		if all[i].from != left {
			t.Fatalf("caption %d is shown at %d, not %d", i, all[i].from, left)
		}
		return
	}
	if all[i].from < said(i) {
		t.Fatalf("caption %d is shown at %d, before it is said at %d", i, all[i].from, said(i))
	}
	alone := i == 0 || said(i) > said(i-1)
	if late := all[i].from - said(i); alone && late > 0 && all[i].from != all[i-1].from+1 {
		t.Fatalf("caption %d is shown %d ms after its words", i, late)
	}
}

// expectEnd checks that a caption stays as long as it should: until the voice's next caption, the
// end of the recording, or the end of its own time.
func expectEnd(t *rapid.T, l limits, all []shown, i int) {
	s, latest := all[i], l.lastMoment(len(all))
	if s.to > latest {
		t.Fatalf("caption %d stays until %d, the recording until %d", i, s.to, latest)
	}
	if i+1 < len(all) {
		next := all[i+1].from
		if latest = max(next-l.gap, next-(next-s.from)/2); s.to > latest {
			t.Fatalf("caption %d stays until %d, the next begins at %d, to be %d later", i, s.to, next, l.gap)
		}
	}
	if shown := s.to - s.from; shown < l.min && s.to != latest && s.to != l.end {
		t.Fatalf("caption %d is shown for %d ms, not %d, with room until %d", i, shown, l.min, latest)
	}
	if l.speed > 0 {
		if end := max(s.end(), s.from+l.min, s.from+l.readingTime(s.caption)); s.to > end+closeBy {
			t.Fatalf("caption %d stays until %d for nothing, said until %d", i, s.to, s.end())
		}
		return
	}
	if s.to > max(s.end(), s.from+l.min) {
		t.Fatalf("caption %d stays until %d for nothing, said until %d", i, s.to, s.end())
	}
}

func expectLimits(t *rapid.T, l limits, low, high float64) {
	if float64(l.max) > high*1000+1e-3 || float64(l.min) < min(low, float64(l.max)/1000)*1000-1e-3 {
		t.Fatalf("limits of %v to %v s became %d to %d ms", low, high, l.min, l.max)
	}
}

func expectRows(t *rapid.T, l limits, rows []string) {
	if len(rows) < 1 || len(rows) > l.rows {
		t.Fatalf("%d rows, not 1 to %d", len(rows), l.rows)
	}
	for _, row := range rows {
		if n := uniseg.GraphemeClusterCount(row); n < 1 || n > l.chars || row != strings.TrimSpace(row) ||
			strings.ContainsAny(row, "\r\n") {
			t.Fatalf("row %q has %d characters, not 1 to %d", row, n, l.chars)
		}
	}
}

// TestEveryWordOnceInOrder assigns ten letters to each voice, so that every letter identifies its
// voice.
func TestEveryWordOnceInOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		us, c := speech(t, rapid.StringMatching(` ?[0-9]{1,60}`)), config(t)
		want := map[int]string{}
		for i := range us {
			us[i].Start = float64(i) // so that the order of a voice's utterances is known
			v := voiceOf(us[i])
			mine := v.channel*3 + v.speaker + 1
			for j := range us[i].Words {
				w := &us[i].Words[j]
				w.Word = strings.Map(func(r rune) rune { return lettered(r, mine) }, w.Word)
				if j == 0 {
					w.Start = us[i].Start
				}
				want[mine] += bare(w.Word)
			}
		}
		l, _ := limitsOf(c, "en")
		got := map[int]string{}
		for _, cue := range l.cues(runs(us, l.chars)) {
			all := bare(strings.Join(cue.rows, ""))
			mine := int([]rune(all)[0]-'А') / 10
			for _, r := range all {
				if int(r-'А')/10 != mine {
					t.Fatalf("a caption of several voices: %q", all)
				}
			}
			got[mine] += all
		}
		if fmt.Sprint(got) != fmt.Sprint(want) {
			t.Fatalf("got  %v\nwant %v", got, want)
		}
	})
}

// lettered is a digit as one of the ten letters of a voice.
func lettered(r rune, voice int) rune {
	if r == ' ' {
		return r
	}
	return 'А' + rune(10*voice) + r - '0'
}

// TestReadBack has both formats read by a parser of other hands.
func TestReadBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		format := rapid.SampledFrom([]string{"srt", "vtt"}).Draw(t, "format")
		word := rapid.StringMatching(` ?[a-zA-Z0-9äßあ漢]{1,12}[.,?!]?`)
		if format == "vtt" {
			word = rapid.StringMatching(` ?[a-zA-Z0-9äßあ漢<>&/-]{1,12}[.,?!]?`)
		}
		us, c := speech(t, word), config(t)
		file, err := Make(us, c, format, 0)
		if err != nil {
			t.Fatal(err)
		}
		l, _ := limitsOf(c, language(us))
		want := l.cues(runs(us, l.chars))
		expectRead(t, format, file, want)
	})
}

func expectRead(t *rapid.T, format, file string, want []cue) {
	read := map[string]func(*bytes.Reader) (*astisub.Subtitles, error){
		"srt": func(r *bytes.Reader) (*astisub.Subtitles, error) { return astisub.ReadFromSRT(r) },
		"vtt": func(r *bytes.Reader) (*astisub.Subtitles, error) { return astisub.ReadFromWebVTT(r) },
	}[format]
	got, err := read(bytes.NewReader([]byte(file)))
	if err != nil {
		t.Fatalf("%v in\n%s", err, file)
	}
	if len(got.Items) != len(want) {
		t.Fatalf("%d captions, want %d in\n%s", len(got.Items), len(want), file)
	}
	for i, item := range got.Items {
		var rows []string
		for _, line := range item.Lines {
			rows = append(rows, strings.ReplaceAll(line.String(), "&gt;", ">")) // which that parser leaves
		}
		if w := want[i]; fmt.Sprintf("%q", rows) != fmt.Sprintf("%q", w.rows) || item.StartAt !=
			time.Duration(w.start)*time.Millisecond || item.EndAt != time.Duration(w.end)*time.Millisecond {
			t.Fatalf("got %q %v-%v\nwant %q %d-%d ms", rows, item.StartAt, item.EndAt, w.rows, w.start, w.end)
		}
	}
}

func FuzzMake(f *testing.F) {
	f.Add("Hello there. General <b>Kenobi</b> & --> friends", 0.3, 1.0, 7.0, 42, 2, true)
	f.Add("👩‍👩‍👧‍👦 e\u0301\u200d \xff漢字。かな", -1.0, 0.0, 1.0, 1, 1, false)
	f.Fuzz(func(t *testing.T, text string, step, low, high float64, chars, rows int, compliance bool) {
		c := messages.SubtitlesConfig{MinimumDuration: &low, MaximumDuration: &high, MaximumCharactersPerRow: &chars,
			MaximumRowsPerCaption: &rows}
		if compliance {
			c.Style = "compliance"
		}
		u := messages.Utterance{Language: "en", Text: text, End: step}
		for i, field := range strings.Fields(text) {
			u.Words = append(u.Words, messages.Word{Word: " " + field, Start: float64(i) * step,
				End: float64(i+1) * step})
		}
		for _, format := range []string{"srt", "vtt"} {
			file, err := Make([]messages.Utterance{u, {Text: text}}, c, format, 0)
			if valid := low >= 0 && high >= 1 && high <= 30 && chars >= 1 && rows >= 1 && rows <= 5; valid !=
				(err == nil) {
				t.Fatalf("valid: %v, error %v", valid, err)
			}
			if !norm.NFC.IsNormalString(file) && chars > len(text) {
				t.Errorf("not in NFC: %q", file)
			}
		}
	})
}
