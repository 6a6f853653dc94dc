package moonshine

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"steno/session/asr/moonshine/network"
	"steno/session/asr/whole"
)

const (
	// verified is how many tokens of a draft one pass verifies at most. A row of logits is 128 KiB,
	// so it bounds memory.
	verified = 32
	// resumed is how many it verifies first where a draft is taken up again after a mismatch.
	resumed = 8
	// perSecond bounds the tokens of a second of audio. English has 6.5 at most.
	perSecond = 6.5
	// extra is how many tokens more than that any audio may have.
	extra = 8
)

// passes is a decoder of tokens, see [network.Decoder].
type passes interface {
	Take(ids []int) (logits []float32, err error)
	Truncate(n int)
}

// stop is why a search ended.
type stop int

const (
	stopEnd   stop = iota // the model ended the text
	stopLimit             // there were too many tokens for the audio
	stopLoop              // the text repeated itself
)

// hypothesis is what a search found: tokens and the logarithms of their probabilities.
type hypothesis struct {
	ids  []int
	logs []float64
	end  float64 // logarithm of the probability of the end; 0 where the search stopped otherwise
	stop stop
	// rival is the next probable text that a beam has found to its end; nil: none.
	rival *hypothesis
}

// mean returns the mean logarithm of the tokens' probabilities, the end's included; 0 for an empty
// text that was never doubted.
func (h hypothesis) mean() float64 {
	return h.total() / float64(len(h.logs)+1)
}

// search looks for the text of encoded audio: in each step it takes the likeliest token, or that of
// a text to be followed.
type search struct {
	net    passes
	width  int         // logits in a row
	limit  int         // tokens
	draft  []int       // likely tokens, which cost little where they are right
	follow bool        // the draft is the text, but for phrases
	lexis  *lexis      // phrases to be preferred; nil: none
	yield  func() bool // asked before each pass; nil: never
	phrase phrase      // where the search is within a phrase

	found hypothesis
	place         // of the next token
	was   []place // of the tokens found
}

// place is where a search is in its draft.
type place struct {
	at     int  // draft tokens that were passed
	synced bool // the draft's next token is that of the text
}

// limit returns the most tokens that so many samples may have.
func limit(samples int) int { return int(float64(samples)*perSecond/rate) + extra }

// run searches. Errors are those of the passes, and [whole.ErrYielded].
func (s *search) run() (hypothesis, error) {
	s.phrase, s.synced = phrase{banned: -1}, true
	feed := []int{network.Begin}
	guess := s.next(verified)
	for {
		if s.yield != nil && s.yield() {
			return hypothesis{}, whole.ErrYielded
		}
		logits, err := s.net.Take(append(feed, guess...))
		if err != nil {
			return hypothesis{}, err
		}
		if len(logits) < (len(guess)+1)*s.width {
			return hypothesis{}, errFewLogits
		}
		s.judge(logits, guess)
		if done := s.conclude(); done {
			return s.found, nil
		}
		s.net.Truncate(len(s.found.ids))
		feed = append(feed[:0], network.Begin)
		if n := len(s.found.ids); n > 0 {
			feed[0] = s.found.ids[n-1]
		}
		guess = s.guess(feed[0])
	}
}

var errFewLogits = errors.New("moonshine: a pass returned too few logits")

// judge takes the tokens that a pass has decided: one for each guess that was right, and the one
// after; or goes back to where a phrase was begun in vain. At the end of the text found.stop is set
// and the search is finished.
func (s *search) judge(logits []float32, guess []int) {
	for j := range len(guess) + 1 {
		want := -1
		if s.synced && s.at < len(s.draft) {
			want = s.draft[s.at]
		}
		choice := s.choose(logits[j*s.width:(j+1)*s.width], want)
		if n := choice.undo; n >= 0 {
			s.found.ids, s.found.logs = s.found.ids[:n], s.found.logs[:n]
			if n < len(s.was) {
				s.place, s.was = s.was[n], s.was[:n]
			}
			return
		}
		if choice.id == network.End {
			s.found.end, s.found.stop, s.limit = choice.log, stopEnd, -1
			return
		}
		s.found.ids, s.found.logs, s.was = append(s.found.ids, choice.id), append(s.found.logs, choice.log),
			append(s.was, s.place)
		if choice.id != want {
			s.synced = false
			return
		}
		s.at++
	}
}

// conclude reports whether the search is finished, and records why.
func (s *search) conclude() bool {
	f := &s.found
	if s.limit < 0 {
		return true
	}
	if keep := loop(f.ids); keep > 0 {
		f.ids, f.logs, f.stop = f.ids[:keep], f.logs[:keep], stopLoop
		return true
	}
	if len(f.ids) < s.limit {
		return false
	}
	if n := s.phrase.node; n != 0 && !s.lexis.nodes[n].whole { // a part of a phrase is no text
		f.ids, f.logs = f.ids[:s.phrase.from], f.logs[:s.phrase.from]
	}
	f.stop = stopLimit
	return true
}

// guess returns the draft's tokens after last. Where draft and result have diverged it looks for a
// place to continue.
func (s *search) guess(last int) []int {
	if s.synced {
		return s.next(verified)
	}
	i := resume(s.draft, s.at, last)
	if i < 0 {
		s.at++
		return nil
	}
	s.at, s.synced = i+1, true
	return s.next(resumed)
}

// next returns the next tokens of the draft, n at most.
func (s *search) next(n int) []int {
	from := min(s.at, len(s.draft))
	return s.draft[from:min(len(s.draft), from+n, from+max(0, s.limit-len(s.found.ids)))]
}

// resume returns where a token is in the draft near the place where text and draft parted; -1:
// nowhere.
func resume(draft []int, at, id int) int {
	for _, i := range []int{0, 1, -1, 2, -2, 3, 4} {
		if i += at; i >= 0 && i < len(draft) && draft[i] == id {
			return i
		}
	}
	return -1
}

// best returns the likeliest token and the logarithm of the sum of all exponentials, which a logit
// has to be reduced by to be the logarithm of a probability.
func best(row []float32) (id int, norm float64) {
	top := float32(math.Inf(-1))
	for i, v := range row {
		if v > top {
			top, id = v, i
		}
	}
	sum := 0.0
	for _, v := range row {
		if x := v - top; x > -20 { // what is less does not count
			sum += math.Exp(float64(x))
		}
	}
	return id, float64(top) + math.Log(sum)
}

// loop returns how many tokens to keep where they end in a sequence that repeats itself, 0 where
// they do not: one token seven times, or up to twelve four times.
func loop(ids []int) int {
	for n := 1; n <= 12; n++ {
		times := 4
		if n == 1 {
			times = 7
		}
		if len(ids) < n*times {
			break
		}
		tail, same := ids[len(ids)-n:], true
		for k := 2; k <= times && same; k++ {
			same = slices.Equal(tail, ids[len(ids)-k*n:len(ids)-(k-1)*n])
		}
		if same {
			return len(ids) - n*(times-1)
		}
	}
	return 0
}

// String describes why a search ended.
func (s stop) String() string {
	switch s {
	case stopEnd:
		return "end"
	case stopLimit:
		return "limit"
	case stopLoop:
		return "loop"
	}
	return fmt.Sprintf("stop(%d)", int(s))
}
