// Package deepgram is what the dialects of Deepgram's interface share: models, parameters of the
// query, words and errors. What clients do with files is package files.
package deepgram

import (
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"steno/gateway/dialect"
	"steno/gateway/web"
	"steno/messages"
)

// Name is that of the dialect.
const Name = "deepgram"

// DefaultModel is the model that stands for those of Deepgram's.
var DefaultModel = dialect.Models[0]

// families are what the names of Deepgram's models begin with.
var families = []string{"nova", "enhanced", "base", "whisper", "flux", "general", "meeting", "phonecall",
	"conversationalai"}

// Model returns the model of this server that a name stands for. A name that is none is a problem,
// 400.
func Model(name string) (string, error) {
	switch {
	case name == "":
		return DefaultModel, nil
	case slices.Contains(dialect.Models, name):
		return name, nil
	case slices.ContainsFunc(families, func(f string) bool { return strings.HasPrefix(strings.ToLower(name), f) }):
		return DefaultModel, nil
	}
	return "", web.Problem(http.StatusBadRequest, fmt.Sprintf("no such model: %q; there are %s, and those of Deepgram "+
		"stand for %s", web.Shorten(name), strings.Join(dialect.Models, ", "), DefaultModel))
}

// Query is the query of a request. Parameters that are not known are ignored.
type Query struct {
	url.Values
	fault error // the first
}

// Bool returns a switch, false where it is missing.
func (q *Query) Bool(name string) bool {
	text := q.Get(name)
	if text == "" {
		return false
	}
	on, err := strconv.ParseBool(strings.ToLower(text))
	if err != nil {
		q.Refuse(name, "must be true or false")
	}
	return on
}

