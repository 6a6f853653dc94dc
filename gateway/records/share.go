package records

import (
	"encoding/json"
	"fmt"

	"steno/gateway/admission"
	"steno/gateway/web"
	"steno/messages"
	"steno/session/store"
)

// shownTo returns a record as a principal may see it. Tokens that only show sessions do not reveal
// who asked for a session and how: of its request they show the format of the audio and whether it
// is redacted, which reading the audio needs too.
func shownTo(p *web.Principal, r store.Record) (store.Record, error) {
	if !p.IsShare() {
		return r, nil
	}
	request, err := admission.LiveRequest(r)
	if err != nil {
		return r, err
	}
	format, err := json.Marshal(map[string]any{
		"encoding": request.Encoding, "bit_depth": request.BitDepth, "sample_rate": request.SampleRate,
		"channels":            request.Channels,
		"language_config":     request.LanguageConfig,
		"realtime_processing": map[string]any{"pii_redaction": request.RealtimeProcessing.PIIRedaction},
	})
	if err != nil {
		return r, fmt.Errorf("encode format: %w", err)
	}
	shown, fault := messages.ParseLive(format)
	if fault != nil {
		return r, fmt.Errorf("format of stored request: %s", fault.Error())
	}
	if r.Params, err = json.Marshal(shown); err != nil {
		return r, fmt.Errorf("encode format: %w", err)
	}
	r.CustomMetadata, r.PostSessionMetadata = nil, json.RawMessage("{}")
	r.Warnings, r.ErrorMessage, r.Key = nil, "", nil
	return r, nil
}
