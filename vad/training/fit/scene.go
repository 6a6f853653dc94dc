package main

import (
	"math/rand/v2"
	"slices"

	"steno/vad/training/corpus"
	"steno/vad/training/matrix"
	"steno/vad/training/noise"
)

const (
	sceneFrames  = 1000
	sceneSamples = sceneFrames * corpus.Frame
)

// spoken is the level around which speech is put before the scene gets its own, rms.
const spoken = 0.1

// scene is ten seconds of sound and what is to be answered.
type scene struct {
	r      *rand.Rand
	stock  *stock
	x      []float32
	speech []float32
	weight []float32
}

// recipe is how the scenes of a round of training are made.
type recipe struct {
	rate                          float64 // of learning, at most
	words, phrases, conversations float64 // shares of scenes; in the rest nothing is spoken
	anything, lasting             mixture
	telephone                     float64 // share of scenes that come over one
	brief                         float64 // how readily a noise of five seconds is taken, against longer ones
}

// rounds are the recipes of the rounds, one after the other: first more words, then more
// noise, last more of what rooms and telephones are full of.
var rounds = [...]recipe{
	{4e-3, .33, .28, .14, mixture{.34, .18, .24, .10, .08, .06}, mixture{.40, .25, .23, .05, .04, .03}, .2, 1},
	{3e-3, .33, .25, .12, mixture{.34, .15, .20, .16, .09, .06}, mixture{.48, .23, .18, .05, .03, .03}, .2, 1},
	{3e-3, .31, .22, .15, mixture{.36, .13, .18, .18, .09, .06}, mixture{.54, .21, .15, .04, .03, .03}, .3, .3},
}

// stock is what scenes are made of.
type stock struct {
	of     map[kind][]*source
	recipe recipe
}

func newStock(all []*source) *stock {
	s := &stock{of: map[kind][]*source{}, recipe: rounds[0]}
	for _, src := range all {
		s.of[src.kind] = append(s.of[src.kind], src)
	}
	return s
}

// scene makes the scene of a number, always the same of the same number.
func (k *stock) scene(seed uint64) *scene {
	s := &scene{
		r: noise.Seed(seed), stock: k,
		x: make([]float32, sceneSamples), speech: make([]float32, sceneFrames), weight: slices.Repeat([]float32{1},
			sceneFrames),
	}
	switch p := s.r.Float64(); {
	case p < k.recipe.words:
		s.utterances(true)
		s.surround()
	case p < k.recipe.words+k.recipe.phrases:
		s.utterances(false)
		s.surround()
	case p < k.recipe.words+k.recipe.phrases+k.recipe.conversations:
		s.conversation()
		s.surround()
	default:
		s.nothingSpoken()
	}
	s.carry()
	return s
}

func (s *scene) chance(p float64) bool          { return s.r.Float64() < p }
func (s *scene) between(a, b float64) float64   { return between(s.r, a, b) }
func (s *scene) some(k kind) *source            { return s.stock.of[k][s.r.IntN(len(s.stock.of[k]))] }
func (s *scene) seconds(a, b float64) (n int)   { return noise.Seconds(s.between(a, b)) }
func (s *scene) add(n []float32, level float64) { matrix.Axpy(s.x, n, float32(level)) }
func (s *scene) decibels(a, b float64) float64  { return noise.Gain(s.between(a, b)) }

// utterances puts words, or phrases, with pauses; among them what are no words.
func (s *scene) utterances(single bool) {
	at, level := s.seconds(0.05, 3), s.between(-6, 6)
	if s.chance(0.3) {
		at = s.seconds(0, 0.05)
	}
	for at < sceneSamples-3000 {
		if s.chance(0.22) { // out of silence, as words come
			n := s.event()
			s.place(at, clip{samples: n, weight: slices.Repeat([]float32{2}, len(n)/corpus.Frame)},
				spoken*noise.Gain(level+s.between(-10, 6)))
			at += len(n) + s.seconds(0.1, 2)
			continue
		}
		c := s.pick(single)
		if len(c.speech) < 8 {
			continue
		}
		gain := spoken * noise.Gain(level+s.between(-4, 4)) / c.level()
		if s.chance(0.3) {
			c.samples = coloured(c.samples, s.r)
		}
		s.place(at, c, gain)
		at += len(c.samples)
		if single {
			at += s.seconds(0.25, 3.5)
		} else {
			at += s.seconds(0.2, 3)
		}
	}
}

// clip is a part of a source.
type clip struct {
	samples, speech, weight []float32
}

func (src *source) cut(from, to int) clip {
	from, to = max(from, 0), min(to, len(src.speech))
	return clip{src.samples[from*corpus.Frame : to*corpus.Frame], src.speech[from:to], src.weight[from:to]}
}

// level is the rms where speech is.
func (c clip) level() float64 {
	var loud []float32
	for i, p := range c.speech {
		if p > 0.5 {
			loud = append(loud, c.samples[i*corpus.Frame:(i+1)*corpus.Frame]...)
		}
	}
	if len(loud) > 3*corpus.Frame {
		return rms(loud)
	}
	return max(rms(c.samples), 0.02)
}

// pick takes a word or a part of speech as long as one, or else a phrase.
func (s *scene) pick(single bool) clip {
	if single && s.chance(0.75) {
		w := s.weighed(word)
		if s.chance(0.35) {
			return tight(w)
		}
		return w.cut(0, len(w.speech))
	}
	p := s.weighed(phrase)
	long := int(s.between(80, 600))
	if single {
		long = int(s.between(25, 90))
	}
	last := max(1, len(p.speech)-long)
	from := s.r.IntN(last)
	if single || s.chance(0.5) { // begin within speech
		for range 20 {
			if at := s.r.IntN(last); p.speech[at] > 0.7 {
				from = at
				break
			}
		}
	}
	return p.cut(from, from+long)
}

