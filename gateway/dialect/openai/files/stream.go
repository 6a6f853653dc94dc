package files

import (
	"encoding/json"
	"net/http"
	"strings"
	"unicode"
	"unicode/utf8"

	"steno/gateway/dialect"
	"steno/gateway/dialect/openai"
	"steno/gateway/web"
	"steno/messages"
)

// The types of the events of a stream.
const (
	typeDelta   = "transcript.text.delta"
	typeSegment = "transcript.text.segment"
	typeDone    = "transcript.text.done"
)

type delta struct {
	Type     string    `json:"type"`
	Delta    string    `json:"delta"`
	Logprobs []logprob `json:"logprobs,omitempty"`
}

type done struct {
	Type     string    `json:"type"`
	Text     string    `json:"text"`
	Logprobs []logprob `json:"logprobs,omitempty"`
	Usage    usage     `json:"usage"`
}

// sendStream sends the text as it is recognized, as server-sent events: a delta for each final, and
// the whole at the end. Speakers are known at the end alone. What fails after the first event is an
// event as well.
func (s service) sendStream(w http.ResponseWriter, r *http.Request, q request, job *dialect.Job) error {
	out := &events{w: w, control: http.NewResponseController(w)}
	var said settled
	result, err := job.Await(r.Context(), func(u messages.Utterance) {
		if piece := said.add(u.Text); q.task == transcribe && piece != "" {
			out.send(delta{typeDelta, piece, q.logprobsOf([]messages.Utterance{u})})
		}
	})
	var c content
	if err == nil {
		c, err = q.content(result)
	}
	switch {
	case err != nil && !out.begun:
		return err
	case err != nil:
		out.send(struct {
			Error openai.Error `json:"error"`
		}{openai.ErrorOf(web.AsProblem(err))})
		return nil
	}
	if piece := q.lastDelta(said, c); piece != "" {
		out.send(delta{Type: typeDelta, Delta: piece})
	}
	if q.format == "diarized_json" {
		for _, t := range turnsOf(c.utterances) {
			out.send(t)
		}
	}
	out.send(done{typeDone, c.text, q.logprobsOf(c.utterances), usageOf(c)})
	return nil
}

// lastDelta returns what no delta has had yet.
func (q request) lastDelta(said settled, c content) string {
	if q.task == translate {
		return c.text
	}
	return said.stop
}

// settled is the text that deltas have had, which cannot be taken back. A full stop at its end
// waits for what follows: the whole has none within a sentence that continues after a pause.
type settled struct {
	text string
	stop string // the full stop that waits; empty: there is none
}

// add adds a final, and returns what is new and settled.
func (s *settled) add(final string) (piece string) {
	final = strings.TrimSpace(final)
	if final == "" {
		return ""
	}
	if first, _ := utf8.DecodeRuneInString(final); !unicode.IsLower(first) {
		piece = s.stop
	}
	s.stop = ""
	if text, ok := strings.CutSuffix(final, "."); ok && !strings.HasSuffix(text, ".") {
		final, s.stop = text, "."
	}
	if s.text != "" {
		piece += messages.Gap(s.text+piece, final)
	}
	piece += final
	s.text += piece
	return piece
}

// events writes server-sent events.
type events struct {
	w       http.ResponseWriter
	control *http.ResponseController
	begun   bool
}

// send sends a value, which must be encodable. Errors of writing are ignored: the request's context
// ends when the client has left.
func (e *events) send(v any) {
	if !e.begun {
		e.begun = true
		e.w.Header().Set("Content-Type", "text/event-stream")
		e.w.Header().Set("Cache-Control", "no-cache")
		e.w.WriteHeader(http.StatusOK)
	}
	text, _ := json.Marshal(v) // of the types above
	_, _ = e.w.Write(append(append([]byte("data: "), text...), "\n\n"...))
	_ = e.control.Flush()
}
