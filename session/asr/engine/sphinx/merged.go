package sphinx

// merged is the path of a plain decoder but for stretches with a taught word that was heard clearly. A stretch lies
// between the nearest borders of words that both paths have; there it is as the taught decoder heard it, but in place of
// a taught word that was not heard clearly are the plain words whose middle lies in it.
func merged(plain, taught []segment) []segment {
	var out []segment
	for len(plain) > 0 || len(taught) > 0 {
		i, j := border(plain, taught)
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

func anyClear(path []segment) bool {
	for _, s := range path {
		if s.clear {
			return true
		}
	}
	return false
}

// without takes the taught words that were not heard clearly out of a stretch.
func without(taught, plain []segment) []segment {
	var out []segment
	for _, s := range taught {
		if s.taught == nil || s.clear {
			out = append(out, s)
			continue
		}
		for _, p := range plain {
			if middle := (p.start + p.end) / 2; middle >= s.start && middle < s.end {
				p.start, p.end = max(p.start, s.start), min(p.end, s.end)
				out = append(out, p)
			}
		}
	}
	return out
}
