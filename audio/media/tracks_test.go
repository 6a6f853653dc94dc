package media

import (
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"steno/audio"
)

// first is when a decoded channel is heard first, in seconds.
func (d decoded) first(channel int) float64 {
	for i := range len(d.data) / d.format.FrameBytes() {
		if math.Abs(d.sample(i, channel)) > 0.05 {
			return float64(i) / float64(d.format.SampleRate)
		}
	}
	return math.Inf(1)
}

// Of a file with several tracks the one that is to be played is decoded, or those that are asked
// for, each as channels of its own.
func TestTracks(t *testing.T) {
	mono := tones(t, audio.Format{Encoding: audio.PCM, BitDepth: 16, SampleRate: 44100, Channels: 1}, 2)
	stereo := tones(t, audio.Format{Encoding: audio.PCM, BitDepth: 16, SampleRate: 16000, Channels: 2}, 1)
	inputs := []string{"-i", mono, "-i", stereo, "-f", "lavfi", "-i", "anullsrc=r=48000:cl=mono:d=2"}
	tracks := func(list ...string) (args []string) {
		for _, in := range list {
			args = append(args, "-map", in+":a")
		}
		return args
	}
	dir := encodeAll(t, inputs,
		append(tracks("0", "1"), "-metadata:s:a:1", "language=fra", "-metadata:s:a:1", "title=Commentary", "-c:a",
			"flac", "two.mka"),
		append(tracks("0", "1"), "-disposition:a:0", "0", "-disposition:a:1", "default", "-c:a", "flac", "second.mkv"),
		append(tracks("2", "1"), "-c:a", "aac", "silent.mp4"),
		append(tracks("0", "1", "2"), "-c:a", "mp2", "three.ts"),
	)
	for _, c := range []struct {
		file     string
		track    Track
		channels int
		seconds  float64
		says     string
	}{
		{"two.mka", DefaultTrack, 1, 2, `track 1 (flac, 2 ch, fra, "Commentary")`},
		{"two.mka", NthTrack(0), 1, 2, "track 1"},
		{"two.mka", NthTrack(1), 2, 1, "track 0"},
		{"two.mka", AllTracks, 3, 2, ""},
		{"second.mkv", DefaultTrack, 2, 1, "track 0"},
		{"silent.mp4", DefaultTrack, 2, 1, "Track 0, which is to be played by default, is silent"},
		{"silent.mp4", NthTrack(0), 1, 2, "track 1"},
		{"three.ts", AllTracks, 4, 2, ""},
	} {
		d := decoder(t, Limits{}).Of(c.track)
		got := mustDecode(t, d, filepath.Join(dir, c.file))
		omitted := strings.Join(got.info.Omitted, " ")
		if got.format.Channels != c.channels || math.Abs(got.seconds-c.seconds) > 0.1 || !strings.Contains(omitted,
			c.says) || c.says == "" && omitted != "" {
			t.Errorf("%s, track %d: %v, %.2f s, %q", c.file, c.track, got.format, got.seconds, omitted)
		}
		if c.track == AllTracks {
			for channel, hz := range []float64{toneOf(0), toneOf(0), toneOf(1)} {
				if share := got.share(channel, hz); share < 0.95 {
					t.Errorf("%s: channel %d has %.3f of its energy in its tone", c.file, channel, share)
				}
			}
		}
	}
	for file, track := range map[string]Track{"two.mka": NthTrack(2), "silent.mp4": NthTrack(9)} {
		if _, err := decode(decoder(t, Limits{}).Of(track), filepath.Join(dir, file)); reason(err) != NoTrack ||
			!strings.Contains(err.Error(), "0 to 1") {
			t.Errorf("%s, track %d: %v", file, track, err)
		}
	}
	if _, err := decode(decoder(t, Limits{}).Of(NthTrack(1)), mono); reason(err) != NoTrack {
		t.Errorf("the second track of WAV: %v", err)
	}
}

