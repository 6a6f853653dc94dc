package session

import (
	"bytes"
	"testing"
	"time"

	"pgregory.net/rapid"

	"steno/audio"
)

// filesOf makes consecutive WAV files of audio, with data sizes of its own choice and a chunk after
// each.
func filesOf(f audio.Format, pcm []byte, sizes []int, claims []int64) (stream []byte) {
	for i := 0; len(pcm) > 0; i++ {
		n := min(sizes[i%len(sizes)]*f.FrameBytes(), len(pcm))
		claim := claims[i%len(claims)]
		if claim > 0 {
			claim = int64(n)
		}
		stream = append(append(stream, audio.WAVHeader(f, claim)...), pcm[:n]...)
		if claim > 0 {
			stream = append(stream, "LIST\x0c\x00\x00\x00INFOISFT\x00\x00\x00\x00"...)
		}
		pcm = pcm[n:]
	}
	return stream
}

// The headers of messages that are WAV files are not treated as audio, wherever a message is cut
// and sent again, and wherever a process dies.
func TestHeadersAmongTheAudioAreLeftOut(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		channels := rapid.IntRange(1, 2).Draw(rt, "channels")
		request := requestOf(channels, rapid.SampledFrom([]string{"0.05", "0.3"}).Draw(rt, "endpointing"))
		pcm := scene(channels, rapid.Float64Range(1, 6).Draw(rt, "seconds"), rapid.Uint64Range(0, 5).Draw(rt, "seed"))
		want := playReplay(t, request, pcm)
		stream := filesOf(audio.Format{BitDepth: 16, SampleRate: audio.Rate, Channels: channels}, pcm,
			rapid.SliceOfN(rapid.IntRange(160, 9000), 1, 4).Draw(rt, "sizes"), rapid.SliceOfN(rapid.Int64Range(-1, 1),
				1, 3).Draw(rt, "claims"))
		if rapid.Bool().Draw(rt, "bare") {
			stream = append(bytes.Clone(pcm[:640]), stream...)
			want = playReplay(t, request, append(bytes.Clone(pcm[:640]), pcm...))
		}
		got := playCut(t, request, stream, rapid.SliceOfN(rapid.IntRange(1, len(stream)), 0, 6).Draw(rt, "cuts"),
			rapid.IntRange(1, 40000).Draw(rt, "chunk"), time.Duration(rapid.IntRange(0, 300).Draw(rt, "pause"))*
				time.Millisecond)
		if a, b := utterancesText(t, got), utterancesText(t, want); a != b {
			rt.Fatalf("got  %s\nwant %s", a, b)
		}
		if a, b := got.Outcome().Seconds, want.Outcome().Seconds; a != b {
			rt.Fatalf("the recording lasts %g s, not %g", a, b)
		}
	})
}
