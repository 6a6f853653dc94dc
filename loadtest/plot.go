package loadtest

import (
	"cmp"
	"fmt"
	"html"
	"html/template"
	"math"
	"slices"
	"strings"
	"unicode/utf8"
)

// plot is a diagram with lines. It is drawn twice, for wide and for narrow screens.
type plot struct {
	id     string // on the page
	title  string // for people who do not see it
	xLabel string
	xTicks []tick  // by rising value
	xLimit float64 // right end; the left one is xFrom
	xFrom  float64 // left end
	yText  func(float64) string
	yLimit float64 // top; 0: from the lines
	yWhole bool    // values are whole numbers
	lines  []line
	mark   *mark // a value of x that is pointed out
	level  *tick // a value of y that is promised
}

// tick is a value with its text.
type tick struct {
	at   float64
	text string
}

// line is a row of points, by rising x.
type line struct {
	name   string
	style  string // "accent", "second" or "third"
	points []point
	dots   bool
}

type point struct{ x, y float64 }

// mark points a value of x out. What lies beyond it is hatched.
type mark struct {
	x, y float64
	text string
}

// drawing is a plot at one size of a drawing, in units of its own.
type drawing struct {
	plot                     *plot
	class                    string
	width, height            float64
	left, top, right, bottom float64 // of the field of the lines
	yTop                     float64
	b                        strings.Builder
}

// large returns the plot at the width of the page.
func (p *plot) large() template.HTML {
	return p.draw(
		drawing{class: "wide", width: 1112, left: 64, top: 14, right: 990, bottom: 328},
		drawing{class: "narrow", width: 358, left: 52, top: 14, right: 296, bottom: 248},
	)
}

// small returns the plot at half the width of the page.
func (p *plot) small() template.HTML {
	return p.draw(
		drawing{class: "wide", width: 536, left: 64, top: 10, right: 426, bottom: 166},
		drawing{class: "narrow", width: 358, left: 52, top: 10, right: 278, bottom: 156},
	)
}

func (p *plot) draw(drawings ...drawing) template.HTML {
	var all strings.Builder
	for i := range drawings {
		d := &drawings[i]
		d.plot = p
		d.yTop = p.top()
		d.height = d.bottom + 30
		if p.xLabel != "" {
			d.height += 22
		}
		all.WriteString(d.draw())
	}
	return template.HTML(all.String())
}

// top is the greatest value of y that is shown.
func (p *plot) top() float64 {
	top := p.yLimit
	if top == 0 {
		for _, l := range p.lines {
			for _, at := range l.points {
				top = max(top, at.y)
			}
		}
	}
	if top <= 0 {
		top = 1
	}
	step := p.yStep(top)
	return math.Ceil(top/step-1e-9) * step
}

// yStep is the distance of the ticks of y: 1, 2 or 5 times a power of ten, for two to five of them.
func (p *plot) yStep(top float64) float64 {
	step := math.Pow(10, math.Floor(math.Log10(top/2)))
	for _, factor := range []float64{5, 2} {
		if top/(step*factor) >= 2 {
			step *= factor
			break
		}
	}
	if p.yWhole {
		step = max(step, 1)
	}
	return step
}

// hatched reports whether anything lies beyond the mark.
func (p *plot) hatched() bool { return p.mark != nil && p.mark.x < p.xLimit }

func (d *drawing) x(v float64) float64 {
	share := (v - d.plot.xFrom) / max(d.plot.xLimit-d.plot.xFrom, 1e-9)
	return d.left + share*(d.right-d.left)
}

func (d *drawing) y(v float64) float64 { return d.bottom - v/d.yTop*(d.bottom-d.top) }

func (d *drawing) printf(format string, args ...any) { fmt.Fprintf(&d.b, format, args...) }

func (d *drawing) draw() string {
	d.printf(`<svg class="%s" viewBox="0 0 %g %g" role="img" aria-label="%s">`, d.class, d.width, d.height,
		html.EscapeString(d.plot.title))
	d.printf(`<clipPath id="c-%s-%s"><rect x="%g" y="%g" width="%g" height="%g"/></clipPath>`, d.plot.id, d.class,
		d.left-4, d.top, d.right-d.left+8, d.bottom-d.top+4)
	d.beyond()
	d.axes()
	d.promise()
	for _, l := range d.plot.lines {
		d.line(l)
	}
	d.names()
	d.pointOut()
	d.b.WriteString(`</svg>`)
	return d.b.String()
}

func (d *drawing) axes() {
	p := d.plot
	step := p.yStep(d.yTop)
	for v := 0.0; v <= d.yTop*(1+1e-9); v += step {
		d.printf(`<line x1="%g" x2="%g" y1="%.1f" y2="%.1f" class="grid"/><text x="%g" y="%.1f" `+
			`text-anchor="end">%s</text>`,
			d.left, d.right, d.y(v), d.y(v), d.left-8, d.y(v)+4, p.yText(v))
	}
	every := d.every()
	for i, t := range p.xTicks {
		if i%every == 0 {
			d.printf(`<text x="%.1f" y="%g" text-anchor="middle">%s</text>`, d.x(t.at), d.bottom+22,
				html.EscapeString(t.text))
		}
	}
	if p.xLabel != "" {
		d.printf(`<text x="%g" y="%g" text-anchor="end" class="axis">%s</text>`, d.right, d.bottom+42,
			html.EscapeString(p.xLabel))
	}
}