// Int returns a number, 0 where it is missing.
func (q *Query) Int(name string, least, most int) int {
	text := q.Get(name)
	if text == "" {
		return 0
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < least || n > most {
		q.Refuse(name, fmt.Sprintf("must be a number from %d to %d", least, most))
	}
	return n
}

// Refuse notes that a parameter cannot be used.
func (q *Query) Refuse(name, why string) {
	if q.fault == nil {
		q.fault = web.Problem(http.StatusBadRequest, "parameter "+name+" "+why)
	}
}

// Fault returns the first problem; nil: there is none.
func (q *Query) Fault() error { return q.fault }

// Languages returns the languages that a request names. None: they are open. switching is set where
// they may change within the speech.
func (q *Query) Languages() (list messages.List[string], switching bool) {
	given := slices.Concat(q.Values["language"], q.Values["language_hint"])
	for _, name := range q.Values["detect_language"] {
		if _, err := strconv.ParseBool(strings.ToLower(name)); err != nil {
			given = append(given, name)
		}
	}
	for _, name := range given {
		if name == "" || name == "multi" {
			switching = switching || name == "multi"
			continue
		}
		var known bool
		if list, known = dialect.AddLanguage(list, name); !known {
			q.Refuse("language", fmt.Sprintf("names the language %q, which is not known", web.Shorten(name)))
		}
	}
	return list, switching
}

const (
	maxTerms = 500 // of keywords and keyterms
	maxTerm  = 500 // bytes of one
)

// Vocabulary returns the terms of keywords, each perhaps with a boost after a colon, and keyterms;
// nil: there are none. One whose boost is not above 0 is left out: nothing can be made less likely.
func (q *Query) Vocabulary() *messages.CustomVocabularyConfig {
	var list []messages.VocabularyEntry
	for _, keyword := range q.Values["keywords"] {
		term, boost := keyword, 1.0
		if at := strings.LastIndexByte(keyword, ':'); at >= 0 {
			n, err := strconv.ParseFloat(keyword[at+1:], 64)
			if err == nil {
				term, boost = keyword[:at], n
			}
		}
		if strength := min(1, messages.DefaultIntensity*boost); strength > 0 {
			list = q.addTerm(list, "keywords", term, &strength)
		}
	}
	for _, term := range q.Values["keyterm"] {
		list = q.addTerm(list, "keyterm", term, nil)
	}
	if len(list) == 0 {
		return nil
	}
	usual := messages.DefaultIntensity
	return &messages.CustomVocabularyConfig{Vocabulary: list, DefaultIntensity: &usual}
}

func (q *Query) addTerm(list []messages.VocabularyEntry, name, term string,
	strength *float64) []messages.VocabularyEntry {
	term = strings.TrimSpace(strings.ToValidUTF8(term, ""))
	switch {
	case len(term) > maxTerm:
		q.Refuse(name, fmt.Sprintf("must not be longer than %d bytes", maxTerm))
	case len(list) >= maxTerms:
		q.Refuse(name, fmt.Sprintf("must not be given more than %d times", maxTerms))
	case term != "":
		return append(list, messages.VocabularyEntry{Value: term, Intensity: strength})
	}
	return list
}

// Spelling returns what the parameters replace ask for; nil: nothing.
func (q *Query) Spelling() *messages.CustomSpellingConfig {
	dictionary := map[string][]string{}
	for _, pair := range q.Values["replace"] {
		said, written, ok := strings.Cut(strings.ToValidUTF8(pair, ""), ":")
		said, written = strings.TrimSpace(said), strings.TrimSpace(written)
		if !ok || said == "" || written == "" || len(pair) > maxTerm || len(dictionary) >= maxTerms ||
			len(dictionary[written]) >= 100 {
			q.Refuse("replace", "must be what is said and what is written, with a colon between them")
			continue
		}
		dictionary[written] = append(dictionary[written], said)
	}
	if len(dictionary) == 0 {
		return nil
	}
	return &messages.CustomSpellingConfig{SpellingDictionary: dictionary}
}

// groups are the kinds of what redact hides by the names that Deepgram has for them.
var groups = map[string]string{"pci": "PCI", "numbers": "NUMERICAL_EXCL_PCI", "pii": "GDPR", "phi": "HIPAA_SAFE_HARBOR",
	"true": "GDPR"}

// Redacted returns the kinds of what is to be hidden; none: nothing is. Names of kinds are taken as
// they are, in small letters too.
func (q *Query) Redacted() (kinds messages.List[string]) {
	for _, name := range q.Values["redact"] {
		kind, ok := groups[strings.ToLower(name)]
		if !ok {
			kind = strings.ToUpper(name)
		}
		if name != "" && name != "false" && !slices.Contains(kinds, kind) {
			kinds = append(kinds, kind)
		}
	}
	return kinds
}

// Word is a word as clients read it.
type Word struct {
	Word       string  `json:"word"` // in small letters, without marks
	Start      float64 `json:"start"`
	End        float64 `json:"end"`
	Confidence float64 `json:"confidence"`
	Punctuated string  `json:"punctuated_word,omitempty"`
	Speaker    *int    `json:"speaker,omitempty"`
}

// WordOf returns a word. punctuated: it is also shown as it is written.
func WordOf(w messages.Word, punctuated bool) Word {
	text := strings.TrimSpace(w.Word)
	own := Word{Word: dialect.Bare(text), Start: w.Start, End: w.End, Confidence: w.Confidence}
	if punctuated {
		own.Punctuated = text
	}
	return own
}

// Write writes the word as an element of a list.
func (w *Word) Write(to *dialect.Writer) {
	to.Member("", func() {
		to.String("word", w.Word)
		to.Float("start", w.Start)
		to.Float("end", w.End)
		to.Float("confidence", w.Confidence)
		if w.Punctuated != "" {
			to.String("punctuated_word", w.Punctuated)
		}
		if w.Speaker != nil {
			to.Int("speaker", *w.Speaker)
		}
	})
}

// Refusal is the body of an answer that refuses a request.
type Refusal struct {
	Code    string `json:"err_code"`
	Message string `json:"err_msg"`
	ID      string `json:"request_id"`
}

// Refuse answers with a problem. Statuses that make clients try again are kept for what may succeed
// then: a file that cannot be fetched, or a task that nothing does here, is the client's fault.
func Refuse(w http.ResponseWriter, r *http.Request, p *messages.Problem) {
	status, code := p.Status, strings.ToUpper(strings.ReplaceAll(http.StatusText(p.Status), " ", "_"))
	switch status {
	case http.StatusUnauthorized:
		code = "INVALID_AUTH"
	case http.StatusForbidden:
		code = "INSUFFICIENT_PERMISSIONS"
	case http.StatusBadGateway, http.StatusGatewayTimeout:
		status, code = http.StatusBadRequest, "REMOTE_CONTENT_ERROR"
	case http.StatusNotImplemented:
		status = http.StatusBadRequest
	}
	web.WriteJSON(w, status, Refusal{code, p.Text(), web.RequestID(r)})
}
