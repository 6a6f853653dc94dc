//go:build linux && amd64

package sphinx

import (
	"fmt"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"steno/messages"
	"steno/session/addon/vocabulary"
	"steno/session/asr"
	"steno/session/asr/asrtest/corpus"
)

// unspoken are names that are not spoken in any recording.
var unspoken = strings.Fields("Kubernetes PostgreSQL Grafana Prometheus Terraform Ansible Elasticsearch Kafka RabbitMQ " +
	"Cassandra Databricks Salesforce Zendesk Atlassian Spotify Netflix PyTorch Siobhan Thibault Gonzalez Venkataraman " +
	"Kowalski Takahashi Abernathy Szymanski Rasmussen Papadopoulos Okonkwo Castellano Whitfield Lufthansa Ibuprofen " +
	"Metformin Adalimumab Volkswagen Lamborghini Reykjavik Ljubljana Saskatoon Tegucigalpa Kilimanjaro Datadog Splunk " +
	"GitHub Trello Cloudflare Heroku DynamoDB TensorFlow Jupyter NumPy Anthropic Nvidia Qualcomm Xiaomi Hyundai " +
	"Maserati AstraZeneca Omeprazole Kaczmarek Chukwuemeka Lefebvre Keycloak Istio Podman Haskell Clojure")

func terms(words []string, intensity float64) []asr.Term {
	var out []asr.Term
	for _, w := range words {
		out = append(out, asr.Term{Text: w, Intensity: intensity})
	}
	return out
}

// corrected applies what follows the engine.
func corrected(r asr.Result, words []string) []string {
	intensity := 0.5
	c := messages.CustomVocabularyConfig{DefaultIntensity: &intensity}
	for _, w := range words {
		c.Vocabulary = append(c.Vocabulary, messages.VocabularyEntry{Value: w})
	}
	u := messages.Utterance{Language: "en"}
	for _, w := range r.Words {
		u.Words = append(u.Words, messages.Word{
			Word: " " + w.Text, Start: float64(w.Start) / asr.Rate, End: float64(w.End) / asr.Rate, Confidence: w.Confidence,
		})
		u.Text += " " + w.Text
	}
	return strings.Fields(vocabulary.New(c, "en").Apply(u).Text)
}

// found counts how many of the words wanted are in got, each as often as it is wanted.
func found(wanted, got []string) int {
	n, got := 0, slices.Clone(got)
	for _, w := range wanted {
		if at := slices.Index(got, w); at >= 0 {
			got = slices.Delete(got, at, at+1)
			n++
		}
	}
	return n
}

// recovery counts unusual words spoken, those recognized in three ways, and the effect of unspoken names.
type recovery struct{ unusual, corrected, engine, both, words, changed, invented int }

func (a recovery) add(b recovery) recovery {
	return recovery{a.unusual + b.unusual, a.corrected + b.corrected, a.engine + b.engine, a.both + b.both,
		a.words + b.words, a.changed + b.changed, a.invented + b.invented}
}

func (a recovery) String() string {
	share := func(n, of int) float64 { return 100 * float64(n) / float64(max(of, 1)) }
	return fmt.Sprintf("of %d words %.0f %% by correction alone, %.0f %% by the engine, %.0f %% by both; "+
		"with names nobody says %.2f %% of %d words differ, %d names appear", a.unusual, share(a.corrected, a.unusual),
		share(a.engine, a.unusual), share(a.both, a.unusual), share(a.changed, a.words), a.words, a.invented)
}

