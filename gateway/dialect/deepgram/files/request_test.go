package files

import (
	"encoding/json"
	"errors"
	"net/url"
	"strings"
	"testing"

	"steno/messages"
)

func TestParse(t *testing.T) {
	values, err := url.ParseQuery("model=nova-3&smart_format=True&diarize=true&multichannel=true&language=multi" +
		"&keywords=snuffleupagus:1.5&keywords=quiet:-3&keyterm=Big+Bird&replace=monika:Monica&redact=pci&redact=ssn" +
		"&encoding=mulaw&sample_rate=8000&callback=https://example.org/x&callback_method=put&search=a&unknown=1" +
		"&detect_language=true")
	if err != nil {
		t.Fatal(err)
	}
	q, err := parse(values)
	if err != nil {
		t.Fatal(err)
	}
	if !q.Punctuate || !q.Paragraphs || !q.Speakers || !q.Multichannel || !q.Detect || q.raw == nil ||
		q.raw.SampleRate != 8000 || q.raw.Channels != 1 || strings.Join(q.ignored, " ") != "search" {
		t.Errorf("read %+v", q)
	}
	job, err := json.Marshal(q.job)
	if err != nil {
		t.Fatal(err)
	}
	for _, part := range []string{`"diarization":true`, `"code_switching":true`,
		`"spelling_dictionary":{"Monica":["monika"]}`,
		`{"value":"snuffleupagus","intensity":0.75},"Big Bird"]`, `"entity_types":["PCI","SSN"]`,
		`"callback_config":{"url":"https://example.org/x","method":"PUT"}`} {
		if !strings.Contains(string(job), part) {
			t.Errorf("%s lacks %s", job, part)
		}
	}
}

// Whatever the query, the job is one that the queue reads back, or the request is refused.
func FuzzParse(f *testing.F) {
	f.Add("model=nova-3&smart_format=true&keywords=a:2&keyterm=b&replace=a:b&redact=pii&language=en-US")
	f.Add("callback=http://x/&callback_method=POST&encoding=linear16&sample_rate=99999999&channels=0")
	f.Fuzz(func(t *testing.T, text string) {
		values, err := url.ParseQuery(text)
		if err != nil {
			return
		}
		q, err := parse(values)
		if err != nil {
			if _, ok := errors.AsType[*messages.Problem](err); !ok {
				t.Errorf("refused with %v", err)
			}
			return
		}
		kept, err := json.Marshal(q.options)
		if err != nil {
			t.Fatal(err)
		}
		if o, err := parseOptions(string(kept)); err != nil || o.Punctuate != q.Punctuate {
			t.Errorf("%s: %+v, %v", kept, o, err)
		}
	})
}
