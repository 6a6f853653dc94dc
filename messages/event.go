package messages

import (
	"strings"
	"time"
)

// Event is one message of a session: numbered and stored where its kind is logged, and on its way
// to sinks.
type Event struct {
	// Seq is the number in the session's log, from 1 without gaps; 0 for an event that is not
	// logged.
	Seq int64
	// Key identifies the event within its session and holds its kind. A log keeps one event for
	// each key.
	Key
	// Acked is, of an audio ack, the byte of the recording up to which audio is acknowledged; else
	// 0.
	Acked int64
	// Body is the exact JSON text. It is never changed and may be kept.
	Body []byte
	// Message is the value of Body, in the process that emitted the event; nil for an event read
	// from a stored log.
	Message Message
	// Emitted is when the event was emitted; zero for an event read from a stored log.
	Emitted time.Time
}

// Type is the type of the event's message on the wire.
func (e *Event) Type() string {
	switch e.Message.(type) {
	case AudioAck, *AudioAck:
		return typeAudioChunk
	case StopAck:
		return typeStopRecording
	}
	return e.Key.Type()
}

// Key identifies an event within its session. Keys are comparable. A log stores the text of
// [Key.String].
type Key struct {
	Kind Kind
	// Subject is the id of the utterance that the event is about, for [KindPreProcessing] the
	// channel and the tick of the report, for [KindAddonFinal] the id, a slash and the name of the
	// add-on, and for [KindAddonSession] that name. It is empty where the event is about the whole
	// session.
	Subject string
	// Language is the target language of a translation, else empty.
	Language string
}

// Type is the type on the wire of the message with the key. A failed ack has that of the message
// that it answers, which its key does not tell: here it is "failed_ack".
func (k Key) Type() string {
	switch k.Kind {
	case KindAddonFinal:
		_, addon, _ := strings.Cut(k.Subject, "/")
		return addon
	case KindAddonSession:
		return PostPrefix + k.Subject
	}
	return k.Kind.String()
}

// sessionSubject stands in the text of a key for an error of the whole session.
const sessionSubject = "session"

// String is the text of the key in a log: the group of the kind, then subject and language,
// separated by slashes.
func (k Key) String() string {
	switch {
	case k.Language != "":
		return k.group() + "/" + k.Subject + "/" + k.Language
	case k.Subject != "":
		return k.group() + "/" + k.Subject
	case k.Kind == KindError:
		return k.group() + "/" + sessionSubject
	}
	return k.group()
}

// group is the first part of the text. Partials and finals have the same type on the wire and
// different groups.
func (k Key) group() string {
	switch k.Kind {
	case 0:
		return ""
	case KindPartial:
		return "partial"
	case KindFinal:
		return "final"
	}
	return k.Kind.String()
}

// ParseKey reads the text of a stored key of the kind.
func ParseKey(k Kind, text string) Key {
	_, subject, _ := strings.Cut(text, "/")
	key := Key{Kind: k, Subject: subject}
	switch {
	case k == KindTranslation:
		key.Subject, key.Language, _ = strings.Cut(subject, "/")
	case k == KindError && subject == sessionSubject:
		key.Subject = ""
	}
	return key
}