// recovered decodes a clip without its unusual words and with them, if it has any, and with unspoken names.
func recovered(t testing.TB, lacking, whole *Recognizer, c corpus.Clip, unusual []string) recovery {
	samples := c.Samples[:min(len(c.Samples), asr.MaxSamples)]
	v := recovery{unusual: len(unusual)}
	if len(unusual) > 0 {
		plain, _ := recognize(t, lacking, asr.Params{Priority: asr.Replay}, samples)
		taught, _ := recognize(t, lacking, asr.Params{Priority: asr.Replay, Vocabulary: terms(unusual, .5)}, samples)
		v.corrected = found(unusual, corrected(plain, unusual))
		v.engine = found(unusual, strings.Fields(text(taught)))
		v.both = found(unusual, corrected(taught, unusual))
	}
	known, _ := recognize(t, whole, asr.Params{Priority: asr.Replay}, samples)
	named, _ := recognize(t, whole, asr.Params{Priority: asr.Replay, Vocabulary: terms(unspoken, .5)}, samples)
	after := corrected(named, unspoken)
	score, _ := corpus.Align(strings.Fields(text(known)), after)
	v.words, v.changed = len(known.Words), score.Errors
	for _, w := range after {
		if slices.Contains(unspoken, w) {
			v.invented++
		}
	}
	return v
}

// On a book read aloud: unspoken names change nothing at all; a spoken name that the engine takes for other words is
// recognized.
func TestVocabularyOfABook(t *testing.T) {
	r := shared(t)
	heard := func(samples []int16, vocabulary ...string) asr.Result {
		final, _ := recognize(t, r, asr.Params{Priority: asr.Replay, Vocabulary: terms(vocabulary, .5)}, samples)
		return final
	}
	whole := librivox(t, "0880")
	if plain, named := heard(whole), heard(whole, unspoken...); !reflect.DeepEqual(named, plain) {
		t.Errorf("names that nobody says make of %q %q", text(plain), text(named))
	}
	begins := librivox(t, "0870")[:3*asr.Rate] // "and mister John Dashwood had ..."
	if said := text(heard(begins, "Dashwood", "Kubernetes")); !strings.Contains(said, "Dashwood") || strings.Contains(said, "Kubernetes") {
		t.Errorf("%q has no Dashwood, or a Kubernetes", said)
	}
}

// The live pass and the final recognize "will home" for a word that they do not know. Partials have no confidences, so
// the vocabulary's word is in them; it must be in the final too, which is a little surer of the common words.
func TestVocabularyWordOfAPartialIsInTheFinal(t *testing.T) {
	words := strings.Fields("eunuch improvisation nuzhat whilome zaman")
	for _, c := range corpus.Read(t, func(e corpus.Entry) bool { return strings.HasSuffix(e.File, "/2033-164914-0008.flac") }) {
		spoken := utterances(c.Samples, asr.Rate/4, 5*asr.Rate)[3]
		final, _ := recognize(t, shared(t), asr.Params{Vocabulary: terms(words, .5)}, spoken)
		if got := corrected(final, words); !slices.Contains(got, "whilome") {
			t.Errorf("final %q, of %v", got, final.Words)
		}
	}
}

// The effect of a vocabulary of words that the engine cannot know, and that unspoken names change nothing. On every
// forty-fourth recording of read English from the eighth on, where the search prefers an unspoken name and only the evidence
// is against it; with STENO_TEST_ALL=1 on all of them: there most words are found.
func TestVocabularyOnRecordings(t *testing.T) {
	nth, n := 44, 0
	if os.Getenv("STENO_TEST_ALL") != "" {
		nth = 1
	}
	clips := corpus.Read(t, func(e corpus.Entry) bool {
		if !corpus.ReadEnglish(e) {
			return false
		}
		n++
		return n%nth == 8%nth
	})
	common := vocabulary.Common()
	var all []string
	for _, c := range clips {
		all = append(all, corpus.RareWords(c.Words, common)...)
	}
	lacking := start(t, Config{Slots: 2, Decoders: 1, Vocabularies: 1, Dict: corpus.DictionaryWithout(t, DefaultDict, all)})
	whole := shared(t)
	var sum recovery
	for _, c := range clips {
		sum = sum.add(recovered(t, lacking, whole, c, corpus.RareWords(c.Words, common)))
	}
	t.Log(len(clips), "clips:", sum)
	if sum.changed > 0 || sum.invented > 0 {
		t.Errorf("names nobody says change %d words, %d appear", sum.changed, sum.invented)
	}
	if sum.unusual == 0 || sum.both <= sum.corrected || nth == 1 && 2*sum.both <= sum.unusual {
		t.Errorf("too few words are found: %v", sum)
	}
}
