// Package assemblyai is what the dialects of AssemblyAI's interface share: keys, models, units and
// errors. What clients do with files is package files.
package assemblyai

import (
	"fmt"
	"math"
	"net/http"
	"slices"
	"strings"

	"steno/gateway/dialect"
	"steno/gateway/web"
	"steno/messages"
)

// Name is that of the dialect.
const Name = "assemblyai"

// DefaultModel is the model that stands for those of AssemblyAI's.
var DefaultModel = dialect.Models[0]

// families are what the names of AssemblyAI's models begin with.
var families = []string{"best", "nano", "slam", "universal", "whisper", "conformer"}

// Model returns the model of this server that a name stands for. A name that is none is a problem,
// 400.
func Model(name string) (string, error) {
	lower := strings.ToLower(name)
	switch {
	case slices.Contains(dialect.Models, name):
		return name, nil
	case name == "" || slices.ContainsFunc(families, func(f string) bool { return strings.HasPrefix(lower, f) }):
		return DefaultModel, nil
	}
	return "", web.Problem(http.StatusBadRequest, fmt.Sprintf("no such speech model: %q; there are %s, and those of "+
		"AssemblyAI stand for %s", web.Shorten(name), strings.Join(dialect.Models, ", "), DefaultModel))
}

// Credential returns the key that a request has in Authorization, without a scheme before it.
func Credential(r *http.Request) string {
	key := strings.TrimSpace(r.Header.Get("Authorization"))
	if strings.ContainsAny(key, " \t") {
		return ""
	}
	return key
}

// Milliseconds returns seconds as clients read times: whole milliseconds.
func Milliseconds(seconds float64) int { return int(math.Round(seconds * 1000)) }

// Word is a word as clients read it. All of it is always there.
type Word struct {
	Text       string  `json:"text"`
	Start      int     `json:"start"` // milliseconds
	End        int     `json:"end"`
	Confidence float64 `json:"confidence"`
	Speaker    *string `json:"speaker"`
	Channel    *string `json:"channel,omitempty"`
}

// Letter returns the name of the nth speaker, from 0: A to Z, then AA.
func Letter(n int) string {
	if n < 26 {
		return string(rune('A' + n))
	}
	return Letter(n/26-1) + Letter(n%26)
}

// Refusal is the body of an answer that refuses a request.
type Refusal struct {
	Error string `json:"error"`
}

// Refuse answers with a problem.
func Refuse(w http.ResponseWriter, _ *http.Request, p *messages.Problem) {
	web.WriteJSON(w, p.Status, Refusal{p.Text()})
}

// policies are the kinds of what is hidden by the names that AssemblyAI has for them, where they
// differ from the gateway's in more than their case.
var policies = map[string]string{
	"person_name": "NAME", "person_age": "AGE", "us_social_security_number": "SSN",
	"credit_card_number": "CREDIT_CARD",
	"credit_card_cvv":    "CVV", "date_of_birth": "DOB", "drivers_license": "DRIVER_LICENSE",
	"medical_condition": "CONDITION",
	"money_amount":      "MONEY", "banking_information": "BANK_ACCOUNT", "nationality": "ORIGIN",
	"number_sequence": "NUMERICAL_PII", "gender_sexuality": "SEXUALITY",
}

// Kinds returns the kinds of what is to be hidden for the names of redact_pii_policies. A name that
// is not known is refused with the request.
func Kinds(names []string) (kinds messages.List[string]) {
	for _, name := range names {
		kind, ok := policies[name]
		if !ok {
			kind = strings.ToUpper(name)
		}
		if !slices.Contains(kinds, kind) {
			kinds = append(kinds, kind)
		}
	}
	if len(kinds) == 0 {
		kinds = messages.List[string]{messages.DefaultEntityType}
	}
	return kinds
}
