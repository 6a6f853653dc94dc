package messages

import "testing"

func TestWithoutChapters(t *testing.T) {
	for in, want := range map[string]string{
		`{"type":"x","data":{"metadata":{"a":1},"chapterization":{"results":[{"chapterization":"} ,"}]},"translation":null}}`: `{"type":"x","data":{"metadata":{"a":1},"translation":null}}`,
		`{"type":"x","data":{"metadata":{"chapterization":1},"chapterization":null}}`:                                         `{"type":"x","data":{"metadata":{"chapterization":1}}}`,
		`{"type":"x","data":{"chapterization":[1,2],"metadata":{}}}`:                                                          `{"type":"x","data":{"metadata":{}}}`,
		`{"type":"x","data":{"chapterization":{}}}`:                                                                           `{"type":"x","data":{}}`,
		`{"type":"x","data":{"metadata":{}}}`:                                                                                 `{"type":"x","data":{"metadata":{}}}`,
		`{"type":"x"}`:                                                                                                        `{"type":"x"}`,
		`{"data":[1]}`:                                                                                                        `{"data":[1]}`,
		`{"data":{"chapte`:                                                                                                    `{"data":{"chapte`,
		`{"data":null}`:                                                                                                       `{"data":null}`,
		`{"data":{},"b":1}`:                                                                                                   `{"data":{},"b":1}`,
	} {
		message := []byte(in)
		if got := string(WithoutChapters(message)); got != want || string(message) != in {
			t.Errorf("%s:\ngot  %s\nwant %s", in, got, want)
		}
	}
}
