package wire

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"steno/session/asr"
	"steno/session/asr/riva/rivapb"
)

const (
	// pronunciationsKey is the custom configuration holding {"phrase": ["as it sounds", …]} as
	// JSON.
	pronunciationsKey = "steno_pronunciations"
	// languagesKey is the custom configuration holding the codes of the languages that may be
	// spoken, "en,haw".
	languagesKey = "steno_languages"
	// tentativeKey and cutKey are custom configurations of a message within an utterance, each a
	// number of samples.
	tentativeKey = "steno_tentative"
	cutKey       = "steno_cut"
	// decodesKey is the custom configuration holding how many ways of decoding a final is chosen
	// from.
	decodesKey = "steno_decodes"
	// recordedKey is the custom configuration that marks an utterance of a recording.
	recordedKey = "steno_recorded"
	// followKey is another one, of the samples that follow an utterance: base64 of 16-bit
	// little-endian samples.
	followKey = "steno_follow"
	// contextKey is the custom configuration holding an utterance's context: base64 of 16-bit
	// little-endian samples.
	contextKey = "steno_context"
)

// maxBoost is the boost that stands for intensity 1: beyond it Riva's documentation sees no use.
const maxBoost = 20

// Config returns the request for an utterance in the language with the given BCP-47 tag; empty
// leaves it to the server. What the Riva interface has no field for is left out: see [Extend].
func Config(p asr.Params, tag string) *rivapb.StreamingRecognitionConfig {
	return &rivapb.StreamingRecognitionConfig{
		InterimResults: p.Partials,
		Config: &rivapb.RecognitionConfig{
			Encoding:              rivapb.AudioEncoding_LINEAR_PCM,
			SampleRateHertz:       asr.Rate,
			AudioChannelCount:     1,
			LanguageCode:          tag,
			MaxAlternatives:       1,
			EnableWordTimeOffsets: true,
			SpeechContexts:        contexts(p.Vocabulary),
		},
	}
}

// Bounds of what is sent of a vocabulary, in bytes, which keep every request within what an engine
// program receives.
const (
	phraseBytes = 512 << 10 // of all phrases
	spokenBytes = 192 << 10 // of all pronunciations, each with its phrase; as JSON they may be six times as long
)

// contexts groups neighbours of the same intensity, so that the order of the terms survives. Terms
// that a server would refuse are left out, since it would refuse the utterance: no engine learns a
// phrase as long.
func contexts(vocabulary []asr.Term) []*rivapb.SpeechContext {
	var out []*rivapb.SpeechContext
	count, room := 0, phraseBytes
	for _, term := range vocabulary {
		if count == MaxPhrases || len(term.Text) > min(MaxPhraseBytes, room) {
			continue
		}
		count, room = count+1, room-len(term.Text)
		boost := float32(maxBoost * term.Intensity)
		if n := len(out); n == 0 || out[n-1].Boost != boost {
			out = append(out, &rivapb.SpeechContext{Boost: boost})
		}
		last := out[len(out)-1]
		last.Phrases = append(last.Phrases, term.Text)
	}
	return out
}

// Extend adds what the Riva interface has no field for: pronunciations, the languages that may be
// spoken, the number of decodes, and whether it is a recording. Only an engine program reads it. It
// returns ErrLanguage for codes that the API does not list.
func Extend(c *rivapb.RecognitionConfig, p asr.Params) error {
	if slices.ContainsFunc(p.Languages, func(code string) bool { return Tag(code) == "" }) {
		return asr.ErrLanguage
	}
	custom := map[string]string{}
	if len(p.Languages) > 0 {
		custom[languagesKey] = strings.Join(p.Languages, ",")
	}
	if p.Decodes > 0 {
		custom[decodesKey] = strconv.Itoa(p.Decodes)
	}
	if p.Recorded {
		custom[recordedKey] = "1"
	}
	spoken := sayings(p.Vocabulary)
	if len(spoken) > 0 {
		text, err := json.Marshal(spoken)
		if err != nil {
			return fmt.Errorf("encode pronunciations: %w", err)
		}
		custom[pronunciationsKey] = string(text)
	}
	if len(custom) > 0 {
		c.CustomConfiguration = custom
	}
	return nil
}

// sayings returns the pronunciations of phrases, without those that an engine program would refuse.
func sayings(vocabulary []asr.Term) map[string][]string {
	spoken := map[string][]string{}
	room := spokenBytes
	for _, term := range vocabulary {
		for _, sound := range term.Pronunciations {
			size := len(term.Text) + len(sound) + len(`"":["",],`)
			if size > room || max(len(term.Text), len(sound)) > MaxPhraseBytes || len(spoken[term.Text]) ==
				MaxPronunciations {
				continue
			}
			spoken[term.Text] = append(spoken[term.Text], sound)
			room -= size
		}
	}
	return spoken
}

