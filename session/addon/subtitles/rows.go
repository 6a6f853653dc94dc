package subtitles

import (
	"math"
	"strings"
)

// wrap fills rows greedily, which needs the fewest rows because tokens are not divided.
type wrap struct {
	chars      int
	rows, used int // used is the width of the last row
}

func (w *wrap) add(t token) {
	if w.rows > 0 && w.used+t.gap()+t.width <= w.chars {
		w.used += t.gap() + t.width
		return
	}
	w.rows, w.used = w.rows+1, t.width
}

// gap returns the width of the space before a token within a row.
func (t token) gap() int {
	if t.glued {
		return 0
	}
	return 1
}

// rowsOf returns the least number of rows that hold the tokens.
func (l limits) rowsOf(ts []token) int {
	w := wrap{chars: l.chars}
	for _, t := range ts {
		w.add(t)
	}
	return w.rows
}

// layout divides a caption into as few rows as possible. Of the divisions with that number it takes
// the one that breaks at good places and has rows of similar length, and otherwise the longer row
// below.
func (l limits) layout(ts []token, language string) []string {
	rows := l.rowsOf(ts)
	from := l.breaks(ts, rows, language)
	texts := make([]string, rows)
	for r, j := rows-1, len(ts); r >= 0; r-- {
		i := from[r][j]
		texts[r] = text(ts[i:j])
		j = i
	}
	return texts
}

// breaks returns, for each row r and each number j of tokens in the rows 0 to r, the index of the
// token that begins row r.
func (l limits) breaks(ts []token, rows int, language string) [][]int {
	total := 0
	for _, t := range ts {
		total += t.width + t.gap()
	}
	mean := float64(total) / float64(rows)
	ends := l.rowEnds(ts, language)
	best := make([]float64, len(ts)+1) // least cost of the rows so far with j tokens
	for j := range best[1:] {
		best[j+1] = math.Inf(1)
	}
	from := make([][]int, rows)
	for r := range rows {
		from[r] = make([]int, len(ts)+1)
		best = l.addRow(ts, best, from[r], mean, 0.01*float64(rows-r), ends)
	}
	return from
}

// addRow returns the least costs with one more row, and sets from[j] to the token with which that
// row begins. weight is the cost of a full row, mean the width that rows should have, ends[j] the
// cost of ending a row with token j.
func (l limits) addRow(ts []token, before []float64, from []int, mean, weight float64, ends []float64) []float64 {
	after := make([]float64, len(before))
	for j := range after {
		after[j] = math.Inf(1)
	}
	for i := range ts {
		width := 0
		for j := i; j < len(ts) && !math.IsInf(before[i], 1); j++ {
			if width += ts[j].width; j > i {
				width += ts[j].gap()
			}
			if width > l.chars {
				break
			}
			off := (float64(width) - mean) / float64(l.chars)
			cost := before[i] + 12*off*off + weight*float64(width)/float64(l.chars) + ends[j]
			if cost < after[j+1] {
				after[j+1], from[j+1] = cost, i
			}
		}
	}
	return after
}

// rowEnds returns the cost of ending a row with each token. In the default style the lengths of the
// rows count for more.
func (l limits) rowEnds(ts []token, language string) []float64 {
	ends := make([]float64, len(ts))
	for j := range ends[1:] {
		if ends[j] = cutCost(ts[j], ts[j+1], language); !l.compliance {
			ends[j] /= 2
		}
	}
	return ends
}

// text returns the text of a row.
func text(ts []token) string {
	var b strings.Builder
	for i, t := range ts {
		if i > 0 && !t.glued {
			b.WriteByte(' ')
		}
		b.WriteString(t.text)
	}
	return b.String()
}
