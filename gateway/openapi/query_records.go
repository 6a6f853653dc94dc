package openapi

import "reflect"

// Peaks are the parameters of a waveform.
func Peaks() reflect.Type { return reflect.TypeFor[peaksQuery]() }

// UtterancesOf are the parameters of a list of utterances.
func UtterancesOf() reflect.Type { return reflect.TypeFor[utterancesQuery]() }

// TranscriptFile are the parameters of a transcript as a file.
func TranscriptFile() reflect.Type { return reflect.TypeFor[transcriptQuery]() }

// SearchFor are the parameters of a search for records.
func SearchFor() reflect.Type { return reflect.TypeFor[searchQuery]() }

type peaksQuery struct {
	From   float64 `json:"from" default:"0" doc:"Seconds; below 0: so many before the end"`
	To     float64 `json:"to" minimum:"0" doc:"Seconds; without it, or 0: the end"`
	Points int     `json:"points" default:"1000" minimum:"1" maximum:"4000" doc:"At most so many of each channel"`
}

type utterancesQuery struct {
	Offset int    `json:"offset" default:"0" minimum:"0" doc:"Utterances to skip"`
	Limit  int    `json:"limit" default:"100" minimum:"1" maximum:"500" doc:"Utterances on a page"`
	Text   string `json:"text" maxLength:"200" doc:"Only utterances that contain this, in any case"`
	Words  bool   `json:"words" default:"true" doc:"Whether each has its words"`
}

type transcriptQuery struct {
	Format   string `json:"format" default:"txt" enum:"txt,srt,vtt" doc:"Text in paragraphs by speaker, or subtitles: those of the job, or else such as it would have made"`
	Language string `json:"language" doc:"Code of a language of its translations; without it, as it was said"`
}

type searchQuery struct {
	kindQuery
	Text     string `json:"text" maxLength:"200" doc:"What was said, or is part of the title or the id, in any case"`
	Language string `json:"language" doc:"Code of a language that was spoken"`
}

// Erasure are the parameters of the erasure of a subject.
func Erasure() reflect.Type { return reflect.TypeFor[erasureQuery]() }

// Export are the parameters of the export of a subject.
func Export() reflect.Type { return reflect.TypeFor[exportQuery]() }

type subjectQuery struct {
	Metadata map[string]any `json:"custom_metadata" doc:"What it must hold, as for lists; not empty"`
	Account  string         `json:"account" doc:"Whose jobs, for operators; without it the key's own"`
	Offset   int            `json:"offset" default:"0" minimum:"0" doc:"Jobs to skip, newest first"`
}

type erasureQuery struct {
	subjectQuery
	Limit  int  `json:"limit" default:"100" minimum:"1" maximum:"100" doc:"Jobs to look at"`
	Cancel bool `json:"cancel" default:"false" doc:"Whether to end and erase jobs that are not finished as well"`
}

type exportQuery struct {
	subjectQuery
	Limit int `json:"limit" default:"1000" minimum:"1" maximum:"1000" doc:"Jobs in the archive"`
}