// Times count from the beginning of the presentation, not from the first sound of a file.
func TestTimesCountFromThePresentation(t *testing.T) {
	from := tones(t, audio.Format{Encoding: audio.PCM, BitDepth: 16, SampleRate: 48000, Channels: 1}, 2)
	late := []string{"-itsoffset", "1.5", "-i", from, "-f", "lavfi", "-i", "color=size=64x64:d=3"}
	dir := encodeAll(t, late,
		[]string{"-map", "1:v", "-map", "0:a", "-c:v", "mpeg4", "-c:a", "aac", "late.mp4"},
		[]string{"-map", "1:v", "-map", "0:a", "-c:v", "mpeg4", "-c:a", "flac", "late.mkv"},
		[]string{"-map", "1:v", "-map", "0:a", "-c:v", "libvpx", "-c:a", "libopus", "late.webm"},
		[]string{"-map", "1:v", "-map", "0:a", "-c:v", "mpeg2video", "-c:a", "mp2", "late.ts"},
		[]string{"-map", "0:a", "-c:a", "aac", "alone.m4a"},
		[]string{"-map", "0:a", "-c:a", "libopus", "alone.webm"},
	)
	for _, name := range []string{"late.mp4", "late.mkv", "late.webm", "late.ts", "alone.m4a", "alone.webm"} {
		got := mustDecode(t, decoder(t, Limits{}), filepath.Join(dir, name))
		if first := got.first(0); math.Abs(first-1.5) > 0.06 || math.Abs(got.seconds-3.5) > 0.1 {
			t.Errorf("%s: first heard at %.3f s, %.3f s in all", name, first, got.seconds)
		}
	}
}

// The time stamps of a chained stream count on from the stream before it, so that holes in every
// one of them are found.
func TestHolesInChains(t *testing.T) {
	from := tones(t, audio.Format{Encoding: audio.PCM, BitDepth: 16, SampleRate: 48000, Channels: 1}, 2)
	dir := encodeAll(t, []string{"-i", from},
		[]string{"-af", `asetpts=PTS+if(gte(T\,1)\,3/TB\,0)`, "-c:a", "libopus", "hole.ogg"},
		[]string{"-c:a", "libopus", "whole.ogg"})
	var chain []byte
	for _, name := range []string{"whole.ogg", "hole.ogg"} {
		link, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		chain = append(chain, link...)
	}
	path := filepath.Join(dir, "chain.ogg")
	write(t, path, chain)
	if got := mustDecode(t, decoder(t, Limits{}), path); math.Abs(got.seconds-7) > 0.2 {
		t.Errorf("%.3f s of two times 2 s with a hole of 3 s", got.seconds)
	}
}

// What ffmpeg recognizes by its contents is a recording. Most of these files differ from others in
// their containers alone, and are not decoded.
func TestMoreFormats(t *testing.T) {
	from := tones(t, audio.Format{Encoding: audio.PCM, BitDepth: 16, SampleRate: 48000, Channels: 1}, 2)
	var files [][]string
	for _, args := range []string{
		"-c:a wmav2 a.wma", "-c:a libmp3lame a.avi", "-c:a libmp3lame -ar 44100 a.flv", "-c:a aac a.ts",
		"-c:a mp2 a.mpg", "-c:a ac3 a.ac3", "-c:a eac3 a.eac3",
		"-c:a libopus b.ts", "-c:a libopus b.mkv", "-c:a wavpack a.wv", "-c:a tta a.tta",
		"-c:a vorbis -strict -2 -ac 2 a.nut", "-c:a pcm_s16be a.au",
	} {
		files = append(files, strings.Fields(args))
	}
	dir := encodeAll(t, []string{"-i", from}, files...)
	for _, args := range files {
		name := args[len(args)-1]
		d, path := decoder(t, Limits{}), filepath.Join(dir, name)
		if !slices.Contains([]string{"a.wma", "a.ts", "a.eac3"}, name) {
			if got := found(t, d, path); got.info.Seconds > 0 && math.Abs(got.info.Seconds-2) > 0.2 ||
				got.format.Validate() != nil {
				t.Errorf("%s: %v, %+v", name, got.format, got.info)
			}
			continue
		}
		got := mustDecode(t, d, path)
		if share := got.share(0, toneOf(0)); share < 0.9 || math.Abs(got.seconds-2) > 0.2 {
			t.Errorf("%s: %.3f of its energy in its tone, %.2f s", name, share, got.seconds)
		}
	}
}
