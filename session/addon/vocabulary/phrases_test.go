package vocabulary

import (
	"testing"

	"steno/messages"
)

// partly has entries of which only a part is said, and what is said.
var partly = [][2]string{
	{"New York Times", "I moved to new york in may"},
	{"New York Times", "the weather in new york is bad"},
	{"New York Times", "hard times in york"},
	{"New York Times", "a new york"},
	{"Microsoft Teams", "we use microsoft at work"},
	{"Microsoft Teams", "microsoft"},
	{"Microsoft Teams", "the teams at microsoft"},
	{"Microsoft Teams", "most teams do"},
	{"Visual Studio Code", "visual studio is nice"},
	{"Visual Studio Code", "visual studio and more"},
	{"Visual Studio Code", "a studio code of conduct"},
	{"Machine Learning Engineer", "machine learning is fun"},
	{"Machine Learning Engineer", "machine learning and engines"},
	{"customer relationship management", "the customer relationship is good"},
	{"customer relationship management", "a customer relationship"},
	{"Bank of America", "the bank of england said"},
	{"Bank of America", "made in america of course"},
	{"San Francisco Giants", "i love san francisco"},
	{"San Francisco Giants", "san francisco in june is cold"},
	{"United States of America", "the united states of"},
	{"Manchester United", "he plays for manchester"},
	{"Manchester United", "in manchester you eat well"},
	{"Google Docs", "open the google maps"},
	{"living room lamp of doom", "turn on the living room lamp"},
	{"quick brown fox", "the quick brown"},
	{"quick brown fox", "the quick brown dog jumps"},
	{"Amazon Web Services", "amazon web is down"},
	{"Amazon Web Services", "the amazon is a river"},
	{"general practitioners association", "she is a general practitioner now"},
	{"natural language processing", "natural language"},
	{"natural language processing", "natural language is hard to process"},
	{"Deep Learning Specialization", "i like deep learning"},
	{"White House Staff", "we sat in the white house"},
	{"White House Staff", "white house of the family"},
	{"Call Me Maybe", "call me tomorrow"},
	{"Call Me Maybe", "call me by noon"},
	{"Big Data Analytics", "big data is"},
	{"your country club", "what you can do for your country"},
	{"your country club", "ask not what your country can do for you"},
	{"Kubernetes Cluster", "a cluster of stars"},
	{"Kubernetes Cluster", "kubernetes is here"},
	{"Siobhan Murphy", "murphy is on time"},
	{"Acme Widgets", "acme is where i work"},
	{"Data-Science", "the data is old"},
	{"GPT-4", "ask gpt about it"},
	{"Raspberry Pi", "a raspberry in the garden"},
	{"Fernando Alonso", "fernando came along with us"},
	{"Salesforce Cloud", "the sales force could not"},
	{"Apple Watch Ultra", "my apple watch is old"},
	{"Tesla Model Three", "the model three of us built"},
}

// Words of an entry that nobody said are not put in, however many of the others were said.
func TestPartlySaid(t *testing.T) {
	for _, intensity := range []float64{.2, .5, .8} {
		for _, c := range partly {
			k := corrector(intensity, c[0])
			for _, confidence := range []float64{.99, .5, 0} {
				if got := k.Apply(said(c[1], confidence)).Text; got != c[1] {
					t.Errorf("confidence %v, intensity %v, entry %q: %q becomes %q", confidence, intensity, c[0],
						c[1], got)
				}
			}
		}
	}
}

// What was said is written as the entry is: as it is, joined or divided otherwise, in signs, or
// heard wrongly in part.
func TestWhollySaid(t *testing.T) {
	for _, c := range []struct {
		value, text, want     string
		confidence, intensity float64
	}{
		{"New York Times", "the new york times says", "the New York Times says", .99, .2},
		{"New York Times", "the newyork times says", "the New York Times says", .99, .2},
		{"New York Times", "the new york thymes says", "the New York Times says", .99, .5},
		{"New York Times", "a gnu yorck tymes in may", "a New York Times in may", .5, .5},
		{"Microsoft Teams", "on microsoft teems, now", "on Microsoft Teams, now", .99, .5},
		{"Microsoft Teams", "on micro soft teams now", "on Microsoft Teams now", .99, .5},
		{"Postgres", "in post gres now", "in Postgres now", .99, .5},
		{"Salesforce Cloud", "the sales force clowd", "the Salesforce Cloud", .9, .5},
		{"Windows 11", "on windows eleven now", "on Windows 11 now", .99, .2},
		{"Johnson & Johnson", "at johnson and johnson", "at Johnson & Johnson", .99, .2},
		{"GPT-4", "ask GPT for help", "ask GPT for help", .99, .5},
		{"GPT-4", "ask GPT four help", "ask GPT-4 help", .99, .5},
		{"Raspberry Pi", "on a raspberry pie", "on a Raspberry Pi", .5, .5},
		{"Raspberry Pi", "on a raspberry pie", "on a raspberry pie", .99, .5},
		{"Raspberry Pi", "on a raspberry pie", "on a Raspberry Pi", .99, .8},
		{"Machine Learning Engineer", "a machine learning enjineer", "a Machine Learning Engineer", .9, .5},
		{"Machine Learning Engineer", "two machine learning engineers", "two machine learning engineers", .5, .8},
		{"Bank of America", "the banc of amerika said", "the Bank of America said", .9, .5},
		{"Eleanor Rigby", "it is ellen orrigby again", "it is Eleanor Rigby again", .5, .5},
		{"Fernando Alonso", "it was for nando a lonso", "it was Fernando Alonso", .5, .5},
		{"Acme Widgets", "at ackme widjets today", "at Acme Widgets today", .5, .2},
		{"GitHub", "on get hub today", "on GitHub today", .9, .5},
	} {
		if got := corrector(c.intensity, c.value).Apply(said(c.text, c.confidence)).Text; got != c.want {
			t.Errorf("%q at confidence %v, intensity %v: %q becomes %q, want %q", c.value, c.confidence, c.intensity,
				c.text, got, c.want)
		}
	}
}

// The same holds for the words of an entry's pronunciations.
func TestPronunciationsPartlySaid(t *testing.T) {
	k := New(messages.CustomVocabularyConfig{Vocabulary: []messages.VocabularyEntry{
		{Value: "kubectl", Pronunciations: []string{"cube control"}},
		{Value: "NYT", Pronunciations: []string{"new york times"}},
		{Value: "Acme Widgets Ltd", Pronunciations: []string{"ackwil"}},
	}}, "en")
	for text, want := range map[string]string{
		"run cube control now":    "run kubectl now",
		"run cube controll now":   "run kubectl now",
		"the cube is red":         "the cube is red",
		"out of control":          "out of control",
		"the new york times says": "the NYT says",
		"moved to new york in":    "moved to new york in",
		"shares of ackwill fell":  "shares of Acme Widgets Ltd fell",
	} {
		for _, confidence := range []float64{.99, .5, 0} {
			if got := k.Apply(said(text, confidence)).Text; got != want {
				t.Errorf("%q becomes %q, want %q", text, got, want)
			}
		}
	}
}
