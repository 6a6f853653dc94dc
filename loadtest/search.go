package loadtest

import "context"

// result is the outcome of a trial with a number of sessions.
type result int

const (
	kept    result = iota // the server kept what is promised
	missed                // it did not
	unclear               // what is promised was missed, and the generator may be to blame
)

// Kinds of trials.
const (
	trialWarmUp  = "warm-up" // its outcome does not count
	trialDouble  = "double"
	trialBisect  = "bisect"
	trialConfirm = "confirm" // long: so many sessions are carried
	trialLimit   = "limit"   // long: so many are not
)

// maxRounds bounds how often a search starts again because its short trials were inconclusive.
const maxRounds = 6

// search looks for the greatest number of sessions that a server carries. It decides from the
// results alone.
type search struct {
	start, most int     // sessions of the first trial, and of any
	resolution  float64 // the step is this share of what is carried, at least 1
	try         func(ctx context.Context, kind string, sessions int) (result, error)

	low       int  // carried in the last trial of so many; 0: not known
	high      int  // not carried; 0: not known
	confirmed int  // carried in a long trial
	refused   int  // not carried in a long trial
	doubtful  bool // the trial that set high was unclear
}

// step is the resolution of the search around n.
func (s *search) step(n int) int { return max(int(float64(n)*s.resolution+0.5), 1) }

// run returns how many sessions the server carries, and the number that it was shown not to carry,
// 0 if it carries as many as were tried. If sure is false, a trial was unclear, or the trials
// contradict each other, and neither is known.
func (s *search) run(ctx context.Context) (carried, limit int, sure bool, err error) {
	if _, err := s.try(ctx, trialWarmUp, s.start); err != nil {
		return 0, 0, false, err
	}
	if err := s.bracket(ctx); err != nil {
		return 0, 0, false, err
	}
	for range maxRounds {
		again, err := s.settle(ctx)
		if err != nil {
			return 0, 0, false, err
		}
		if !again {
			return s.low, s.high, s.high == 0 || !s.doubtful, nil
		}
	}
	return s.low, 0, false, nil
}

// test tries once more when a trial was unclear, and moves the bounds.
func (s *search) test(ctx context.Context, kind string, sessions int) (result, error) {
	v, err := s.try(ctx, kind, sessions)
	if err == nil && v == unclear {
		v, err = s.try(ctx, kind, sessions)
	}
	if err != nil {
		return v, err
	}
	if v == kept {
		s.low = max(s.low, sessions)
	} else {
		s.high, s.doubtful = sessions, v == unclear
	}
	return v, nil
}

// bracket doubles the sessions until there are too many; if already the first ones are, it halves
// them.
func (s *search) bracket(ctx context.Context) error {
	for n := s.start; s.high == 0 && s.low < s.most; n = min(2*n, s.most) {
		if _, err := s.test(ctx, trialDouble, n); err != nil {
			return err
		}
	}
	for n := s.start / 2; s.low == 0 && n > 0; n /= 2 {
		if _, err := s.test(ctx, trialDouble, n); err != nil {
			return err
		}
	}
	return nil
}

// settle narrows the bounds to a step, confirms the lower one and shows that a step more is too
// many. It reports whether it was not: then the upper bound is unknown again or higher than
// thought.
func (s *search) settle(ctx context.Context) (again bool, err error) {
	for s.high-s.low > s.step(s.low) {
		if _, err := s.test(ctx, trialBisect, s.low+(s.high-s.low)/2); err != nil {
			return false, err
		}
	}
	for s.low > s.confirmed {
		n := s.low
		v, err := s.test(ctx, trialConfirm, n)
		if err != nil {
			return false, err
		}
		if v == kept {
			s.confirmed = n
			break
		}
		s.refused, s.low = n, max(n-s.step(n), s.confirmed)
	}
	n := min(s.low+s.step(s.low), s.most)
	switch {
	case s.low >= s.most:
		s.high = 0
		return false, nil
	case n == s.refused:
		return false, nil
	}
	v, err := s.test(ctx, trialLimit, n)
	if err != nil || v != kept {
		return false, err
	}
	s.confirmed, s.high = n, 0
	return true, s.climb(ctx)
}

// climb goes up from what is carried in growing strides, to find an upper bound again.
func (s *search) climb(ctx context.Context) error {
	for stride := s.step(s.low); s.high == 0 && s.low < s.most; stride *= 2 {
		if _, err := s.test(ctx, trialDouble, min(s.low+stride, s.most)); err != nil {
			return err
		}
	}
	return nil
}
