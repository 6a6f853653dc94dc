// Package fusion decodes each utterance on several recognizers, its members, and votes on every
// word (ROVER). It is for recordings: it returns no partials, and its final comes after that of the
// slowest member.
//
// The final is a function of the samples and of the members that took part, whatever their order
// and speed. A member that fails is left out: the result is a fallback ([asr.Result].Fallback) and
// names those that voted. A member without the language is left out too, which makes no fallback.
//
// # Figures
//
// Word error rates in % on 59 recordings of read English, each decoded whole by PocketSphinx: as it
// is, with wide beams, and with its frequency axis stretched by 0.92 and by 1.08. Alpha and the
// null confidence were chosen on every second recording (747 words); there, all pairs of an alpha
// from 0.1 to 0.4 and a null confidence from 0.5 to 0.7 lay within 0.3 points of each other on the
// average of ten fusions, so the middle was taken. The second column has the others (627 words). In
// brackets the 95 % bounds of the difference to the better, or best, member on all recordings.
//
//	                          all   others
//	plain                    56.5   60.3
//	wide                     55.6   56.9
//	0.92                     55.6   60.6
//	1.08                     54.5   59.2
//	plain + wide             55.5   57.9   -0.1 [-1.2, +0.9]
//	plain + 1.08             54.0   57.9   -0.5 [-1.8, +0.8]
//	wide + 1.08              53.3   56.0   -1.2 [-2.8, +0.5]
//	0.92 + 1.08              53.0   57.6   -1.5 [-3.3, +0.2]
//	wide + 0.92 + 1.08       53.1   56.8   -1.5 [-3.4, +0.5]
//	all four                 53.3   56.3   -1.2 [-2.8, +0.7]
//
// With members that share one model a fusion is as good as the better of them, and perhaps a point
// better. Engines that err in different places have more to gain; that has not been measured.
//
// Two members have no majorities: the more confident word wins, and a word of one member alone is
// kept if its confidence exceeds the null confidence. So confidences must mean the same in all
// members; a Weight below 1 corrects a member whose confidences are too high.
package fusion

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"steno/session/asr"
)

// MaxMembers bounds what one utterance costs.
const MaxMembers = 8

// Member is one of the recognizers that vote.
type Member struct {
	// Name appears in the results that the member took part in.
	Name       string
	Recognizer asr.Recognizer
	// Weight scales the member's votes and confidences. Only ratios count; 0: 1.
	Weight float64
}

// Recognizer implements [asr.Recognizer] and [asr.Lister]. Its only goroutines are those of Recv,
// which waits for them. It need not be closed.
type Recognizer struct {
	members []Member
	rover   rover
}

// New combines recognizers, which stay the caller's. It refuses fewer than two members or more than
// [MaxMembers], names that are empty, equal or contain one of "(+)", and weights below 0 or above
// 1000.
func New(members ...Member) (*Recognizer, error) {
	if len(members) < 2 || len(members) > MaxMembers {
		return nil, fmt.Errorf("fusion: %d members, want 2 to %d", len(members), MaxMembers)
	}
	r := &Recognizer{rover: rover{alpha: alpha, null: null}}
	named := map[string]bool{}
	heaviest := 0.0
	for _, m := range members {
		switch {
		case m.Name == "" || strings.ContainsAny(m.Name, "(+)") || named[m.Name]:
			return nil, fmt.Errorf("fusion: member name %q, want each different, without (, + and )", m.Name)
		case !(m.Weight >= 0 && m.Weight <= 1000): // refuses NaN too
			return nil, fmt.Errorf("fusion: weight %v of %q, want 0 to 1000", m.Weight, m.Name)
		case m.Weight == 0:
			m.Weight = 1
		}
		named[m.Name] = true
		heaviest = max(heaviest, m.Weight)
		r.members = append(r.members, m)
	}
	for i := range r.members {
		r.members[i].Weight /= heaviest
	}
	return r, nil
}

// Open starts an utterance on every member, in their order and without partials. It fails if all
// members do: with ErrLanguage if that is every member's reason, else with ErrUnavailable.
func (r *Recognizer) Open(ctx context.Context, p asr.Params) (asr.Stream, error) {
	p.Partials = false
	open, cancel := context.WithCancelCause(ctx)
	u := &stream{ctx: ctx, open: open, cancel: cancel, rover: r.rover}
	for _, m := range r.members {
		v := &memberStream{member: m}
		v.stream, v.err = m.Recognizer.Open(open, p)
		u.members = append(u.members, v)
	}
	if err := u.refusal(); err != nil {
		cancel(nil)
		return nil, err
	}
	return u, nil
}

// refusal returns why there is no result: the utterance was cancelled, or no member is left. It
// returns nil while there may be one. Errors of members after the cancellation do not count.
func (s *stream) refusal() error {
	if s.open.Err() != nil {
		return s.cancelled()
	}
	var first error
	for _, v := range s.members {
		switch {
		case v.err == nil:
			return nil
		case first == nil || errors.Is(first, asr.ErrLanguage):
			first = v.err // a reason other than the language, if there is one
		}
	}
	if errors.Is(first, asr.ErrLanguage) || errors.Is(first, asr.ErrUnavailable) {
		return fmt.Errorf("fusion: no member left: %w", first)
	}
	return fmt.Errorf("fusion: no member left: %w: %w", asr.ErrUnavailable, first)
}
