package messages

import "strconv"

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
	b = appendString(b, u.Text)
	b = append(b, `,"language":`...)
	b = appendString(b, u.Language)
	if u.Speaker != nil {
		b = append(b, `,"speaker":`...)
		b = strconv.AppendInt(b, int64(*u.Speaker), 10)
	}
	if u.Engine != "" {
		b = append(b, `,"engine":`...)
		b = appendString(b, u.Engine)
	}
	return append(b, '}')
}

func (w *Word) append(b []byte) []byte {
	b = append(b, `{"word":`...)
	b = appendString(b, w.Word)
	b = append(b, ',')
	b = appendField(b, "start", w.Start)
	b = append(b, ',')
	b = appendField(b, "end", w.End)
	b = append(b, ',')
	b = appendField(b, "confidence", w.Confidence)
	return append(b, '}')
}
