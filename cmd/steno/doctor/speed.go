package doctor

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"math"
	"time"

	"steno/audio"
	"steno/cmd/steno/recognizers"
	"steno/cmd/steno/terminal"
	"steno/session"
	"steno/session/asr"
)

const (
	speedSeconds = 6
	speedRate    = asr.Rate
)

// measureSpeed has a recognizer decode a few seconds of a made-up voice and compares the time with
// theirs.
func measureSpeed(ctx context.Context, r asr.Recognizer) Finding {
	const name, fix = "speed of stt-1",
		"a smaller model (steno models list), more processors, or engines on other machines"
	request, err := recognizers.AllSpeech(audio.Format{Encoding: audio.PCM, BitDepth: 16, SampleRate: speedRate,
		Channels: 1}, "")
	if err != nil {
		return Finding{name, Warning, terminal.OneLine(err), fix}
	}
	c := session.Config{ID: "doctor", Request: request, Recognizer: r, Priority: asr.Replay}
	began := time.Now()
	_, err = session.Replay(ctx, c, bytes.NewReader(madeUpVoice()))
	if err != nil {
		return Finding{name, Failure, "nothing can be decoded: " + terminal.OneLine(err),
			"what steno serve --log-format console says"}
	}
	return judgeSpeed(name, fix, time.Since(began))
}

func judgeSpeed(name, fix string, took time.Duration) Finding {
	factor := took.Seconds() / speedSeconds
	detail := fmt.Sprintf("%d s of sound take %.1f s, real-time factor %.2f", speedSeconds, took.Seconds(), factor)
	if factor > 1 {
		return Finding{name, Failure, detail + ": slower than people speak", fix}
	}
	if factor > 0.7 {
		return Finding{name, Warning, detail + ": one speaker is all that this machine carries", fix}
	}
	return Finding{Check: name, Level: Fine, Detail: detail}
}

// madeUpVoice is bare samples of 16 bits: harmonics of a voice in syllables.
func madeUpVoice() []byte {
	var sound []byte
	for i := range speedSeconds * speedRate {
		at := float64(i) / speedRate
		syllable, v := math.Max(0, math.Sin(2*math.Pi*2*at)), 0.0
		for h := 1.0; h < 20; h++ {
			v += math.Sin(2*math.Pi*120*h*at) / h
		}
		sound = binary.LittleEndian.AppendUint16(sound, uint16(int16(4000*syllable*v)))
	}
	return sound
}