// every is of how many ticks of x one is shown, so that none touches another.
func (d *drawing) every() int {
	const character, apart = 7.2, 8
	for n := 1; ; n++ {
		end, touches := math.Inf(-1), false
		for i := 0; i < len(d.plot.xTicks); i += n {
			t := d.plot.xTicks[i]
			half := character * float64(utf8.RuneCountInString(t.text)) / 2
			touches = touches || d.x(t.at)-half < end+apart
			end = d.x(t.at) + half
		}
		if !touches {
			return n
		}
	}
}

// beyond hatches what lies beyond the mark.
func (d *drawing) beyond() {
	m := d.plot.mark
	if !d.plot.hatched() {
		return
	}
	d.printf(`<pattern id="h-%s-%s" width="6" height="6" patternUnits="userSpaceOnUse" `+
		`patternTransform="rotate(-45)"><rect width="1" height="6" class="hatch"/></pattern>`, d.plot.id, d.class)
	d.printf(`<rect x="%.1f" y="%g" width="%.1f" height="%g" fill="url(#h-%s-%s)" opacity=".6"/>`, d.x(m.x), d.top,
		d.right-d.x(m.x), d.bottom-d.top, d.plot.id, d.class)
}

func (d *drawing) promise() {
	if l := d.plot.level; l != nil && l.at <= d.yTop {
		d.printf(`<line x1="%g" x2="%g" y1="%.1f" y2="%.1f" class="promise"/><text class="lab" x="%g" `+
			`y="%.1f">%s</text>`,
			d.left, d.right, d.y(l.at), d.y(l.at), d.left+8, d.y(l.at)-8, html.EscapeString(l.text))
	}
}

func (d *drawing) line(l line) {
	d.printf(`<polyline class="%s" clip-path="url(#c-%s-%s)" points="`, l.style, d.plot.id, d.class)
	for _, at := range l.points {
		d.printf("%.1f,%.1f ", d.x(at.x), d.y(at.y))
	}
	d.b.WriteString(`"/>`)
	if !l.dots {
		return
	}
	radius := 2
	if l.style == "accent" {
		radius = 3
	}
	for _, at := range l.points {
		if at.y <= d.yTop {
			d.printf(`<circle class="%s" cx="%.1f" cy="%.1f" r="%d"><title>%s, %g: %s</title></circle>`, l.style,
				d.x(at.x), d.y(at.y), radius,
				html.EscapeString(l.name), at.x, d.plot.yText(at.y))
		}
	}
}

// names writes the names of the lines at their ends, none over another one.
func (d *drawing) names() {
	type name struct {
		line *line
		last point
		y    float64
	}
	var all []name
	for i := range d.plot.lines {
		if l := &d.plot.lines[i]; len(l.points) > 0 {
			last := l.points[len(l.points)-1]
			all = append(all, name{l, last, d.y(last.y)})
		}
	}
	slices.SortStableFunc(all, func(a, b name) int { return cmp.Compare(a.y, b.y) })
	const apart = 16
	for i, y := 0, d.top+8; i < len(all); i, y = i+1, all[i].y+apart { // from the top on
		all[i].y = max(all[i].y, y)
	}
	for i, y := len(all)-1, d.bottom; i >= 0; i, y = i-1, all[i].y-apart { // and from the bottom
		all[i].y = min(all[i].y, y)
	}
	for _, n := range all {
		text := n.line.name
		if d.class == "wide" {
			text += ", " + d.plot.yText(n.last.y)
		}
		d.printf(`<text class="lab %s" x="%.1f" y="%.1f">%s</text>`, n.line.style, d.right+10, n.y+4,
			html.EscapeString(text))
	}
}

func (d *drawing) pointOut() {
	m := d.plot.mark
	if m == nil {
		return
	}
	x, anchor, away := d.x(m.x), "end", -10.0
	if x < d.left+(d.right-d.left)/3 {
		anchor, away = "start", 10
	}
	d.printf(`<line x1="%.1f" x2="%.1f" y1="%g" y2="%g" class="mark"/><circle cx="%.1f" cy="%.1f" r="5" `+
		`class="mark"/>`, x, x, d.top, d.bottom, x, d.y(min(m.y, d.yTop)))
	d.printf(`<text class="lab accent strong" x="%.1f" y="%g" text-anchor="%s">%s</text>`, x+away, d.top+16, anchor,
		html.EscapeString(m.text))
}

// delayText returns a delay in seconds as people write it.
func delayText(s float64) string {
	switch {
	case s == 0:
		return "0"
	case s < 0.01:
		return fmt.Sprintf("%.2g ms", 1e3*s)
	case s < 0.9995:
		return fmt.Sprintf("%.0f ms", 1e3*s)
	case s < 999.5:
		return fmt.Sprintf("%.3g s", s)
	}
	return fmt.Sprintf("%.0f s", s)
}

// numberText returns a plain number.
func numberText(v float64) string {
	if v < 10 {
		return fmt.Sprintf("%.2g", v)
	}
	return grouped(v)
}
