package overview

import (
	"math"
	"net/http"
	"time"

	"steno/gateway/web"
	"steno/messages"
)

// SessionDelays is how long the newest finals of a session took on their way through the gateway:
// at most 40.
type SessionDelays struct {
	Here  bool                      `json:"here" doc:"The session is on the node that answers, which alone knows"`
	Items messages.List[FinalDelay] `json:"items" doc:"The newest first"`
}

// FinalDelay is how long a final took, by stage, in seconds. The stages follow one another.
type FinalDelay struct {
	Utterance  string             `json:"utterance_id" doc:"Of the final"`
	Ended      messages.Timestamp `json:"ended_at" doc:"When endpointing ended the utterance"`
	Received   float64            `json:"received" doc:"From receiving its last audio until it was ready for the recognizer"`
	Endpointed float64            `json:"endpointed" doc:"From then until endpointing ended it"`
	Queued     float64            `json:"queued" doc:"From then until an engine began the final"`
	Decoded    float64            `json:"decoded" doc:"From then until the final was here"`
	Sent       *float64           `json:"sent" doc:"From then until it was durable and written to the client; null: it was not"`
}

// Delays answers with the delays of a session's newest finals.
func (s *Service) Delays(w http.ResponseWriter, r *http.Request) error {
	record, err := s.Find(r, messages.JobLive)
	if err != nil {
		return err
	}
	var answer SessionDelays
	list, here := s.Live.Delays(record.ID)
	answer.Here = here
	for _, d := range list {
		answer.Items = append(answer.Items, FinalDelay{
			Utterance: d.Utterance, Ended: messages.Stamp(d.Ended), Received: precise(d.Received),
			Endpointed: precise(d.Endpointed),
			Queued:     precise(d.Queued), Decoded: precise(d.Decoded), Sent: nonZero(d.Sent, precise),
		})
	}
	web.WriteJSON(w, http.StatusOK, answer)
	return nil
}

// precise returns seconds to the tenth of a millisecond.
func precise(d time.Duration) float64 { return math.Round(d.Seconds()*1e4) / 1e4 }
