package messages

import (
	"strconv"
)

// appendType ends a message without data.
func appendType(b []byte, k Kind) []byte {
	b = append(b, `,"type":"`...)
	b = append(b, k.String()...)
	return append(b, `"}`...)
}

// appendHead writes the type and opens the data.
func appendHead(b []byte, kind string) []byte {
	b = append(b, `,"type":"`...)
	b = append(b, kind...)
	return append(b, `","data":`...)
}

// appendAddonHead writes error and type and opens the data. Where ok is false the message is
// complete, its data null.
func appendAddonHead(b []byte, kind string, failed *AddonError) (_ []byte, ok bool) {
	b = append(b, `,"error":`...)
	if failed == nil {
		b = append(b, "null"...)
		return appendHead(b, kind), true
	}
	b = failed.append(b)
	return append(appendHead(b, kind), "null}"...), false
}

func (e *AddonError) append(b []byte) []byte {
	b = append(b, `{"status_code":`...)
	b = strconv.AppendInt(b, int64(e.StatusCode), 10)
	b = append(b, `,"exception":`...)
	b = AppendString(b, e.Exception)
	b = append(b, `,"message":`...)
	b = AppendString(b, e.Message)
	return append(b, '}')
}

// appendJSON writes what encoding/json makes of v, null where it can make nothing of it: a number
// that is none.
func appendJSON(b []byte, v any) []byte {
	text, err := marshal(v)
	if err != nil {
		return append(b, "null"...)
	}
	return append(b, text...)
}

func appendRefusal(b []byte, kind, why string) []byte {
	b = append(b, `,"acknowledged":false,"error":{"message":`...)
	b = AppendString(b, why)
	b = append(b, `},"type":"`...)
	b = append(b, kind...)
	return append(b, `","data":null}`...)
}

func (m AudioAck) appendTo(b []byte) []byte {
	if m.Refused != "" {
		return appendRefusal(b, typeAudioChunk, m.Refused)
	}
	b = append(b, `,"acknowledged":true,"error":null,"type":"`+typeAudioChunk+`","data":{"byte_range":[`...)
	b = strconv.AppendInt(b, m.ByteRange[0], 10)
	b = append(b, ',')
	b = strconv.AppendInt(b, m.ByteRange[1], 10)
	b = append(b, `],"time_range":[`...)
	b = AppendFloat(b, m.TimeRange[0])
	b = append(b, ',')
	b = AppendFloat(b, m.TimeRange[1])
	return append(b, `]}}`...)
}

func (m StopAck) appendTo(b []byte) []byte {
	if m.Refused != "" {
		return appendRefusal(b, typeStopRecording, m.Refused)
	}
	b = append(b, `,"acknowledged":true,"error":null,"type":"`+typeStopRecording+`","data":{`...)
	b = appendField(b, "recording_duration", m.Duration)
	b = append(b, ',')
	b = appendField(b, "recording_left_to_process", m.Left)
	return append(b, `}}`...)
}

func (m StartSession) appendTo(b []byte) []byte   { return appendType(b, m.Kind()) }
func (m StartRecording) appendTo(b []byte) []byte { return appendType(b, m.Kind()) }

func (m EndSession) appendTo(b []byte) []byte {
	b = appendType(b, m.Kind())
	if m.ErrorCode == 0 {
		return b
	}
	b = append(b[:len(b)-1], `,"error_code":`...)
	return append(strconv.AppendInt(b, int64(m.ErrorCode), 10), '}')
}

func (m EndRecording) appendTo(b []byte) []byte {
	b = append(appendHead(b, m.Kind().String()), '{')
	b = appendField(b, "recording_duration", m.Duration)
	return append(b, "}}"...)
}

func (m SpeechStart) appendTo(b []byte) []byte { return appendSpeech(b, m.Kind(), m.Time, m.Channel) }
func (m SpeechEnd) appendTo(b []byte) []byte   { return appendSpeech(b, m.Kind(), m.Time, m.Channel) }

func appendSpeech(b []byte, k Kind, time float64, channel int) []byte {
	b = append(appendHead(b, k.String()), '{')
	b = appendField(b, "time", time)
	b = append(b, `,"channel":`...)
	b = strconv.AppendInt(b, int64(channel), 10)
	return append(b, "}}"...)
}

func (m Transcript) appendTo(b []byte) []byte {
	b = append(appendHead(b, m.Kind().String()), `{"id":`...)
	b = AppendString(b, m.ID)
	b = append(b, `,"is_final":`...)
	b = strconv.AppendBool(b, m.IsFinal)
	b = append(b, `,"utterance":`...)
	b = m.Utterance.append(b)
	return append(b, "}}"...)
}

func (m PreProcessing) appendTo(b []byte) []byte {
	b = append(appendHead(b, m.Kind().String()), `{"channel":`...)
	b = strconv.AppendInt(b, int64(m.Channel), 10)
	b = append(b, ',')
	b = appendField(b, "time", m.Time)
	b = append(b, `,"kind":`...)
	b = AppendString(b, m.Step)
	b = append(b, ',')
	b = appendField(b, "noise_db", m.NoiseDB)
	b = append(b, ',')
	b = appendField(b, "gain_db", m.GainDB)
	return append(b, "}}"...)
}

func (m Failure) appendTo(b []byte) []byte {
	b, _ = appendAddonHead(b, m.Kind().String(), &m.AddonError)
	return b
}

// MarshalJSON writes the same bytes as the messages hold.
func (u Utterance) MarshalJSON() ([]byte, error) { return u.append(nil), nil }

// MarshalJSON writes the same bytes as the messages hold.
func (w Word) MarshalJSON() ([]byte, error) { return w.append(nil), nil }

func (u *Utterance) append(b []byte) []byte {
	b = append(b, '{')
	b = appendField(b, "start", u.Start)
	b = append(b, ',')
	b = appendField(b, "end", u.End)
	b = append(b, ',')
	b = appendField(b, "confidence", u.Confidence)
	b = append(b, `,"channel":`...)
	b = strconv.AppendInt(b, int64(u.Channel), 10)
	b = append(b, `,"words":[`...)
	for i := range u.Words {
		if i > 0 {
			b = append(b, ',')
		}
		b = u.Words[i].append(b)
	}
	b = append(b, `],"text":`...)
	b = AppendString(b, u.Text)
	b = append(b, `,"language":`...)
	b = AppendString(b, u.Language)
	if u.Speaker != nil {
		b = append(b, `,"speaker":`...)
		b = strconv.AppendInt(b, int64(*u.Speaker), 10)
	}
	if u.Engine != "" {
		b = append(b, `,"engine":`...)
		b = AppendString(b, u.Engine)
	}
	return append(b, '}')
}

func (w *Word) append(b []byte) []byte {
	b = append(b, `{"word":`...)
	b = AppendString(b, w.Word)
	b = append(b, ',')
	b = appendField(b, "start", w.Start)
	b = append(b, ',')
	b = appendField(b, "end", w.End)
	b = append(b, ',')
	b = appendField(b, "confidence", w.Confidence)
	return append(b, '}')
}
