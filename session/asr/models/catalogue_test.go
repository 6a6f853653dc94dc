package models

import (
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"

	"steno/session/asr/riva/wire"
)

// The catalogue holds together: what of it can be checked without a network.
func TestCatalogue(t *testing.T) {
	seen, addresses := map[string]bool{}, map[string]bool{}
	rate := regexp.MustCompile(`^(CER )?\d+\.\d+ % .+ \([A-Za-z.\- ]+\)$`)
	for _, e := range Catalogue() {
		if checkName(e.Name) != nil || seen[e.Name] || addresses[e.Address] {
			t.Errorf("%q: the name is bad, or it is there twice", e.Name)
		}
		seen[e.Name], addresses[e.Address] = true, true
		u, err := url.Parse(e.Address)
		if err != nil || u.Scheme != "https" || u.Host != "github.com" || !strings.HasPrefix(u.Path,
			"/k2-fsa/sherpa-onnx/releases/download/") {
			t.Errorf("%s: address %s", e.Name, e.Address)
		}
		if e.SHA256 != "" && !isSHA256(e.SHA256) || e.Size < 0 {
			t.Errorf("%s: checksum %q, %d bytes", e.Name, e.SHA256, e.Size)
		}
		if e.WER != "" && !rate.MatchString(e.WER) {
			t.Errorf("%s: error rate %q has no figure, no test set or no source", e.Name, e.WER)
		}
		checkUses(t, e)
		checkPins(t, e)
		for i, code := range e.Languages {
			if wire.Tag(code) == "" || slices.Contains(e.Languages[:i], code) {
				t.Errorf("%s: language %q is not of the API, or there twice", e.Name, code)
			}
		}
	}
}

// checkPins looks at the files and the wheel that an entry names.
func checkPins(t *testing.T, e Entry) {
	t.Helper()
	for _, f := range e.Pinned {
		if err := f.check(); err != nil || f.Size == 0 || strings.Contains(f.Name, "/") {
			t.Errorf("%s: %+v: %v", e.Name, f, err)
		}
	}
	if w := e.Wheel; w != nil {
		for _, text := range []string{w.Package, w.Version, w.Platform, w.Python, w.Folder, w.Licence} {
			if text == "" {
				t.Errorf("%s: %+v", e.Name, *w)
			}
		}
		if !isSHA256(w.SHA256) || len(e.Pinned) == 0 {
			t.Errorf("%s: a wheel without its checksum, or those of its files", e.Name)
		}
	}
}

// checkUses compares what a model is for with its kind.
func checkUses(t *testing.T, e Entry) {
	t.Helper()
	var want []Use
	switch kind := string(e.Kind); {
	case e.Kind == Punctuation || e.Kind == OnlinePunctuation:
		want = []Use{Marks}
	case e.Kind == Segmentation || e.Kind == Embedding:
		want = []Use{Speakers}
	case e.Kind == Denoiser:
		want = []Use{Denoising}
	case e.Kind == Moonshine:
		want = []Use{Partials, Finals}
	case strings.HasPrefix(kind, "online-"):
		want = []Use{Partials, Finals}
	case strings.HasPrefix(kind, "offline-"):
		want = []Use{Finals, Identification}
	}
	if len(e.For) == 0 || !slices.Contains(want, e.For[0]) || slices.ContainsFunc(e.For,
		func(u Use) bool { return !slices.Contains(want, u) }) {
		t.Errorf("%s: a model of kind %q is for %v", e.Name, e.Kind, e.For)
	}
	recognizes := e.For[0] == Partials || e.For[0] == Finals
	if recognizes && len(e.Languages) == 0 {
		t.Errorf("%s: no languages", e.Name)
	}
}

// Catalogue returns a copy of its own to each caller.
func TestCatalogueIsTheCallers(t *testing.T) {
	a := Catalogue()
	a[0].Languages[0], a[0].For[0], a[0].Name = "xx", "x", "x"
	if b := Catalogue(); b[0].Languages[0] == "xx" || b[0].For[0] == "x" || b[0].Name == "x" {
		t.Error("it does")
	}
}

// All languages of the API have a recommendation, and none that is not among them.
func TestRecommend(t *testing.T) {
	for _, code := range whisperLanguages() {
		chosen, ok := Recommend(code)
		if !ok || !slices.Contains(chosen[0].For, Finals) || len(chosen) > 2 {
			t.Errorf("%s: %+v", code, chosen)
		}
		for _, e := range chosen {
			if !slices.Contains(e.Languages, code) {
				t.Errorf("%s: %s does not speak it", code, e.Name)
			}
		}
		if len(chosen) != len(recommended(code)) {
			t.Errorf("%s: not all of %v are in the catalogue", code, recommended(code))
		}
		if len(chosen) == 2 && !slices.Contains(chosen[1].For, Partials) {
			t.Errorf("%s: %s gives no partials", code, chosen[1].Name)
		}
	}
	for _, code := range []string{"", "xx", "EN"} {
		if chosen, ok := Recommend(code); ok || len(chosen) > 0 {
			t.Errorf("%q: %+v", code, chosen)
		}
	}
}

func TestHint(t *testing.T) {
	for name, c := range map[string]struct {
		environ  []string
		language string
	}{
		"nothing":               {nil, "en"},
		"LANG":                  {[]string{"LANG=de_DE.UTF-8"}, "de"},
		"LC_MESSAGES over LANG": {[]string{"LANG=de_DE.UTF-8", "LC_MESSAGES=fr_FR"}, "fr"},
		"LC_ALL over all":       {[]string{"LC_MESSAGES=fr_FR", "LC_ALL=es_ES@euro", "LANG=de"}, "es"},
		"empty ones do not":     {[]string{"LC_ALL=", "LANG=de_DE"}, "de"},
		"C":                     {[]string{"LC_ALL=C", "LANG=de_DE"}, "en"},
		"C.UTF-8":               {[]string{"LANG=C.UTF-8"}, "en"},
		"POSIX":                 {[]string{"LANG=POSIX"}, "en"},
		"Bokmål":                {[]string{"LANG=nb_NO.UTF-8"}, "no"},
		"Filipino":              {[]string{"LANG=fil_PH.UTF-8"}, "tl"},
		"nothing for it":        {[]string{"LANG=tlh_KX"}, "en"},
		"the last one counts":   {[]string{"LANG=de_DE", "LANG=ru_RU"}, "ru"},
	} {
		t.Run(name, func(t *testing.T) {
			got := Hint(c.environ, nil)
			chosen, _ := Recommend(c.language)
			command, name := "--language "+c.language, chosen[0].Name
			if c.language == "en" {
				command, name = First, First
			}
			if !strings.HasSuffix(got, "steno models pull "+command) || !strings.Contains(got, name) {
				t.Errorf("got %q", got)
			}
			if lines := strings.Count(got, "\n"); lines != 1 {
				t.Errorf("%d line breaks", lines)
			}
		})
	}
	// one size is not published
	if got := Hint([]string{"LANG=ko_KR"}, nil); !strings.Contains(got, "more than 163 MB") {
		t.Errorf("got %q", got)
	}
	for installed, silent := range map[string]bool{First: true, "kroko-de": true, "own": true, "gtcrn": false,
		"punctuation-en": false} {
		if got := Hint(nil, []string{installed}); (got == "") != silent {
			t.Errorf("with %s: %q", installed, got)
		}
	}
}
