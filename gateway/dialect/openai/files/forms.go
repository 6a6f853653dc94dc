package files

import (
	"bytes"
	"compress/zlib"
	"fmt"
	"math"
	"strings"

	"steno/gateway/dialect/openai"
	"steno/messages"
)

// usage is what is counted of a request.
type usage struct {
	Type    string  `json:"type"`
	Seconds float64 `json:"seconds"`
}

func usageOf(c content) usage { return usage{"duration", c.duration} }

// logprob is the logarithm of the probability of a word.
type logprob struct {
	Token   string             `json:"token"`
	Logprob float64            `json:"logprob"`
	Bytes   messages.List[int] `json:"bytes"`
}

type language struct {
	Code string `json:"code"`
}

type plain struct {
	Text      string     `json:"text"`
	Logprobs  []logprob  `json:"logprobs,omitempty"`
	Languages []language `json:"languages,omitempty"`
	Usage     usage      `json:"usage"`
}

// plain is the short form.
func (q request) plain(c content) plain {
	p := plain{Text: c.text, Usage: usageOf(c), Logprobs: q.logprobsOf(c.utterances)}
	if c.language != "" {
		p.Languages = []language{{c.language}}
	}
	return p
}

// logprobsOf returns the probabilities of words where they were asked for.
func (q request) logprobsOf(us []messages.Utterance) (list []logprob) {
	if !q.logprobs {
		return nil
	}
	for i := range us {
		for _, w := range us[i].TimedWords() {
			list = append(list, logprob{Token: w.Word, Logprob: logOf(w.Confidence), Bytes: bytesOf(w.Word)})
		}
	}
	return list
}

// leastLog is the logarithm that stands for those of the smallest probabilities.
const leastLog = -20

func logOf(probability float64) float64 {
	if probability <= 0 {
		return leastLog
	}
	return max(math.Log(min(probability, 1)), leastLog)
}

func bytesOf(text string) messages.List[int] {
	list := make(messages.List[int], len(text))
	for i := range len(text) {
		list[i] = int(text[i])
	}
	return list
}

// segment is a piece of the text in the verbose form.
type segment struct {
	ID               int                `json:"id"`
	Seek             int                `json:"seek"`
	Start            float64            `json:"start"`
	End              float64            `json:"end"`
	Text             string             `json:"text"`
	Tokens           messages.List[int] `json:"tokens"` // never null
	Temperature      float64            `json:"temperature"`
	AvgLogprob       float64            `json:"avg_logprob"`
	CompressionRatio float64            `json:"compression_ratio"`
	NoSpeechProb     float64            `json:"no_speech_prob"`
}

type word struct {
	Word  string  `json:"word"`
	Start float64 `json:"start"`
	End   float64 `json:"end"`
}

type verbose struct {
	Task     task                   `json:"task" enum:"transcribe,translate"`
	Language string                 `json:"language"` // English name
	Duration float64                `json:"duration"`
	Text     string                 `json:"text"`
	Segments messages.List[segment] `json:"segments,omitzero"`
	Words    messages.List[word]    `json:"words,omitzero"`
	Usage    usage                  `json:"usage"`
}

// verbose is the long form.
func (q request) verbose(c content) verbose {
	v := verbose{Task: q.task, Language: openai.LanguageName(c.language), Duration: c.duration, Text: c.text,
		Usage: usageOf(c)}
	if q.segments {
		v.Segments = messages.List[segment]{}
	}
	if q.words {
		v.Words = messages.List[word]{}
	}
	for i := range c.utterances {
		u := &c.utterances[i]
		if q.segments {
			v.Segments = append(v.Segments, segment{
				ID: i, Start: u.Start, End: u.End, Text: u.Text, Temperature: q.temperature,
				AvgLogprob: logOf(u.Confidence), CompressionRatio: compressionRatio(u.Text),
			})
		}
		if !q.words {
			continue
		}
		for _, w := range u.TimedWords() {
			v.Words = append(v.Words, word{strings.TrimSpace(w.Word), w.Start, w.End})
		}
	}
	return v
}

// compressionRatio is how much shorter a text is when it is compressed, by which clients find
// repetitions.
func compressionRatio(text string) float64 {
	var b bytes.Buffer
	z := zlib.NewWriter(&b)
	_, _ = z.Write([]byte(text)) // a buffer takes everything
	_ = z.Close()
	return math.Round(1000*float64(len(text))/float64(max(b.Len(), 1))) / 1000
}

// turn is a segment of one speaker.
type turn struct {
	Type    string  `json:"type"`
	ID      string  `json:"id"`
	Start   float64 `json:"start"`
	End     float64 `json:"end"`
	Text    string  `json:"text"`
	Speaker string  `json:"speaker"`
}

type diarized struct {
	Task     task                `json:"task" enum:"transcribe,translate"`
	Duration float64             `json:"duration"`
	Text     string              `json:"text"`
	Segments messages.List[turn] `json:"segments"`
	Usage    usage               `json:"usage"`
}

func (q request) diarized(c content) diarized {
	return diarized{Task: q.task, Duration: c.duration, Text: c.text, Segments: turnsOf(c.utterances),
		Usage: usageOf(c)}
}

// turnsOf returns the utterances with the letters of their speakers, in the order in which these
// first speak. Each channel has speakers of its own.
func turnsOf(us []messages.Utterance) messages.List[turn] {
	type voice struct{ channel, speaker int }
	letters, turns := map[voice]string{}, messages.List[turn]{}
	for i := range us {
		v := voice{us[i].Channel, -1}
		if us[i].Speaker != nil {
			v.speaker = *us[i].Speaker
		}
		if letters[v] == "" {
			letters[v] = letter(len(letters))
		}
		turns = append(turns, turn{Type: typeSegment, ID: fmt.Sprintf("seg_%d", i), Start: us[i].Start, End: us[i].End,
			Text: us[i].Text, Speaker: letters[v]})
	}
	return turns
}

// letter returns the name of the nth speaker, from 0: A to Z, then AA.
func letter(n int) string {
	if n < 26 {
		return string(rune('A' + n))
	}
	return letter(n/26-1) + letter(n%26)
}