// Params reads a request. priority and party are the values of [PriorityKey] and [PartyKey]. Errors
// state what is wrong with the request; ErrLanguage is among them.
func Params(c *rivapb.RecognitionConfig, interim bool, priority, party string) (asr.Params, error) {
	p := asr.Params{Partials: interim, Party: party[:min(len(party), maxParty)]}
	if err := checkAudio(c); err != nil {
		return p, err
	}
	if tag := c.GetLanguageCode(); tag != "" {
		if p.Language = Code(tag); p.Language == "" {
			return p, asr.ErrLanguage
		}
	}
	switch priority {
	case "", "live":
		p.Priority = asr.Live
	case "replay":
		p.Priority = asr.Replay
	default:
		return p, errors.New("unknown priority")
	}
	var err error
	if p.Languages, err = languages(c); err != nil {
		return p, err
	}
	if p.Context, err = contextOf(c); err != nil {
		return p, err
	}
	if p.Decodes, err = decodes(c); err != nil {
		return p, err
	}
	p.Recorded = c.CustomConfiguration[recordedKey] != ""
	p.Vocabulary, err = vocabulary(c)
	return p, err
}

// maxDecodes bounds what a client may ask for.
const maxDecodes = 16

func decodes(c *rivapb.RecognitionConfig) (int, error) {
	text := c.CustomConfiguration[decodesKey]
	if text == "" {
		return 0, nil
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 0 || n > maxDecodes {
		return 0, fmt.Errorf("%s must be a number from 0 to %d", decodesKey, maxDecodes)
	}
	return n, nil
}

func languages(c *rivapb.RecognitionConfig) ([]string, error) {
	text := c.CustomConfiguration[languagesKey]
	if text == "" {
		return nil, nil
	}
	codes := strings.SplitN(text, ",", MaxLanguages+1)
	if len(codes) > MaxLanguages {
		return nil, fmt.Errorf("more than %d languages", MaxLanguages)
	}
	if slices.ContainsFunc(codes, func(code string) bool { return Tag(code) == "" }) {
		return nil, asr.ErrLanguage
	}
	return codes, nil
}

func checkAudio(c *rivapb.RecognitionConfig) error {
	switch {
	case c == nil:
		return errors.New("configuration missing")
	case c.Encoding != rivapb.AudioEncoding_LINEAR_PCM:
		return errors.New("encoding must be LINEAR_PCM")
	case c.SampleRateHertz != asr.Rate:
		return fmt.Errorf("sample_rate_hertz must be %d", asr.Rate)
	case c.AudioChannelCount < 0 || c.AudioChannelCount > 1:
		return errors.New("audio_channel_count must be 1")
	}
	return nil
}

func vocabulary(c *rivapb.RecognitionConfig) ([]asr.Term, error) {
	spoken, err := pronunciations(c)
	if err != nil {
		return nil, err
	}
	var terms []asr.Term
	for _, context := range c.SpeechContexts {
		if len(terms)+len(context.GetPhrases()) > MaxPhrases {
			return nil, fmt.Errorf("more than %d phrases", MaxPhrases)
		}
		boost := float64(context.GetBoost())
		if math.IsNaN(boost) {
			return nil, errors.New("boost is not a number")
		}
		for _, phrase := range context.GetPhrases() {
			if len(phrase) > MaxPhraseBytes {
				return nil, fmt.Errorf("phrase longer than %d bytes", MaxPhraseBytes)
			}
			terms = append(terms, asr.Term{
				Text: phrase, Intensity: rounded(min(max(boost/maxBoost, 0), 1)), Pronunciations: spoken[phrase],
			})
		}
	}
	return terms, nil
}

func pronunciations(c *rivapb.RecognitionConfig) (map[string][]string, error) {
	text := c.CustomConfiguration[pronunciationsKey]
	if text == "" {
		return nil, nil
	}
	var spoken map[string][]string
	if err := json.Unmarshal([]byte(text), &spoken); err != nil {
		return nil, errors.New("pronunciations are not a JSON object of string arrays")
	}
	for _, list := range spoken {
		if len(list) > MaxPronunciations {
			return nil, fmt.Errorf("more than %d pronunciations of a phrase", MaxPronunciations)
		}
		for _, s := range list {
			if len(s) > MaxPhraseBytes {
				return nil, fmt.Errorf("pronunciation longer than %d bytes", MaxPhraseBytes)
			}
		}
	}
	return spoken, nil
}

// Priority returns the value of [PriorityKey].
func Priority(p asr.Priority) string {
	if p == asr.Replay {
		return "replay"
	}
	return "live"
}

// rounded removes the digits that a conversion to 32-bit floats adds.
func rounded(f float64) float64 { return math.Round(f*1e4) / 1e4 }
