package listen

import (
	"encoding/json"
	"errors"

	"steno/gateway/dialect"
	"steno/gateway/dialect/deepgram"
	"steno/gateway/dialect/opus"
	"steno/gateway/web"
	"steno/messages"
)

// markFinalize is the id of the marks of Finalize.
const markFinalize = "finalize"

var errMessage = errors.New("the message must be a JSON object with a type")

// parser reads what clients send.
type parser struct{ heard *digest }

// Hear implements [dialect.Hearer].
func (p parser) Hear(audio []byte) { p.heard.add(audio) }

// opusParser is one of clients whose messages are packets of Opus.
type opusParser struct {
	parser
	opus.Packets
}

// Binary implements [dialect.BinaryParser].
func (p *opusParser) Binary(packet []byte, last bool, to dialect.Input) {
	p.heard.add(packet)
	p.Packets.Binary(packet, last, to)
}

// Text implements [dialect.Parser].
func (p parser) Text(text []byte, to dialect.Input) {
	switch deepgram.KindOf(text) {
	case "":
		to.Reject(errMessage)
	case "KeepAlive":
		to.KeepAlive()
	case "Finalize":
		to.Mark(messages.Mark{ID: markFinalize})
	case "CloseStream":
		p.heard.close()
		to.Stop()
	case "Configure":
		configure(text, to)
	}
}

// configure changes the terms to be preferred, and answers. Other features of a stream do not
// change: a message that asks for that has no effect at all.
func configure(text []byte, to dialect.Input) {
	var m struct {
		Keyterms *[]string       `json:"keyterms"`
		Features map[string]bool `json:"features"`
	}
	if json.Unmarshal(text, &m) != nil {
		deepgram.RefuseConfigure(to, "keyterms must be an array of strings, and features an object of booleans")
		return
	}
	for name := range m.Features {
		if withoutEffect[name] == "" {
			deepgram.RefuseConfigure(to, "features must not have "+web.Shorten(name)+
				": it holds for the whole stream")
			return
		}
	}
	success := deepgram.Object{"type": "ConfigureSuccess"}
	if m.Keyterms != nil {
		to.Update(messages.Update{Vocabulary: deepgram.Terms(*m.Keyterms)})
		success["keyterms"] = *m.Keyterms
	}
	deepgram.Answer(to, success)
}

// Stream implements [dialect.Parser].
func (p parser) Stream(limit int, to dialect.Input) dialect.Stream {
	return dialect.Whole(limit, func(text []byte) { p.Text(text, to) })
}
