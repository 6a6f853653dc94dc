package subtitles

import (
	"errors"
	"math"

	"steno/messages"
)

// limits bound the captions of one file.
type limits struct {
	// min and max bound the time for which a caption is shown, gap is the least time between two
	// captions; all in ms.
	min, max, gap int64
	chars, rows   int
	// speed is how many characters a second can be read; 0: any.
	speed float64
	// end is the end of the recording, in ms, and the latest end of a caption.
	end        int64
	compliance bool
}

// twoFrames is the duration of two frames at 24 frames per second, rounded up to ms.
const twoFrames = 84

// limitsOf returns the limits of a config, with defaults for a language where the config has none.
func limitsOf(c messages.SubtitlesConfig, language string) (limits, error) {
	if err := check(c); err != nil {
		return limits{}, err
	}
	c = c.WithDefaults()
	l := limits{end: math.MaxInt64, compliance: c.Style == "compliance", rows: *c.MaximumRowsPerCaption,
		chars: or(c.MaximumCharactersPerRow, rowLength(language))}
	if l.compliance {
		l.gap, l.speed = twoFrames, readingSpeed(language)
	}
	least, most := *c.MinimumDuration, *c.MaximumDuration
	// The tolerance is for decimal fractions that binary numbers cannot represent.
	l.max = int64(math.Floor(most*1000 + 1e-6))
	l.min = min(max(int64(math.Ceil(min(least, most)*1000-1e-6)), 1), l.max)
	return l, nil
}

func or[T any](p *T, otherwise T) T {
	if p == nil {
		return otherwise
	}
	return *p
}

func check(c messages.SubtitlesConfig) error {
	switch low, high := or(c.MinimumDuration, 0), or(c.MaximumDuration, 1); {
	case !(low >= 0):
		return errors.New("minimum_duration must not be less than 0")
	case !(high >= 1 && high <= 30):
		return errors.New("maximum_duration must be from 1 to 30")
	case or(c.MaximumCharactersPerRow, 1) < 1:
		return errors.New("maximum_characters_per_row must not be less than 1")
	case or(c.MaximumRowsPerCaption, 1) < 1 || or(c.MaximumRowsPerCaption, 1) > 5:
		return errors.New("maximum_rows_per_caption must be from 1 to 5")
	case c.Style != "" && c.Style != "default" && c.Style != "compliance":
		return errors.New("style must be one of default, compliance")
	}
	return nil
}

// RowLength returns the default of maximum_characters_per_row for utterances, in grapheme clusters.
// It depends on the language of most of their text.
func RowLength(us []messages.Utterance) int { return rowLength(language(us)) }

// rowLength returns the length of a row in grapheme clusters. It and readingSpeed follow the public
// style guides of streaming services for timed text.
func rowLength(language string) int {
	switch language {
	case "zh", "ko":
		return 16
	case "ja":
		return 13
	}
	return 42
}

// readingSpeed returns how many characters per second a reader can follow.
func readingSpeed(language string) float64 {
	switch language {
	case "en":
		return 20
	case "zh":
		return 9
	case "ko":
		return 12
	case "ja":
		return 4
	}
	return 17
}

// language returns the language with the most text.
func language(us []messages.Utterance) string {
	lengths := map[string]int{}
	most := ""
	for _, u := range us {
		lengths[u.Language] += len(u.Text)
		if lengths[u.Language] > lengths[most] {
			most = u.Language
		}
	}
	return most
}
