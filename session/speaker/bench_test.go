package speaker

import "testing"

// chatter is three people for so many seconds, about.
func longDialogue(seconds int) conversation {
	var lines []line
	for i := 0; i < seconds; i += 4 {
		lines = append(lines, line{(i/4 + i/12) % 3, 2 + float64(i%7)/2})
	}
	return scene([]person{man, woman, child}, lines...)
}

// BenchmarkDiarize takes half an hour of three people in turn, and four hours of them.
func BenchmarkDiarize(b *testing.B) {
	for name, minutes := range map[string]int{"30 min": 30, "4 h 15 min": 255} {
		b.Run(name, func(b *testing.B) {
			c := longDialogue(60 * minutes)
			var turns []Turn
			b.ReportAllocs()
			for b.Loop() {
				turns = mustDiarize(b, c.samples, nil, Count{})
			}
			b.ReportMetric(float64(len(c.samples))/rate*float64(b.N)/b.Elapsed().Seconds(), "x-real-time")
			b.ReportMetric(float64(speakers(turns)), "speakers")
		})
	}
}

// BenchmarkTracker takes utterances of 3 s.
func BenchmarkTracker(b *testing.B) {
	x := man.speech(3, 1)
	k := NewTracker(0)
	b.ReportAllocs()
	for b.Loop() {
		k.Add(x)
	}
}
