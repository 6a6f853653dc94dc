package sphinx

// merged is the path of a plain decoder but for stretches with a taught word that was heard clearly, and not in place of
// words that the plain decoder is sure of. A stretch lies between the nearest borders of words that both paths have; there
// it is as the taught decoder heard it, but in place of a taught word that does not count are the plain words whose middle
// lies in it.
func merged(plain, taught []segment) []segment {
	var out []segment
	for len(plain) > 0 || len(taught) > 0 {
		i, j := border(plain, taught)
		doubt(taught[:j], plain[:i])
		if anyClear(taught[:j]) {
			out = append(out, without(taught[:j], plain[:i])...)
		} else {
			out = append(out, plain[:i]...)
		}
		plain, taught = plain[i:], taught[j:]
	}
	return out
}

// border finds how many segments of each path are before the first border both have; all if there is none.
func border(a, b []segment) (i, j int) {
	for i < len(a) && j < len(b) {
		switch {
		case a[i].end < b[j].end:
			i++
		case a[i].end > b[j].end:
			j++
		default:
			return i + 1, j + 1
		}
	}
	return len(a), len(b)
}

// surePosterior is that of a word the plain decoder is sure of.
const surePosterior = 0.9

// doubt takes clearness from taught words in whose place the plain decoder is sure of all it heard, if that fits better:
// "surely" is no "Xiaomi".
func doubt(taught, plain []segment) {
	for i, s := range taught {
		if !s.clear {
			continue
		}
		least, fit, frames := 1.0, 0.0, 0
		for _, p := range plain {
			if p.within(s) && p.text() != "" {
				least = min(least, p.posterior)
				fit += p.acoustic * float64(p.end-p.start)
				frames += p.end - p.start
			}
		}
		if frames > 0 && least >= surePosterior && fit >= s.acoustic*float64(frames) {
			taught[i].clear = false
		}
	}
}

// within tells whether the middle of a segment lies in another.
func (s segment) within(other segment) bool {
	middle := (s.start + s.end) / 2
	return middle >= other.start && middle < other.end
}

func anyClear(path []segment) bool {
	for _, s := range path {
		if s.clear {
			return true
		}
	}
	return false
}

// without takes the taught words that do not count out of a stretch.
func without(taught, plain []segment) []segment {
	var out []segment
	for _, s := range taught {
		if s.taught == nil || s.clear {
			out = append(out, s)
			continue
		}
		for _, p := range plain {
			if p.within(s) {
				p.start, p.end = max(p.start, s.start), min(p.end, s.end)
				out = append(out, p)
			}
		}
	}
	return out
}
