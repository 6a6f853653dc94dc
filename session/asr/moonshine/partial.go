package moonshine

// partial decodes what has been said so far of a piece. draft is the newest text, which costs little where it is still right.
func (x decoding) partial(samples []int16, draft []int) (outcome, []int, error) {
	h, err := x.m.decode(x.d, variants[0].apply(samples), draft, x.lexis, x.yield)
	if err != nil {
		return outcome{}, nil, err
	}
	return judged(h, x.m.tokens.words(h), 0, samples), h.ids, nil
}
