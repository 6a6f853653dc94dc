package gateway

import (
	"time"

	"steno/gateway/activity"
	"steno/gateway/callbacks"
	"steno/gateway/openapi"
	"steno/gateway/overview"
	"steno/gateway/transcripts"
	"steno/gateway/waveform"
	"steno/messages"
	"steno/session/store"
)

// The functions below return the answers that the descriptions show of the operations in
// recordTable. They are about the job and the session of the other examples.

func exampleSearch() transcripts.FoundRecords {
	ended, seconds := exampleAfter(2*time.Second), 1.5
	return transcripts.FoundRecords{Items: messages.List[transcripts.FoundRecord]{{
		ID: openapi.ExampleID(), Kind: messages.JobLive, Status: messages.StatusDone, CreatedAt: openapi.ExampleTime(),
		CompletedAt: &ended,
		Title:       "Greeting", FirstWords: "Hello Ada", Seconds: &seconds, Channels: 1,
		Languages: messages.List[string]{"en"}, Encoding: "wav/pcm",
		Callbacks: &transcripts.CallbackCounts{GivenUp: 1}, Places: &transcripts.TextPlaces{Count: 1, Start: 0.21,
			Text: "Hello Ada"},
	}}}
}

func exampleSessions() overview.RunningSessions {
	level, delay := 0.322, 0.094
	return overview.RunningSessions{Items: messages.List[overview.RunningSession]{{
		ID: openapi.ExampleID(), Title: "Greeting", Key: "captions", CreatedAt: openapi.ExampleTime(), Seconds: 12.4,
		State: activity.StateConnected, Speaking: true,
		Level: &level, Final: "Hello Ada", Partial: "how are", Delay: &delay, Sockets: 1,
		Languages: messages.List[string]{"en"},
		Format:    overview.Format{Encoding: "wav/pcm", BitDepth: 16, SampleRate: 16000, Channels: 1, Model: "stt-1"},
	}}}
}

func exampleDelays() overview.SessionDelays {
	sent := 0.0021
	return overview.SessionDelays{Here: true, Items: messages.List[overview.FinalDelay]{{
		Utterance: "00_00000000", Ended: exampleAfter(time.Second), Received: 0.0008, Endpointed: 0.0411,
		Queued: 0.0003, Decoded: 0.0874, Sent: &sent,
	}}}
}

func exampleCapacity() overview.Capacity {
	capacity, room := 8.2, 5.2
	return overview.Capacity{
		Speaking: new(2.0), Held: new(1.0), Room: &room, Sessions: &overview.SessionCount{Here: 4, Elsewhere: 3},
		Engines: messages.List[overview.EngineRoom]{{
			Name: "sphinx", Capacity: &capacity, Room: &room, Degraded: "nothing", Load: 0.25, FinalWait: 0.012,
			FinalCost: 0.146,
		}},
		Refused: messages.List[overview.Refusal]{{
			At: openapi.ExampleTime(), Status: 503, Message: "no capacity for another session", RetryAfter: 12,
			Key: "captions",
		}},
	}
}

// exampleOutline returns the outline of a job of the examples.
func exampleOutline(job any) transcripts.Outline {
	facts := transcripts.JobFacts{Job: job.(messages.Job)}
	facts.Result = nil
	summary := "Somebody greets Ada."
	return transcripts.Outline{
		Job: facts, Title: "Greeting", Languages: messages.List[string]{"en"},
		Times: transcripts.Times{
			Start: messages.List[float64]{0.21}, End: messages.List[float64]{0.9}, Channel: messages.List[int]{0},
			Speaker: messages.List[int]{-1}, Characters: messages.List[int]{9},
		},
		Summary:         &summary,
		Entities:        messages.List[transcripts.PlacedEntity]{{Entity: exampleEntity()}},
		Sentiments:      messages.List[transcripts.PlacedSentiment]{exampleSentiment()},
		SentimentCounts: map[string]int{"positive": 1},
	}
}

func exampleUtterances() transcripts.UtterancePage {
	return transcripts.UtterancePage{Total: 1, Items: messages.List[transcripts.FullUtterance]{{
		Utterance: openapi.ExampleUtterance(), Entities: messages.List[messages.Entity]{exampleEntity()},
		Sentiments:   messages.List[transcripts.PlacedSentiment]{exampleSentiment()},
		Translations: map[string]string{"fr": "Bonjour Ada"},
	}}}
}

func exampleEntity() messages.Entity {
	return messages.Entity{EntityType: "NAME_GIVEN", Text: "Ada", Start: 0.5, End: 0.9}
}

func exampleSentiment() transcripts.PlacedSentiment {
	return transcripts.PlacedSentiment{Sentiment: "positive", Emotion: "joy", Start: 0.21}
}

// The transcript of the examples as a file, in each format.
const (
	exampleText      = "Channel 1, 0:00\nHello Ada\n"
	exampleSubRip    = "1\n00:00:00,210 --> 00:00:00,900\nHello Ada\n"
	exampleVideoText = "WEBVTT\n\n00:00:00.210 --> 00:00:00.900\nHello Ada\n"
)

func examplePeaks() waveform.Peaks {
	return waveform.Peaks{
		Version: 2, Channels: 1, SampleRate: 16000, SamplesPerPixel: 4800, Bits: 8, Length: 5,
		Data: messages.List[int8]{-2, 2, -61, 58, -48, 52, -3, 3, -1, 1}, Duration: 1.5,
	}
}

func exampleCallbacks() callbacks.DeliveryList {
	first := exampleAfter(time.Second)
	return callbacks.DeliveryList{Items: messages.List[callbacks.LoggedDelivery]{{
		ID: "msg_FDISEXHYU3UD7ER567PETAA7FT", Event: "live.end_session", Number: 7, State: store.DeliveryDead,
		Method: "POST",
		URL:    "https://example.com/transcripts", CreatedAt: openapi.ExampleTime(), FirstAttempt: &first, Attempts: 9,
		Status:  502,
		Failure: "given up: receiver answered 502",
	}}}
}

// exampleModels returns the offers of a gateway that has only the model for a first start.
func exampleModels() messages.Models {
	english, modes := messages.List[string]{"en"}, messages.List[string]{"live", "pre-recorded"}
	return messages.Models{
		Models: messages.List[messages.Model]{{
			Model: "stt-1", Default: true, Modes: modes, Languages: english,
			Engines: messages.List[messages.Engine]{{
				Name: "moonshine", Available: true, Local: true, Languages: english,
				Models: messages.List[messages.EngineModel]{{Name: "moonshine-tiny-en", Languages: english,
					Partials: true, Licence: "MIT"}},
			}},
		}},
		EntityTypes: messages.EntityTypes{
			Found: messages.List[string]{"EMAIL_ADDRESS", "NAME_GIVEN"}, Unable: messages.List[string]{"TREND"},
			Groups: map[string]messages.List[string]{"GDPR": {"EMAIL_ADDRESS", "NAME_GIVEN"}},
		},
		Addons: messages.List[messages.Addon]{
			{Name: "summarization", Modes: modes, Available: true, By: messages.List[string]{"embedded"}},
			{Name: "translation", Modes: modes, Available: true, By: messages.List[string]{"apertium"},
				Translators: messages.List[messages.AddonTranslator]{
					{Name: "apertium", Pairs: map[string]messages.List[string]{"en": {"es"}}},
				}},
		},
	}
}

// exampleAfter returns the time of the examples' start plus d.
func exampleAfter(d time.Duration) messages.Timestamp {
	return messages.Stamp(openapi.ExampleTime().Add(d))
}
