package messages

import "bytes"

// TokenTerms are what tokens of both kinds are asked for with.
type TokenTerms struct {
	Name     string `json:"name" maxLength:"200" doc:"What the token is for"`
	Lifetime int    `json:"lifetime" default:"3600" minimum:"1" maximum:"86400" doc:"Seconds until the token ends, unless its key ends before"`
	Cookie   bool   `json:"cookie" default:"false" doc:"Set the token as an HttpOnly cookie as well, for pages of this server"`
	Audio    bool   `json:"audio" default:"false" doc:"Let a token that only reads sessions it is for by name have their audio too: the recording and the waveform"`
	FlagChoice
}

// Kinds are the kinds of events that the token shows: those of the flags, where those not given
// have the defaults of [SubscriberFlags]. 0, which is all, where none is given.
func (t *TokenTerms) Kinds() Filter {
	if !t.Given() {
		return 0
	}
	return t.Over(SubscriberFlags()).Filter()
}

// TokenRequest is the body that asks for a token.
type TokenRequest struct {
	TokenTerms
	Scopes   List[string] `json:"scopes" default:"[\"read\"]" minItems:"1" maxItems:"10" unique:"true" enum:"live,jobs,read,admin" doc:"What the token allows, none of which its key lacks"`
	Sessions List[string] `json:"sessions" maxItems:"100" unique:"true" maxLength:"64" doc:"The live sessions that the token is for; without any, all of the account"`
}

// SubscriberRequest is the body that asks for a token for one session's events.
type SubscriberRequest struct{ TokenTerms }

// ParseToken reads the body that asks for a token. An empty one is as good as an empty object. A
// token whose flags show nothing is a fault. The Problem lists all faults, with status 400. The
// caller bounds the body, to [MaxRequestBody].
func ParseToken(body []byte) (*TokenRequest, *Problem) {
	r := new(TokenRequest)
	return parseTerms(body, r, &r.TokenTerms)
}

// ParseSubscriber is ParseToken for the token of a subscriber.
func ParseSubscriber(body []byte) (*SubscriberRequest, *Problem) {
	r := new(SubscriberRequest)
	return parseTerms(body, r, &r.TokenTerms)
}

// parseTerms fills a request, which has the terms in it.
func parseTerms[T any](body []byte, into *T, terms *TokenTerms) (*T, *Problem) {
	if len(bytes.TrimSpace(body)) == 0 {
		body = []byte("{}")
	}
	tree, problem := parseObject(body)
	if problem != nil {
		return nil, problem
	}
	d := newBodyDecoder()
	d.object("", tree, into)
	if terms.Given() && terms.Kinds() == 0 {
		d.fault("receive_final_transcripts", "or another flag must be true, as the token would show nothing")
	}
	if problem := d.problem(); problem != nil {
		return nil, problem
	}
	return into, nil
}
