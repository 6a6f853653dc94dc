package streaming

import (
	"encoding/json"
	"errors"
	"strconv"

	"steno/gateway/dialect"
	"steno/gateway/dialect/opus"
	"steno/messages"
)

// parser reads what clients send.
type parser struct {
	turns     turns
	languages []string // of the session; none: they are open
}

// packetParser is that of clients whose binary messages are packets of Opus.
type packetParser struct {
	parser
	opus.Packets
}

// maxDepth is how deep arrays and objects may stand within each other.
const maxDepth = 8

// The details of the ends that a client's message brings about, besides those of its fields.
const (
	notJSON     = "Endpoint received invalid JSON"
	wrongSchema = "Endpoint received a message with an invalid schema"
)

// formatAnswer begins what the encoder gets for a change of format_turns.
const formatAnswer = "format_turns="

// configuration is UpdateConfiguration, as far as it has an effect.
type configuration struct {
	Least     *float64  `json:"min_turn_silence"`
	Older     *float64  `json:"min_end_of_turn_silence_when_confident"`
	Most      *float64  `json:"max_turn_silence"`
	Sure      *float64  `json:"end_of_turn_confidence_threshold"`
	Threshold *float64  `json:"vad_threshold"`
	Formatted *bool     `json:"format_turns"`
	Terms     *[]string `json:"keyterms_prompt"`
	Languages *[]string `json:"language_codes"` // without an effect, of which the client is warned
}

// warning is a message about what a client has asked for in vain.
type warning struct {
	Type string `json:"type"`
	Code int    `json:"warning_code"`
	Text string `json:"warning"`
}

// Text implements dialect.Parser.
func (p *parser) Text(text []byte, to dialect.Input) {
	var m struct {
		Type string `json:"type"`
	}
	if messages.NestedDeeper(text, maxDepth) || !json.Valid(text) {
		end(notJSON, to)
		return
	}
	if json.Unmarshal(text, &m) != nil {
		end(wrongSchema, to)
		return
	}
	switch m.Type {
	case "Terminate":
		to.Stop()
	case "ForceEndpoint":
		to.Mark(messages.Mark{})
	case "KeepAlive":
		to.KeepAlive()
	case "UpdateConfiguration":
		if err := p.update(text, to); err != nil {
			end(wrongSchema+": "+err.Error(), to)
		}
	default:
		end(wrongSchema+": unknown type "+strconv.Quote(messages.Excerpt(m.Type)), to)
	}
}

func end(detail string, to dialect.Input) {
	to.End(dialect.Ending{Why: dialect.Misuse, Detail: detail})
}

// update changes what an UpdateConfiguration states. After an error nothing is changed.
func (p *parser) update(text []byte, to dialect.Input) error {
	var c configuration
	if json.Unmarshal(text, &c) != nil {
		return errors.New("a value has the wrong type")
	}
	changes := turns{least: firstOf(c.Least, c.Older), most: c.Most, sure: c.Sure, threshold: c.Threshold}
	vocabulary, err := vocabularyOf(c.Terms)
	if err = errors.Join(err, changes.check()); err != nil {
		return err
	}
	p.turns.merge(changes)
	u := p.turns.update(changes)
	u.Vocabulary = vocabulary
	if u != (messages.Update{}) {
		to.Update(u)
	}
	if c.Languages != nil && !dialect.SameLanguages(withoutRegions(*c.Languages), p.languages) {
		to.Answer(dialect.JSON(warning{"Warning", codeInput,
			"language_codes cannot change: a session keeps its languages"}))
	}
	if c.Formatted != nil {
		to.Answer(strconv.AppendBool([]byte(formatAnswer), *c.Formatted))
	}
	return nil
}

// check returns which number is out of its bounds.
func (t *turns) check() error {
	for _, v := range []*float64{t.least, t.most} {
		if v != nil && !(*v >= 0 && *v <= maxSilence) {
			return errors.New("a silence must be a number of ms from 0 to " + strconv.Itoa(maxSilence))
		}
	}
	for _, v := range []*float64{t.sure, t.threshold} {
		if v != nil && !(*v >= 0 && *v <= 1) {
			return errors.New("a threshold must be a number from 0 to 1")
		}
	}
	return nil
}

// maxTerm is how many bytes a term may have.
const maxTerm = 500

// vocabularyOf returns terms as an update has them; nil: there is none.
func vocabularyOf(terms *[]string) (*messages.List[messages.VocabularyEntry], error) {
	if terms == nil {
		return nil, nil
	}
	if len(*terms) > most {
		return nil, errors.New("keyterms_prompt must have at most " + strconv.Itoa(most) + " items")
	}
	list := make(messages.List[messages.VocabularyEntry], 0, len(*terms))
	for _, term := range *terms {
		if term == "" || len(term) > maxTerm {
			return nil, errors.New("a key term must have 1 to " + strconv.Itoa(maxTerm) + " bytes")
		}
		list = append(list, messages.VocabularyEntry{Value: term})
	}
	return &list, nil
}

// Stream implements dialect.Parser.
func (p *parser) Stream(limit int, to dialect.Input) dialect.Stream {
	return dialect.Whole(limit, func(text []byte) { p.Text(text, to) })
}
