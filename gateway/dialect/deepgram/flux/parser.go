package flux

import (
	"encoding/json"
	"errors"

	"steno/gateway/dialect"
	"steno/gateway/dialect/deepgram"
	"steno/gateway/dialect/opus"
	"steno/messages"
)

var errMessage = errors.New("the message must be a JSON object of a known type")

// parser reads what clients send.
type parser struct {
	turns     turns
	languages []string // of the stream; none: they are open
}

// opusParser is one of clients whose messages are packets of Opus.
type opusParser struct {
	parser
	opus.Packets
}

// Text implements [dialect.Parser].
func (p *parser) Text(text []byte, to dialect.Input) {
	switch deepgram.KindOf(text) {
	case "CloseStream":
		to.Stop()
	case "ForceEndTurn":
		to.Mark(messages.Mark{})
	case "Configure":
		p.configure(text, to)
	case "KeepAlive": // of version 1
		to.KeepAlive()
	default:
		to.Reject(errMessage)
	}
}

// Stream implements [dialect.Parser].
func (p *parser) Stream(limit int, to dialect.Input) dialect.Stream {
	return dialect.Whole(limit, func(text []byte) { p.Text(text, to) })
}

// configure changes how turns end, and the terms to be preferred, and answers.
func (p *parser) configure(text []byte, to dialect.Input) {
	var m struct {
		Thresholds thresholds `json:"thresholds"`
		Keyterms   *[]string  `json:"keyterms"`
		Languages  *[]string  `json:"language_hints"`
	}
	if json.Unmarshal(text, &m) != nil {
		deepgram.RefuseConfigure(to, "the message does not have the form of Configure")
		return
	}
	if m.Languages != nil && !p.hears(*m.Languages) {
		deepgram.RefuseConfigure(to, "language_hints cannot change: they hold for the whole stream")
		return
	}
	changed, name, fault := p.turns.with(m.Thresholds)
	if fault != "" {
		deepgram.RefuseConfigure(to, name+" "+fault)
		return
	}
	p.turns = changed
	u := changed.update()
	success := deepgram.Object{"type": "ConfigureSuccess", "thresholds": changed.thresholds(), "keyterms": []string{}}
	if m.Keyterms != nil {
		u.Vocabulary = deepgram.Terms(*m.Keyterms)
		success["keyterms"] = *m.Keyterms
	}
	to.Update(u)
	deepgram.Answer(to, success)
}

// hears reports whether the languages are those of the stream.
func (p *parser) hears(names []string) bool {
	var list messages.List[string]
	for _, name := range names {
		var known bool
		if list, known = dialect.AddLanguage(list, name); !known {
			return false
		}
	}
	return dialect.SameLanguages(list, p.languages)
}
