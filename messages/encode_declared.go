package messages

import "encoding/json"

// AddonFinal is the message of a declared add-on about one final. Its type on the wire is the
// add-on's name. With Error set, of the rest UtteranceID is shown.
type AddonFinal struct {
	Addon       string
	UtteranceID string
	Utterance   Utterance
	Results     json.RawMessage // an array
	Error       *AddonError
}

// AddonSession is the message of a declared add-on about a whole session. Its type on the wire is
// "post_" and the add-on's name. With Error set there are no results.
type AddonSession struct {
	Addon   string
	Results json.RawMessage // an array
	Error   *AddonError
}

// Kind implements [Message].
func (AddonFinal) Kind() Kind { return KindAddonFinal }

// Kind implements [Message].
func (AddonSession) Kind() Kind { return KindAddonSession }

// PostPrefix begins the types of the messages of add-ons about a whole session.
const PostPrefix = "post_"

// AddonFinalKey identifies the message of a declared add-on about an utterance.
func AddonFinalKey(addon, utterance string) Key {
	return Key{Kind: KindAddonFinal, Subject: utterance + "/" + addon}
}

// AddonSessionKey identifies the message of a declared add-on about a whole session.
func AddonSessionKey(addon string) Key { return Key{Kind: KindAddonSession, Subject: addon} }

// KeyOf identifies a message about a whole session.
func KeyOf(m Message) Key {
	if s, ok := m.(AddonSession); ok {
		return AddonSessionKey(s.Addon)
	}
	return Key{Kind: m.Kind()}
}

func (m AddonFinal) appendTo(b []byte) []byte {
	return appendListed(b, m.Addon, m.UtteranceID, m.Utterance, m.Results, m.Error)
}

func (m AddonSession) appendTo(b []byte) []byte {
	return appendFitting(b, m.Results, func(b []byte, results json.RawMessage) []byte {
		return appendResults(b, PostPrefix+m.Addon, results, m.Error)
	}, func(json.RawMessage) json.RawMessage { return json.RawMessage("[]") })
}
