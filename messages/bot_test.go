package messages

import (
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"testing"
)

func TestParseBotForm(t *testing.T) {
	languages := func(switching bool, codes ...string) LanguageConfig {
		return LanguageConfig{Languages: append([]string{}, codes...), CodeSwitching: switching}
	}
	for form, want := range map[string]BotRequest{
		"":                       {LanguageConfig: languages(false)},
		"sample_rate=&free=text": {LanguageConfig: languages(false)},
		"sample_rate=48000&enable_code_switching=true":                                                  {SampleRate: 48000, LanguageConfig: languages(true)},
		"sample_rate=4000&enable_code_switching=1&code_switching_languages=en":                          {SampleRate: 4000, LanguageConfig: languages(true, "en")},
		"sample_rate=192000&enable_code_switching=true&code_switching_languages=en,+fr":                 {SampleRate: 192000, LanguageConfig: languages(true, "en", "fr")},
		"enable_code_switching=False&code_switching_languages=en&code_switching_languages=fr":           {LanguageConfig: languages(false), warnings: Warnings{{Field: "code_switching_languages", Message: uncounted}}},
		`enable_code_switching=1&code_switching_languages=["en","fr"]`:                                  {LanguageConfig: languages(true, "en", "fr")},
		`transcription_settings={"a":{"enable_code_switching":true,"code_switching_languages":["EN"]}}`: {LanguageConfig: languages(true, "en")},
		`transcription_settings={"a":{"code_switching_languages":["en"]}}&code_switching_languages=de&language=fr`: {LanguageConfig: languages(false, "fr"), warnings: Warnings{
			{Field: "code_switching_languages", Message: uncounted},
			{Field: "transcription_settings.a.code_switching_languages", Message: uncounted}}},
		`code_switching_languages=[]`: {SampleRate: 0, LanguageConfig: languages(false)},
	} {
		fields, err := url.ParseQuery(form)
		if err != nil {
			t.Fatal(err)
		}
		got, problem := ParseBotForm(fields)
		if problem != nil || fmt.Sprint(*got) != fmt.Sprint(want) {
			t.Errorf("%s: got %+v, %+v, want %+v", form, got, problem, want)
		}
	}
}

func TestParseBotFormFaults(t *testing.T) {
	for form, want := range map[string][]string{
		"sample_rate=3999":          {"sample_rate must not be less than 4000"},
		"sample_rate=192001":        {"sample_rate must not be greater than 192000"},
		"sample_rate=16000.5":       {"sample_rate must be an integer"},
		"sample_rate=NaN":           {"sample_rate must be an integer"},
		"enable_code_switching=yes": {"enable_code_switching must be a boolean"},
		"sample_rate=0&enable_code_switching=2&code_switching_languages=en,,en-": {
			"sample_rate must not be less than 4000", "enable_code_switching must be a boolean",
			"code_switching_languages.1 " + oneLanguage, "code_switching_languages.2 " + oneLanguage},
		"transcription_settings=gladia": {"transcription_settings must be an object"},
		`transcription_settings={"a":1}&sample_rate=x`: {"sample_rate must be an integer",
			"transcription_settings.a must be an object"},
	} {
		fields, err := url.ParseQuery(form)
		if err != nil {
			t.Fatal(err)
		}
		_, problem := ParseBotForm(fields)
		if problem == nil || problem.Status != http.StatusBadRequest || !slices.Equal(problem.ValidationErrors, want) {
			t.Errorf("%s: got %+v, want %q", form, problem, want)
		}
	}
}

func FuzzParseBotForm(f *testing.F) {
	f.Add("16000", "true", `["en"]`)
	f.Add("1e400", "\xff", "en,\xff")
	f.Fuzz(func(t *testing.T, rate, switching, languages string) {
		r, problem := ParseBotForm(map[string][]string{
			"sample_rate": {rate}, "enable_code_switching": {switching}, "code_switching_languages": {languages}})
		if (r == nil) == (problem == nil) {
			t.Fatal("a request, or a problem")
		}
		if problem == nil && r.SampleRate != 0 && (r.SampleRate < 4000 || r.SampleRate > 192000) {
			t.Errorf("%q became %d", rate, r.SampleRate)
		}
	})
}

// uncounted is what is said of languages to switch between, without code switching.
const uncounted = "is not done: it counts with enable_code_switching, or language_config.code_switching"