// weighed takes a source, longer ones of phrases and rarer words more often.
func (s *scene) weighed(k kind) *source {
	for {
		src := s.some(k)
		if s.r.Float64() < src.share() {
			return src
		}
	}
}

// tight is the word without what is before and after it: digital silence surrounds it.
func tight(w *source) clip {
	from := slices.IndexFunc(w.speech, func(p float32) bool { return p > 0.5 })
	if from < 0 {
		return w.cut(0, len(w.speech))
	}
	to := len(w.speech)
	for to > from && w.speech[to-1] <= 0.5 {
		to--
	}
	return w.cut(from-2, to+3)
}

// place adds a clip, faded over 5 ms at its ends, at a sample, from a whole frame on.
func (s *scene) place(at int, c clip, gain float64) {
	first := at / corpus.Frame
	frames := min(len(c.samples)/corpus.Frame, sceneFrames-first)
	if frames <= 0 {
		return
	}
	x := slices.Clone(c.samples[:frames*corpus.Frame])
	fade := min(80, len(x)/4)
	for i := range fade {
		g := float32(i) / float32(fade)
		x[i] *= g
		x[len(x)-1-i] *= g
	}
	matrix.Axpy(s.x[first*corpus.Frame:], x, float32(gain))
	for i := range min(frames, len(c.speech)) {
		s.speech[first+i] = max(s.speech[first+i], c.speech[i])
	}
	copy(s.weight[first:first+frames], c.weight)
}

// conversation takes a part of one; some begin in the middle.
func (s *scene) conversation() {
	src := s.some(conversation)
	from := s.r.IntN(max(1, len(src.speech)-sceneFrames))
	c := src.cut(from, from+sceneFrames)
	if s.chance(0.3) {
		skip := s.r.IntN(400)
		c = clip{c.samples[skip*corpus.Frame:], c.speech[skip:], c.weight[skip:]}
	}
	copy(s.speech, c.speech)
	copy(s.weight, c.weight)
	s.add(c.samples, spoken/c.level())
}

// surround puts speech into a room and among noises.
func (s *scene) surround() {
	if s.chance(0.28) {
		s.x = room(s.x, s.r)
	}
	if s.chance(0.2) { // something sounds for a while
		n := s.noise(sceneSamples, recorded)
		a, b := s.r.IntN(sceneSamples), s.r.IntN(sceneSamples)
		s.add(only(n, min(a, b), max(a, b)), spoken*s.decibels(-22, -3))
	}
	switch p := s.r.Float64(); {
	case p < 0.3:
		s.add(s.noise(sceneSamples, faint), spoken*s.decibels(-60, -30))
	case p < 0.72:
		below := s.between(0, 1)
		s.add(s.noise(sceneSamples, s.stock.recipe.anything), spoken*noise.Gain(-30*below*between(s.r, 0.6, 1)))
	}
}

// only is x between two samples and zeros elsewhere.
func only(x []float32, from, to int) []float32 {
	clear(x[:from])
	clear(x[to:])
	return x
}

// nothingSpoken is noise: events one after the other, or one that lasts.
func (s *scene) nothingSpoken() {
	if s.chance(0.4) {
		for at := s.seconds(0, 1.5); at < sceneSamples-3000; at += s.seconds(0.05, 2) {
			n := s.event()
			s.place(at, clip{samples: n}, spoken*s.decibels(-14, 6))
			at += len(n)
		}
		if s.chance(0.6) {
			s.add(s.noise(sceneSamples, faint), spoken*s.decibels(-60, -25))
		}
	} else {
		s.add(s.noise(sceneSamples, s.stock.recipe.lasting), spoken)
	}
	if s.chance(0.35) {
		s.add(s.noise(sceneSamples, s.stock.recipe.anything), spoken*s.decibels(-30, 6))
	}
	if s.chance(0.15) {
		a, b := s.r.IntN(sceneSamples), s.r.IntN(sceneSamples)
		clear(s.x[min(a, b):max(a, b)])
	}
	for i := range s.weight {
		s.weight[i] = 2
	}
}

// carry is what lies between the sound and the samples: a line, a microphone, a level.
func (s *scene) carry() {
	switch p := s.r.Float64(); {
	case p < s.stock.recipe.telephone:
		s.x = telephone(s.x, s.r)
	case p < s.stock.recipe.telephone+0.1:
		lowpass(s.between(2500, 6500), 0.707).run(s.x)
	case p < s.stock.recipe.telephone+0.18:
		highpass(s.between(80, 400), 0.707).run(s.x)
	}
	if s.chance(0.35) {
		s.x = coloured(s.x, s.r)
	}
	level := s.between(-62, -4)
	if s.chance(0.7) {
		level = s.between(-45, -14)
	}
	gain := float32(noise.Gain(level) / spoken)
	for i := range s.x {
		s.x[i] *= gain
	}
	if s.chance(0.5) { // dither and quiet electronics
		rms := float32(noise.Gain(20*s.between(-0.6, 1.3)) / 32768)
		for i := range s.x {
			s.x[i] += rms * float32(s.r.NormFloat64())
		}
	}
	if s.chance(0.05) {
		offset := float32(s.between(-0.02, 0.02))
		for i := range s.x {
			s.x[i] += offset
		}
	}
}
