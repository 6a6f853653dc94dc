package files

import (
	"errors"
	"strings"
	"testing"

	"steno/messages"
)

func TestParse(t *testing.T) {
	q, err := parse(transcribe, map[string][]string{
		"model": {"gpt-4o-transcribe-diarize"}, "language": {"de-AT"}, "prompt": {"Zyntriqix, Digique Plus"},
		"response_format": {"verbose_json"}, "temperature": {"0.2"}, "stream": {"true"}, "include[]": {"logprobs"},
		"timestamp_granularities[]": {"word", "segment"}, "keywords[]": {"EchoNode"}, "unknown": {"x"},
		"chunking_strategy[type]": {"server_vad"},
	})
	if err != nil {
		t.Fatal(err)
	}
	if q.model != "stt-1" || !q.speakers || !q.words || !q.segments || !q.logprobs || !q.stream ||
		q.temperature != 0.2 || len(q.languages) != 1 || q.languages[0] != "de" {
		t.Errorf("read %+v", q)
	}
	job := q.job()
	var terms []string
	for _, e := range job.CustomVocabularyConfig.Vocabulary {
		terms = append(terms, e.Value)
	}
	if got := strings.Join(terms, "|"); got != "EchoNode|Zyntriqix|Digique Plus" || !job.CustomVocabulary ||
		!job.Diarization {
		t.Errorf("terms %s, job %+v", got, job)
	}
	if q, err := parse(transcribe, map[string][]string{"languages": {"en", "french"}}); err != nil ||
		strings.Join(q.languages, " ") != "en fr" || !q.segments || q.words {
		t.Errorf("%+v %v", q, err)
	}
	if job := (request{task: translate, format: "srt"}).job(); !job.Translation || !job.Subtitles ||
		job.SubtitlesConfig.Formats[0] != "srt" {
		t.Errorf("job %+v", job)
	}
}

func TestParseRefuses(t *testing.T) {
	for field, value := range map[string]string{
		"model": "gpt-4", "language": "klingon", "languages[]": "xx", "response_format": "xml", "temperature": "hot",
		"stream": "perhaps", "timestamp_granularities[]": "letter", "include": "everything",
	} {
		_, err := parse(transcribe, map[string][]string{field: {value}})
		if p, ok := errors.AsType[*messages.Problem](err); !ok || p.Status/100 != 4 {
			t.Errorf("%s=%s: %v", field, value, err)
		}
	}
	if _, err := parse(translate, map[string][]string{"response_format": {"diarized_json"}}); err == nil {
		t.Error("translations tell speakers apart")
	}
}

// Whatever a form has, its job is one that the queue reads back.
func FuzzParse(f *testing.F) {
	f.Add("whisper-1", "en", "A prompt. With Names, and more.", "srt", "0.5", "word", true)
	f.Add("stt-3", "german", "a,b,c", "json", "NaN", "segment", false)
	f.Fuzz(func(t *testing.T, model, language, prompt, format, temperature, granularity string, english bool) {
		what := transcribe
		if english {
			what = translate
		}
		q, err := parse(what, map[string][]string{"model": {model}, "language": {language}, "prompt": {prompt},
			"response_format": {format}, "temperature": {temperature}, "timestamp_granularities[]": {granularity},
			"keywords": {prompt, model}})
		if err != nil {
			if _, ok := errors.AsType[*messages.Problem](err); !ok {
				t.Errorf("refused with %v", err)
			}
			return
		}
		job := q.job()
		job.AudioURL = "http://localhost/file/x"
		text, err := job.MarshalJSON()
		if err != nil {
			t.Fatal(err)
		}
		if _, fault := messages.ParsePreRecorded(text); fault != nil && !strings.Contains(fault.Message, "stt-3") {
			t.Errorf("%s: %v %v", text, fault, fault.ValidationErrors)
		}
	})
}

// Deltas joined are the whole, whatever its sentences are.
func TestSettled(t *testing.T) {
	for want, finals := range map[string][]string{
		"And so my fellow Americans ask not. What?": {" And so my fellow Americans.", " ask not.", "What?"},
		"One. Two...three.":                         {"One.", "", " Two...", "three."},
		"一。二":                                       {"一。", "二"},
	} {
		var s settled
		got := ""
		for _, f := range finals {
			got += s.add(f)
		}
		if got += s.stop; strings.ReplaceAll(got, "... ", "...") != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
