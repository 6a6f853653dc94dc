package moonshine

import "steno/session/asr"

// steady is the confidence (0.7) from which the last words of a partial are shown: below it the next partial often takes them
// back. One more is shown, since words should come soon. Of what is before that one 91 % are in the final, of all words 90 %.
const steady = 0.7

// partial decodes what has been said so far of a piece. draft is the newest text, which costs little where it is still right.
func (x decoding) partial(samples []int16, draft []int) (outcome, []int, error) {
	h, err := x.try(variants[0], samples, draft)
	if err != nil {
		return outcome{}, nil, err
	}
	o := judged(h, x.m.tokens.words(h), 0, samples)
	o.words = o.words[:shown(o.words)]
	return o, h.ids, nil
}

// shown returns how many of a partial's words are shown.
func shown(words []asr.Word) int {
	n := len(words)
	for n > 0 && words[n-1].Confidence < steady {
		n--
	}
	return min(n+1, len(words))
}
