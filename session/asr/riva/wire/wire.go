// Package wire is the encoding that client and server of recognition share beyond the Riva
// interface's messages: utterance parameters, audio, results and errors, and the metadata of
// steno's own, which stock servers and clients ignore.
//
// All data read here came over a network: sizes are bounded, and what is out of range is refused or
// clamped.
package wire

import (
	"crypto/sha256"
	"encoding/base64"
	"slices"
	"strconv"
	"time"

	"steno/audio"
	"steno/session/asr"
)

const (
	// PriorityKey is the request metadata with the priority: "live" or "replay". Missing means
	// live.
	PriorityKey = "steno-priority"
	// PartyKey is the request metadata with the party, as [Party] writes it. Only an engine program
	// is sent it. Missing means none.
	PartyKey = "steno-party"
	// QueuedKey is the response trailer with how long the final waited for a decoding slot after
	// the end of the utterance, as [Queued] writes it. Missing means that it is not known.
	QueuedKey = "steno-queued"
	// DroppedKey is the response trailer with why the engine has left out words on purpose. Missing
	// means that it has not.
	DroppedKey = "steno-dropped"
	// EngineKey is the response header by which an engine program accepts a call and names what
	// decodes it. A stock Riva server sends none, and sends its headers only with the first result.
	EngineKey = "steno-engine"
	// CutKey is the response header by which an engine program states that it knows the messages of
	// [Tentative] and [Cut].
	CutKey = "steno-cut"
	// FollowKey is the response header by which it states that it knows the message of [Follow].
	FollowKey = "steno-follow"
	// ContextKey is the response header of the list of models which states that one of them uses
	// the context of utterances.
	ContextKey = "steno-context"

	// MaxPhrases bounds a vocabulary.
	MaxPhrases = 10000
	// MaxPhraseBytes bounds each of its phrases and pronunciations.
	MaxPhraseBytes = 512
	// MaxPronunciations bounds the spellings given for one phrase.
	MaxPronunciations = 32
	// MaxLanguages bounds the languages an utterance may be in; the API lists 99.
	MaxLanguages = 128
	// MaxText bounds the text given for punctuation, in bytes.
	MaxText = 64 << 10
	// MaxContextText is the length of the longest context as it is sent, in base64, in bytes.
	MaxContextText = (2*asr.MaxContext + 2) / 3 * 4
	// MaxFollowText is that of the longest audio after an utterance.
	MaxFollowText = (2*asr.MaxFollowing + 2) / 3 * 4
	// MaxDropped bounds the value of DroppedKey, in bytes.
	MaxDropped = 64
	// MaxWords bounds the words taken from one call: ten times the fastest speech in the longest
	// utterance.
	MaxWords = 4096
)

// maxParty bounds the value of PartyKey, in bytes.
const maxParty = 64

// Party returns a party as the value of [PartyKey]: a short hash, by which an engine program tells
// parties apart, and which does not name them. It is the same from every client.
func Party(party string) string {
	if party == "" {
		return ""
	}
	sum := sha256.Sum256([]byte("steno party\x00" + party))
	return base64.RawURLEncoding.EncodeToString(sum[:9])
}

// Queued returns a time as the value of [QueuedKey]: one that time.ParseDuration reads. It is in
// ASCII, as metadata must be, which the microseconds of [time.Duration.String] are not.
func Queued(d time.Duration) string { return strconv.FormatFloat(d.Seconds(), 'f', -1, 64) + "s" }

// PCM turns messages of 16-bit little-endian bytes into samples; a message may end within one. The
// zero value is ready for the first message of a call.
type PCM struct {
	samples []int16
	odd     bool
	low     byte // the first half of a split sample
}

// Samples returns the samples completed by b. They are valid until the next call.
func (p *PCM) Samples(b []byte) []int16 {
	p.samples = p.samples[:0]
	if p.odd && len(b) > 0 {
		p.samples = append(p.samples, int16(uint16(p.low)|uint16(b[0])<<8))
		b, p.odd = b[1:], false
	}
	have, n := len(p.samples), len(b)/2
	p.samples = slices.Grow(p.samples, n)[:have+n]
	audio.DecodePCM(p.samples[have:], b)
	if len(b)%2 == 1 {
		p.low, p.odd = b[len(b)-1], true
	}
	return p.samples
}
