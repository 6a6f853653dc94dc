package redact_test

import (
	"bytes"
	"reflect"
	"testing"

	"pgregory.net/rapid"

	"steno/audio"
	"steno/session/addon/redact"
)

func TestSilences(t *testing.T) {
	r := marker()
	hide(r, said(1, "mail john@example.com anna@example.com okay"), said(0, "john smith"))
	want := []redact.Span{{Channel: 0, Start: 0, End: 1.8}, {Channel: 1, Start: 1, End: 1.8},
		{Channel: 1, Start: 2, End: 2.8}}
	if got := r.Silences(); !reflect.DeepEqual(got, want) {
		t.Errorf("%v", got)
	}
	hide(r, said(1, "so anna@example.com it is"))
	if got := r.Silences(); len(got) != 3 || !reflect.DeepEqual(got, r.Silences()) {
		t.Errorf("overlapping: %v", got)
	}
}

func TestSilenceOfFormats(t *testing.T) {
	for _, c := range []struct {
		encoding    audio.Encoding
		depth, size int
		quiet       byte
	}{
		{audio.PCM, 8, 1, 0x80}, {audio.PCM, 16, 2, 0}, {audio.PCM, 24, 3, 0}, {audio.PCM, 32, 4, 0},
		{audio.ALaw, 8, 1, 0xD5}, {audio.MuLaw, 8, 1, 0xFF},
	} {
		recording := bytes.Repeat([]byte{7}, 10*2*c.size)
		f := audio.Format{Encoding: c.encoding, BitDepth: c.depth, SampleRate: 10, Channels: 2}
		redact.Silence(recording, 0, []redact.Span{{Channel: 1, Start: 0.2, End: 0.4}}, f)
		for i, b := range recording {
			frame, channel := i/(2*c.size), i/c.size%2
			quiet := channel == 1 && frame >= 2 && frame <= 4
			if quiet != (b == c.quiet) || !quiet && b != 7 {
				t.Errorf("%s %d: byte %d is %#x", c.encoding, c.depth, i, b)
			}
		}
	}
}

// TestSilenceInPieces checks that the result is the same for any pieces in which a recording is
// rewritten.
func TestSilenceInPieces(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		f := audio.Format{
			BitDepth: rapid.SampledFrom([]int{8, 16, 24, 32}).Draw(t, "depth"), SampleRate: 50,
			Channels: rapid.IntRange(1, 3).Draw(t, "channels"),
		}
		whole := bytes.Repeat([]byte{7}, rapid.IntRange(0, 400).Draw(t, "size"))
		pieces := bytes.Clone(whole)
		time := rapid.Float64Range(-1, 5)
		var list []redact.Span
		for range rapid.IntRange(0, 4).Draw(t, "spans") {
			list = append(list, redact.Span{Channel: rapid.IntRange(-1, 3).Draw(t, "channel"),
				Start: time.Draw(t, "start"), End: time.Draw(t, "end")})
		}
		redact.Silence(whole, 0, list, f)
		for at := 0; at < len(pieces); {
			n := min(rapid.IntRange(1, 90).Draw(t, "piece"), len(pieces)-at)
			redact.Silence(pieces[at:at+n], int64(at), list, f)
			at += n
		}
		if !bytes.Equal(whole, pieces) {
			t.Error("pieces differ from the whole")
		}
	})
}

// TestSilenceOfWordWithoutTime silences the time in which a word may have been spoken that has none
// of its own.
func TestSilenceOfWordWithoutTime(t *testing.T) {
	for _, c := range []struct {
		in   string
		word int // has no time of its own: it stands at the end of the word before
		want redact.Span
	}{
		{"it was john who came", 2, redact.Span{Start: 1.8, End: 3}},
		{"it was john smith today", 3, redact.Span{Start: 2, End: 4}},
		{"i met john", 2, redact.Span{Start: 1.8, End: 2.8}},
	} {
		u := said(0, c.in)
		u.Words[c.word].Start, u.Words[c.word].End = u.Words[c.word-1].End, u.Words[c.word-1].End
		r := marker("NAME")
		hide(r, u)
		if got := r.Silences(); len(got) != 1 || got[0] != c.want {
			t.Errorf("%q: silent at %v, want %v", c.in, got, c.want)
		}
	}
}
