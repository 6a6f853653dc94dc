package messages

import (
	"net/url"
	"slices"
	"strconv"
	"strings"
)

// FlagChoice is the nine flags of messages_config, each of which may be left to a default.
type FlagChoice struct {
	PartialTranscripts *bool `json:"receive_partial_transcripts,omitempty" doc:"transcript, with is_final false"`
	FinalTranscripts   *bool `json:"receive_final_transcripts,omitempty" doc:"transcript, with is_final true"`
	SpeechEvents       *bool `json:"receive_speech_events,omitempty" doc:"speech_start, speech_end"`
	PreProcessing      *bool `json:"receive_pre_processing_events,omitempty" doc:"pre_processing"`
	RealtimeProcessing *bool `json:"receive_realtime_processing_events,omitempty" doc:"translation, named_entity_recognition, sentiment_analysis"`
	PostProcessing     *bool `json:"receive_post_processing_events,omitempty" doc:"post_transcript, post_summarization, post_chapterization, post_final_transcript"`
	Acknowledgments    *bool `json:"receive_acknowledgments,omitempty" doc:"The answers to audio and to stop_recording"`
	Errors             *bool `json:"receive_errors,omitempty" doc:"error and refusals"`
	Lifecycle          *bool `json:"receive_lifecycle_events,omitempty" doc:"start_session, start_recording, end_recording, end_session"`
}

// each calls f for every flag with its name, its choice and the place of its value in flags.
func (c *FlagChoice) each(flags *Flags, f func(name string, choice **bool, value *bool)) {
	f("receive_partial_transcripts", &c.PartialTranscripts, &flags.PartialTranscripts)
	f("receive_final_transcripts", &c.FinalTranscripts, &flags.FinalTranscripts)
	f("receive_speech_events", &c.SpeechEvents, &flags.SpeechEvents)
	f("receive_pre_processing_events", &c.PreProcessing, &flags.PreProcessing)
	f("receive_realtime_processing_events", &c.RealtimeProcessing, &flags.RealtimeProcessing)
	f("receive_post_processing_events", &c.PostProcessing, &flags.PostProcessing)
	f("receive_acknowledgments", &c.Acknowledgments, &flags.Acknowledgments)
	f("receive_errors", &c.Errors, &flags.Errors)
	f("receive_lifecycle_events", &c.Lifecycle, &flags.Lifecycle)
}

// Given reports whether any flag is chosen.
func (c FlagChoice) Given() bool { return c != FlagChoice{} }

// Over returns flags with those that are chosen in their place.
func (c FlagChoice) Over(flags Flags) Flags {
	c.each(&flags, func(_ string, choice **bool, value *bool) {
		if *choice != nil {
			*value = **choice
		}
	})
	return flags
}

// SubscriberFlags are the flags of a subscriber that chooses none, where those of the session are
// not known: the defaults of messages_config without acknowledgments.
func SubscriberFlags() Flags {
	return Flags{
		FinalTranscripts: true, SpeechEvents: true, PreProcessing: true, RealtimeProcessing: true,
		PostProcessing: true, Errors: true,
	}
}

// EventsQuery is the query of a stream of events.
type EventsQuery struct {
	FlagChoice
	From     string   // number of the first event wanted, or the id of the last one received; may be empty
	Numbered bool     // each logged message begins with its number
	Sessions []string // ids of those wanted; nil: all
}

// maxSubscribed bounds the sessions that one stream names.
const maxSubscribed = 100

// ParseEventsQuery reads the query of a stream of events. The Problem lists all faults, with status
// 400.
func ParseEventsQuery(values url.Values) (*EventsQuery, *Problem) {
	p := &queryParser{values: values}
	if p.tooMany() {
		return nil, p.problem()
	}
	s := &EventsQuery{From: p.single("from")}
	s.each(&Flags{}, func(name string, choice **bool, _ *bool) { *choice = p.boolean(name) })
	if numbered := p.boolean("seq"); numbered != nil {
		s.Numbered = *numbered
	}
	for _, id := range p.values["session"] {
		if !slices.Contains(s.Sessions, id) {
			s.Sessions = append(s.Sessions, id)
		}
	}
	if len(s.Sessions) > maxSubscribed {
		p.fault("session", "must not hold more than 100 items")
	}
	if _, _, ok := ParsePositions(s.From); s.From != "" && !ok {
		p.fault("from", "must be a number of an event, or an id as the stream sends them")
	}
	return s, p.problem()
}

// boolean is the value of a switch; nil where it is missing.
func (p *queryParser) boolean(name string) *bool {
	text := p.single(name)
	if text == "" {
		return nil
	}
	on, err := strconv.ParseBool(text)
	if err != nil {
		p.fault(name, "must be a boolean")
		return nil
	}
	return &on
}

// ParsePosition reads the number of an event, or the id of one in a stream of a single log: the
// epoch, a hyphen and the number. epoch is 0 where the text has none.
func ParsePosition(text string) (epoch, seq int64, ok bool) {
	epoch, list, ok := ParsePositions(text)
	if !ok || len(list) != 1 {
		return 0, 0, false
	}
	return epoch, list[0], true
}

// ParsePositions is ParsePosition for the ids in a stream of several logs, which have a number for
// each with dots between.
func ParsePositions(text string) (epoch int64, list []int64, ok bool) {
	if first, second, found := strings.Cut(text, "-"); found {
		var err error
		if epoch, err = strconv.ParseInt(first, 10, 64); err != nil || epoch <= 0 {
			return 0, nil, false
		}
		text = second
	}
	for part := range strings.SplitSeq(text, ".") {
		n, err := strconv.ParseInt(part, 10, 64)
		if err != nil || n < 0 || len(list) == maxSubscribed {
			return 0, nil, false
		}
		list = append(list, n)
	}
	return epoch, list, true
}

// FormatPosition is the id of an event in a stream of one log or of several, which ParsePositions
// reads.
func FormatPosition(epoch int64, positions ...int64) string {
	text := append(strconv.AppendInt(nil, epoch, 10), '-')
	for i, n := range positions {
		if i > 0 {
			text = append(text, '.')
		}
		text = strconv.AppendInt(text, n, 10)
	}
	return string(text)
}
