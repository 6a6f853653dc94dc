package dialect

import (
	"strconv"

	"steno/messages"
)

// Writer writes JSON objects into memory that it keeps. It is for messages that come many times a
// second, which [JSON] would spend most of an encoder's time on. Members are written in the order
// of the calls; elements of lists have no name.
type Writer struct{ text []byte }

// Reset takes back the memory of all that was written. An [Encoder] calls it for each event, until
// the next of which what it emits must be valid.
func (w *Writer) Reset() { w.text = w.text[:0] }

// Object writes an object with the members that fill adds, and returns it. It is valid until Reset.
func (w *Writer) Object(fill func()) []byte {
	from := len(w.text)
	w.text = append(w.text, '{')
	fill()
	w.text = append(w.text, '}')
	return w.text[from:len(w.text):len(w.text)]
}

// name writes what stands before a value.
func (w *Writer) name(name string) {
	if last := w.text[len(w.text)-1]; last != '{' && last != '[' {
		w.text = append(w.text, ',')
	}
	if name != "" {
		w.text = append(w.text, '"')
		w.text = append(w.text, name...)
		w.text = append(w.text, `":`...)
	}
}

// Member writes a member that is an object with the members that fill adds.
func (w *Writer) Member(name string, fill func()) {
	w.name(name)
	w.text = append(w.text, '{')
	fill()
	w.text = append(w.text, '}')
}

// List writes a list with the elements that fill adds.
func (w *Writer) List(name string, fill func()) {
	w.name(name)
	w.text = append(w.text, '[')
	fill()
	w.text = append(w.text, ']')
}

// String writes a text.
func (w *Writer) String(name, value string) {
	w.name(name)
	w.text = messages.AppendString(w.text, value)
}

// Float writes a number; 0 where JSON has none for it.
func (w *Writer) Float(name string, value float64) {
	w.name(name)
	w.text = messages.AppendFloat(w.text, value)
}

// Int writes a whole number.
func (w *Writer) Int(name string, value int) {
	w.name(name)
	w.text = strconv.AppendInt(w.text, int64(value), 10)
}

// Bool writes a truth value.
func (w *Writer) Bool(name string, value bool) {
	w.name(name)
	w.text = strconv.AppendBool(w.text, value)
}
