package messages

import (
	"math"
	"net/url"
	"strconv"
	"unicode/utf8"
)

// The bounds of what is asked for of one record.
const (
	DefaultPeaks      = 1000
	MaxPeaks          = 4000
	DefaultUtterances = 100
	MaxUtterances     = 500
	MaxSearchChars    = 200
)

// PeaksQuery asks for the peaks of a stretch of a recording.
type PeaksQuery struct {
	From   float64 // seconds; negative: so many before the end
	To     float64 // seconds; 0: the end
	Points int     // at most so many of each channel
}

// ParsePeaksQuery reads the query of a waveform. The Problem lists all faults.
func ParsePeaksQuery(values url.Values) (PeaksQuery, *Problem) {
	p := queryParser{values: values}
	if p.tooMany() {
		return PeaksQuery{}, p.problem()
	}
	q := PeaksQuery{From: p.seconds("from"), To: p.seconds("to"), Points: p.number("points", DefaultPeaks, 1, MaxPeaks)}
	if q.To < 0 || q.To > 0 && q.To <= q.From {
		p.fault("to", "must be greater than from")
	}
	return q, p.problem()
}

// UtterancesQuery asks for utterances of a record.
type UtterancesQuery struct {
	Offset int
	Limit  int
	Text   string // that they must contain, in any case; empty: all
	Words  bool   // each with its words
}

// ParseUtterancesQuery reads the query of a list of utterances. The Problem lists all faults.
func ParseUtterancesQuery(values url.Values) (UtterancesQuery, *Problem) {
	p := queryParser{values: values}
	if p.tooMany() {
		return UtterancesQuery{}, p.problem()
	}
	q := UtterancesQuery{
		Offset: p.number("offset", 0, 0, maxOffset), Limit: p.number("limit", DefaultUtterances, 1, MaxUtterances),
		Text: p.text("text"), Words: true,
	}
	if words := p.boolean("words"); words != nil {
		q.Words = *words
	}
	return q, p.problem()
}

// The forms of a transcript as a file.
const (
	FormatText = "txt"
	FormatSRT  = "srt"
	FormatVTT  = "vtt"
)

// TranscriptQuery asks for a transcript as a file.
type TranscriptQuery struct {
	Format   string
	Language string // of the translation; empty: as it was said
}

// ParseTranscriptQuery reads the query of a transcript as a file. The Problem lists all faults.
func ParseTranscriptQuery(values url.Values) (TranscriptQuery, *Problem) {
	p := queryParser{values: values}
	if p.tooMany() {
		return TranscriptQuery{}, p.problem()
	}
	q := TranscriptQuery{Format: FormatText, Language: LanguageCode(p.single("language"))}
	if chosen := p.several("format", FormatText, FormatSRT, FormatVTT); len(chosen) == 1 {
		q.Format = chosen[0]
	} else if len(chosen) > 1 {
		p.fault("format", "must be given once")
	}
	return q, p.problem()
}

// SearchQuery asks for records by what they are and by what was said.
type SearchQuery struct {
	ListQuery
	Text     string // that the record's words, title or id contain, in any case; empty: any
	Language string // that was spoken; empty: any
}

// ParseSearchQuery reads the query of a search for records. The Problem lists all faults.
func ParseSearchQuery(values url.Values) (SearchQuery, *Problem) {
	list, fault := ParseListQuery(values)
	if fault != nil {
		return SearchQuery{}, fault
	}
	p := queryParser{values: values}
	q := SearchQuery{ListQuery: list, Text: p.text("text"), Language: LanguageCode(p.single("language"))}
	return q, p.problem()
}

// seconds is a time in a recording; 0 where it is missing.
func (p *queryParser) seconds(name string) float64 {
	text := p.single(name)
	if text == "" {
		return 0
	}
	s, err := strconv.ParseFloat(text, 64)
	if err != nil || math.IsNaN(s) || math.Abs(s) > 1e6 {
		p.fault(name, "must be a number of seconds")
		return 0
	}
	return s
}

// text is what is searched for.
func (p *queryParser) text(name string) string {
	text := validUTF8(p.single(name))
	if utf8.RuneCountInString(text) > MaxSearchChars {
		p.fault(name, "must not be longer than "+strconv.Itoa(MaxSearchChars)+" characters")
	}
	return text
}
