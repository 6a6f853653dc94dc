package vosk

import (
	"encoding/json"
	"errors"
	"math"
	"strconv"
	"strings"

	"steno/gateway/dialect"
	"steno/messages"
)

const (
	usualRate = 8000 // samples a second, where a client does not state it
	// endpointing is the silence that ends an utterance, in seconds after those that the detector
	// takes to hear it: half a second in all, as the service has it.
	endpointing = 0.3
	maxPhrases  = 1000
	maxPhrase   = 500 // bytes
	maxDepth    = 8   // of arrays and objects within each other
	anyWord     = "[unk]"
)

// config is what a client states of its settings.
type config struct {
	Rate         *float64  `json:"sample_rate"`
	Phrases      *[]string `json:"phrase_list"`
	Words        *truth    `json:"words"`
	Alternatives *float64  `json:"max_alternatives"`
}

// truth is a value that is true or false, written as that or as a number.
type truth bool

// UnmarshalJSON implements json.Unmarshaler.
func (t *truth) UnmarshalJSON(b []byte) error {
	switch string(b) {
	case "true":
		*t = true
	case "false":
		*t = false
	default:
		v, err := strconv.ParseFloat(string(b), 64)
		*t = v != 0
		return err
	}
	return nil
}

// words reports whether finals have their words, which is so unless a client wants none.
func (c config) words() bool { return c.Words == nil || bool(*c.Words) }

// several reports whether finals are lists of alternatives.
func (c config) several() bool { return c.Alternatives != nil && *c.Alternatives > 0 }

// request is a text of a client. What is not asked for is the zero value.
type request struct {
	config config
	has    bool // it states settings
	eof    bool // the audio has ended
	reset  bool // what is being said has
}

// The faults of what clients send.
var (
	errJSON  = errors.New("a text must be a JSON object with config, eof or reset")
	errValue = errors.New("a value of config has the wrong type")
)

// parse reads a text of a client. An error may be shown to it.
func parse(text []byte) (r request, err error) {
	var m struct {
		Config json.RawMessage `json:"config"`
		EOF    json.RawMessage `json:"eof"`
		Reset  json.RawMessage `json:"reset"`
	}
	if messages.NestedDeeper(text, maxDepth) || json.Unmarshal(text, &m) != nil {
		return r, errJSON
	}
	r.has, r.eof, r.reset = m.Config != nil, m.EOF != nil, m.Reset != nil
	if !r.has && !r.eof && !r.reset {
		return r, errJSON
	}
	if r.has && json.Unmarshal(m.Config, &r.config) != nil {
		return r, errValue
	}
	if _, err := r.config.vocabulary(); err != nil {
		return r, err
	}
	return r, nil
}

// vocabulary returns the phrases that a client expects. Others are recognized, too.
func (c config) vocabulary() (list messages.List[messages.VocabularyEntry], err error) {
	if c.Phrases == nil {
		return nil, nil
	}
	for _, phrase := range *c.Phrases {
		phrase = strings.TrimSpace(phrase)
		if phrase == "" || phrase == anyWord {
			continue
		}
		if len(phrase) > maxPhrase {
			return nil, errors.New("a phrase must have at most " + strconv.Itoa(maxPhrase) + " bytes")
		}
		list = append(list, messages.VocabularyEntry{Value: phrase})
	}
	if len(list) > maxPhrases {
		return nil, errors.New("phrase_list must have at most " + strconv.Itoa(maxPhrases) + " phrases")
	}
	return list, nil
}

// start returns the session that settings ask for, in a language; empty: that is detected.
func (c config) start(language string) (*dialect.Start, error) {
	type object map[string]any
	rate := float64(usualRate)
	if c.Rate != nil {
		rate = *c.Rate
	}
	if rate != math.Trunc(rate) || math.Abs(rate) > math.MaxInt32 {
		return nil, errors.New("sample_rate must be a whole number")
	}
	body := object{
		"sample_rate": int(rate), "endpointing": endpointing,
		"messages_config": object{"receive_partial_transcripts": true},
	}
	if language != "" {
		body["language_config"] = object{"languages": []string{language}}
	}
	if list, _ := c.vocabulary(); len(list) > 0 {
		body["realtime_processing"] = object{
			"custom_vocabulary": true, "custom_vocabulary_config": object{"vocabulary": list},
		}
	}
	live, fault := messages.ParseLive(dialect.JSON(body))
	if fault != nil {
		return nil, &messages.Problem{Status: fault.Status, Message: fault.Text()}
	}
	return &dialect.Start{Request: live}, nil
}

// What the parser answers, for the encoder.
const (
	answerFrame = 'f' // a message of audio was read
	answerReset = 'r' // what is being said has ended
	answerWords = 'w' // how finals look: whether they have words, and are alternatives
)

// parser reads what clients send.
type parser struct{}

// Binary implements dialect.BinaryParser.
func (parser) Binary(p []byte, last bool, to dialect.Input) {
	to.Audio(p)
	if last {
		to.EndAudio()
		to.Answer([]byte{answerFrame})
	}
}

// Text implements dialect.Parser.
func (parser) Text(text []byte, to dialect.Input) {
	r, err := parse(text)
	if err != nil {
		to.End(dialect.Ending{Why: dialect.Misuse, Detail: err.Error()})
		return
	}
	if r.has {
		r.config.apply(to)
	}
	if r.reset {
		to.Answer([]byte{answerReset})
		to.Mark(messages.Mark{})
	}
	if r.eof {
		to.Stop()
	}
}

// apply changes the settings of a session under way. The rate of its audio stays.
func (c config) apply(to dialect.Input) {
	if c.Words != nil || c.Alternatives != nil {
		to.Answer([]byte{answerWords, digit(c.words()), digit(c.several())})
	}
	if c.Phrases != nil {
		list, _ := c.vocabulary() // it was read before
		to.Update(messages.Update{Vocabulary: &list})
	}
}

func digit(v bool) byte {
	if v {
		return '1'
	}
	return '0'
}

// Stream implements dialect.Parser.
func (p parser) Stream(limit int, to dialect.Input) dialect.Stream {
	return dialect.Whole(limit, func(text []byte) { p.Text(text, to) })
}
