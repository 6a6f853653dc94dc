package subtitles

import "math"

// caption holds the tokens that are shown together.
type caption struct {
	voice    voice
	language string
	tokens   []token
}

func (c caption) start() int64 { return c.tokens[0].start }

func (c caption) end() int64 { return endOf(c.tokens) }

func endOf(ts []token) int64 {
	var end int64
	for _, t := range ts {
		end = max(end, t.end)
	}
	return end
}

// mostTokens bounds a caption. Speech never fills it within the longest duration, but tokens
// without times could.
const mostTokens = 300

// captions divides a run so that the sum of costs is minimal. Each caption fits its rows and spans
// at most the maximum duration, unless it is a single token.
func (l limits) captions(r run) []caption {
	ts := r.tokens
	best := make([]float64, len(ts)+1) // least cost of the first j tokens
	from := make([]int, len(ts)+1)     // index at which the last caption of those begins
	for j := range ts {
		best[j+1] = math.Inf(1)
	}
	cuts := cutsOf(r)
	for i := range ts {
		l.reach(ts[i:min(i+mostTokens, len(ts))], cuts[i:], func(n int, m measure) {
			j := i + n
			if total := best[i] + l.cost(m, ts, i, j) + cuts[j].cost; total < best[j] {
				best[j], from[j] = total, i
			}
		})
	}
	return assemble(r, from)
}

func assemble(r run, from []int) []caption {
	n := 0
	for j := len(r.tokens); j > 0; j = from[j] {
		n++
	}
	all := make([]caption, n)
	for j := len(r.tokens); j > 0; j = from[j] {
		n--
		all[n] = caption{r.voice, r.language, r.tokens[from[j]:j]}
	}
	return all
}

// cut is a place before a token: the cost of ending a caption there, and whether a sentence ends
// there.
type cut struct {
	cost     float64
	sentence bool
}

// cutsOf returns the cuts of a run: one before each token, and one at the end.
func cutsOf(r run) []cut {
	all := make([]cut, len(r.tokens)+1)
	for i := 1; i < len(r.tokens); i++ {
		a, b := r.tokens[i-1], r.tokens[i]
		all[i] = cut{cutCost(a, b, r.language), a.ends}
	}
	return all
}

// measure sums up the tokens of a caption.
type measure struct {
	width     int
	end       int64
	pauses    float64 // seconds of pauses inside
	sentences int     // ends of sentences inside
}

// reach calls visit with each number n of tokens, from 1 on, of which the first n fit into one
// caption. cuts[n] is the cut before ts[n].
func (l limits) reach(ts []token, cuts []cut, visit func(n int, m measure)) {
	var m measure
	w := wrap{chars: l.chars}
	for n, t := range ts {
		if n > 0 {
			m.pauses += float64(max(t.start-m.end-pauseLength, 0)) / 1000
			if cuts[n].sentence {
				m.sentences++
			}
		}
		m.end = max(m.end, t.end)
		if w.add(t); w.rows > l.rows || n > 0 && m.end-ts[0].start > l.max {
			return
		}
		m.width += t.width
		visit(n+1, m)
	}
}

// cost returns the cost of a caption of the tokens [i,j), without that of the cut at its end.
func (l limits) cost(m measure, ts []token, i, j int) float64 {
	room := m.end + 1000 - ts[i].start // ms until the next caption
	if j < len(ts) {
		room = ts[j].start - ts[i].start
	}
	cost := 1 + 3*m.pauses + 20*float64(max(l.min-room, 0))/float64(l.min)
	if m.width < l.chars/4 {
		cost += 0.8 // a very short text
	}
	if l.compliance {
		cost += sentenceInside * float64(m.sentences)
	}
	if l.speed > 0 {
		seconds := float64(max(room-l.gap, 1)) / 1000
		cost += min(3*max(float64(m.width)/seconds/l.speed-1, 0), 10)
	}
	return cost
}
