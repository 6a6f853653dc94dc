package sherpa

import (
	"slices"
	"strings"
	"testing"

	"steno/session/asr"
	"steno/session/asr/sherpa/folder"
)

// These are never asked anything.
type (
	anyOnline  struct{ online }
	anyOffline struct{ offline }
)

// shelf makes models of lines such as "name stream en fr", "name whole en" or "name detect en fr".
func shelf(lines ...string) []*model {
	var models []*model
	for _, line := range lines {
		f := strings.Fields(line)
		m := &model{name: f[0], spec: folder.Model{Languages: f[2:]}}
		m.spec.Can.Detect = f[1] == "detect"
		if f[1] == "stream" {
			m.online = anyOnline{}
		} else {
			m.offline = anyOffline{}
		}
		models = append(models, m)
	}
	return models
}

func TestPrefer(t *testing.T) {
	models := shelf("many whole en fr de", "small whole en", "large whole en", "b whole en", "a whole en")
	for i, bytes := range []int64{9000, 100, 200, 50, 50} {
		models[i].bytes = bytes
	}
	for named, want := range map[string]string{"": "large small a b many",
		"b many a large small": "b many a large small"} {
		r := &Recognizer{config: Config{Models: strings.Fields(named)}}
		var got []string
		for _, m := range slices.SortedFunc(slices.Values(models), r.prefer) {
			got = append(got, m.name)
		}
		if strings.Join(got, " ") != want {
			t.Errorf("named %q: %q, want %s", named, got, want)
		}
	}
}

func TestChoose(t *testing.T) {
	const stream, whole, french, both, detect = "s stream en", "w whole en", "f whole fr", "b stream en fr",
		"d detect en fr de"
	for _, test := range []struct {
		models []string
		params asr.Params
		want   string // partials, final, language; "-" for none
	}{
		{[]string{stream, whole}, asr.Params{Language: "en"}, "s w en"},
		{[]string{stream, whole}, asr.Params{}, "s w en"},
		{[]string{stream}, asr.Params{Language: "en"}, "s s en"},
		{[]string{whole}, asr.Params{Language: "en"}, "- w en"},
		{[]string{french, whole, "w2 whole en"}, asr.Params{Language: "en"}, "- w en"},
		{[]string{stream, whole}, asr.Params{Language: "fr"}, "none"},
		{nil, asr.Params{}, "none"},
		{[]string{french, whole}, asr.Params{}, "- f fr"},
		{[]string{french, whole}, asr.Params{Languages: []string{"de", "en", "fr"}}, "- w en"},
		{[]string{french, whole}, asr.Params{Languages: []string{"de"}}, "none"},
		{[]string{french, whole}, asr.Params{Languages: []string{"de", "es"}}, "none"},
		{[]string{stream, whole, detect}, asr.Params{Languages: []string{"en", "fr"}}, "- d -"},
		{[]string{both, whole, detect}, asr.Params{Languages: []string{"en", "fr"}}, "b d -"},
		{[]string{both, whole, detect}, asr.Params{}, "- d -"},
		{[]string{stream, whole, detect}, asr.Params{Languages: []string{"en"}}, "s w en"},
		{[]string{stream, whole, detect}, asr.Params{Languages: []string{"es", "en"}}, "- d -"},
		{[]string{whole, detect}, asr.Params{Language: "fr"}, "- d fr"},
	} {
		got := "none"
		if c, ok := choose(shelf(test.models...), test.params); ok {
			name := func(m *model) string {
				if m == nil {
					return "-"
				}
				return m.name
			}
			language := c.language
			if language == "" {
				language = "-"
			}
			got = name(c.partials) + " " + name(c.final) + " " + language
		}
		if got != test.want {
			t.Errorf("%q, %+v: %s, want %s", test.models, test.params, got, test.want)
		}
	}
}

// The model hears Chinese, whatever it is.
func TestLanguageOfResults(t *testing.T) {
	m := shelf("d detect en zh fr")[0]
	for _, test := range []struct {
		params asr.Params
		want   string
	}{
		{asr.Params{}, "zh"},
		{asr.Params{Language: "fr"}, "fr"},
		{asr.Params{Languages: []string{"en", "zh"}}, "zh"},
		{asr.Params{Languages: []string{"de", "fr", "en"}}, "fr"},
	} {
		if got := (decoder{m}).Result(test.params, []any{outcome{language: "zh"}}); got.Language != test.want {
			t.Errorf("%+v: %q, want %s", test.params, got.Language, test.want)
		}
	}
}
