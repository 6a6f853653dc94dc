//go:build linux && amd64

package sphinx

import (
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
			Word: " " + w.Text, Start: float64(w.Start) / asr.Rate, End: float64(w.End) / asr.Rate,
			Confidence: w.Confidence,
		})
		u.Text += " " + w.Text
	}
	return strings.Fields(vocabulary.New(c, "en").Apply(u).Text)
}

// On a book read aloud: unspoken names change nothing at all; a spoken name that the engine takes
// for other words is recognized.
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
	if said := text(heard(begins, "Dashwood", "Kubernetes")); !strings.Contains(said, "Dashwood") ||
		strings.Contains(said, "Kubernetes") {
		t.Errorf("%q has no Dashwood, or a Kubernetes", said)
	}
}

// The live pass and the final recognize "will home" for a word that they do not know. Partials have
// no confidences, so the vocabulary's word is in them; it must be in the final too, which is a
// little surer of the common words.
func TestVocabularyWordOfAPartialIsInTheFinal(t *testing.T) {
	words := strings.Fields("eunuch improvisation nuzhat whilome zaman")
	for _, c := range corpus.Read(t, func(e corpus.Entry) bool {
		return strings.HasSuffix(e.File,
			"/2033-164914-0008.flac")
	}) {
		spoken := utterances(c.Samples, asr.Rate/4, 5*asr.Rate)[3]
		final, _ := recognize(t, shared(t), asr.Params{Vocabulary: terms(words, .5)}, spoken)
		if got := corrected(final, words); !slices.Contains(got, "whilome") {
			t.Errorf("final %q, of %v", got, final.Words)
		}
	}
}
