//go:build linux && amd64

package sphinx

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"steno/session/asr"
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

// On a book read aloud: names that are not spoken change nothing at all; a spoken name that the
// engine takes for other words is recognized among them.
func TestVocabularyOfABook(t *testing.T) {
	r := shared(t)
	heard := func(samples []int16, vocabulary ...string) asr.Result {
		final, _ := recognize(t, r, asr.Params{Priority: asr.Replay, Vocabulary: terms(vocabulary, .5)}, samples)
		return final
	}
	names := append(slices.Clone(unspoken), "Dashwood")
	sentence := librivox(t, "0880")
	if plain, named := heard(sentence), heard(sentence, names...); !reflect.DeepEqual(named, plain) {
		t.Errorf("names that are not spoken make of %q %q", text(plain), text(named))
	}
	var said []string
	for _, w := range heard(librivox(t, "0870")[:3*asr.Rate], names...).Words { // "and mister John Dashwood had ..."
		if slices.Contains(names, w.Text) {
			said = append(said, w.Text)
		}
	}
	if !slices.Equal(said, []string{"Dashwood"}) {
		t.Errorf("the names heard are %q", said)
	}
}
