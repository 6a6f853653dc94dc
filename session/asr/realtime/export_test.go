package realtime

import "strings"

// Heard is what messages were made into.
type Heard struct {
	Text     string
	Items    int
	Finished bool
	Err      error
}

// HearForTest has an utterance that was ended receive messages, in each variant.
func HearForTest(messages ...string) map[string]Heard {
	all := map[string]Heard{}
	for name, v := range variants {
		t := &turn{stream: &stream{}, conn: &conn{variant: v}, ended: true}
		t.items.ended = true
		var err error
		for _, m := range messages {
			if e, ok := parse([]byte(m)); ok && err == nil {
				detect(e.session)
				err = t.receive(e)
			}
		}
		all[name] = Heard{t.items.text(), len(t.items.all), t.items.finished(v), err}
	}
	return all
}

// EventForTest describes a message.
func EventForTest(text string) string {
	e, ok := parse([]byte(text))
	if !ok {
		return "none"
	}
	kind := map[kind]string{other: "other", delta: "delta", completed: "completed", errored: "errored"}[e.kind]
	return strings.TrimRight(strings.Join([]string{kind, e.text + e.code, e.param}, " "), " ")
}
