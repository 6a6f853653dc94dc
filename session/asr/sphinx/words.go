package sphinx

import (
	"slices"
	"strings"

	"steno/session/asr"
)

// frame is the distance of the decoder's frames in samples (10 ms).
const frame = asr.Rate / 100

// segment is one stretch of the decoder's best path, a word or something else. Frames count from
// the utterance's start; end is exclusive.
type segment struct {
	word       string
	start, end int
	posterior  float64
	acoustic   float64    // mean logarithm of a frame's likelihood, relative to the likeliest sound there
	taught     *addedWord // if the decoder added it
	clear      bool       // recognized clearly enough to count; of an added word
}

// before returns the segments whose middle lies in the first n samples.
func before(path []segment, n int) []segment {
	return slices.DeleteFunc(slices.Clone(path), func(s segment) bool { return (s.start+s.end)*frame/2 >= n })
}

// words returns the real words of a best path, with times clamped to the n samples.
func words(path []segment, n int) []asr.Word {
	var out []asr.Word
	for _, s := range path {
		text := s.text()
		if text == "" {
			continue
		}
		start := min(max(s.start, 0)*frame, n)
		out = append(out, asr.Word{
			Text:       text,
			Start:      start,
			End:        min(max(s.end*frame, start), n),
			Confidence: confidence(s.posterior),
		})
	}
	return out
}

func (s segment) text() string {
	if s.taught != nil {
		return s.taught.text
	}
	return spelling(s.word)
}

// untimed splits the text of a live pass into words without times and confidences.
func untimed(text string) []asr.Word {
	var out []asr.Word
	for _, f := range strings.Fields(text) {
		if w := spelling(f); w != "" {
			out = append(out, asr.Word{Text: w})
		}
	}
	return out
}

// spelling removes a dictionary entry's variant mark ("the(2)"). Silences and noises (<s>, <sil>,
// [NOISE], ++UM++) have no spelling.
func spelling(entry string) string {
	if entry == "" || strings.ContainsRune("<[", rune(entry[0])) || strings.HasPrefix(entry, "++") {
		return ""
	}
	if i := strings.LastIndexByte(entry, '('); i > 0 && strings.HasSuffix(entry, ")") {
		entry = entry[:i]
	}
	return entry
}

// calibration maps a word's posterior (left) to the share of words with that posterior that were
// right (right), measured on read and spontaneous English cut at pauses of 0.3 s. Raw posteriors
// are far too high.
var calibration = [...][2]float64{{0, .17}, {.1, .25}, {.35, .45}, {.65, .56}, {.88, .69}, {1, .86}}

// confidence maps a posterior probability to the probability that the word is right, in [0.17,
// 0.86]. The library's logarithm tables return values slightly above 1.
func confidence(posterior float64) float64 {
	for i := 1; i < len(calibration); i++ {
		low, high := calibration[i-1], calibration[i]
		if posterior <= high[0] {
			share := max(posterior-low[0], 0) / (high[0] - low[0])
			return low[1] + share*(high[1]-low[1])
		}
	}
	return calibration[len(calibration)-1][1]
}
