package chapters

import (
	"testing"

	"steno/session/addon/sentences"
	"steno/session/addon/summary/terms"
)

// TestFirstWords checks that words that open a subject are distinguished from words that continue
// one, in each language with a list.
func TestFirstWords(t *testing.T) {
	announced, refers, neither := evidence{announced: true}, evidence{refers: true}, evidence{}
	for _, c := range []struct {
		language, text string
		want           evidence
	}{
		{"en", "Okay, moving on to the roof repairs.", announced},
		{"en", "And now the last question, garden fences.", announced},
		{"en-GB", "Let’s talk about garden fences.", announced},
		{"en", "LET'S TALK ABOUT GARDEN FENCES", announced},
		{"en", "They need garden fences.", refers},
		{"en", "But garden fences rot.", refers},
		{"en", "Garden fences protect their owners.", neither},
		{"en", "Garden them with fences.", evidence{pronoun: true}},
		{"de", "Gut, kommen wir zum Dach der Turnhalle.", announced},
		{"de", "Darüber ärgern sich Nachbarn.", refers},
		{"fr", "Alors, passons maintenant au toit du gymnase.", announced},
		{"fr", "Mais elles coûtent trop d'argent.", refers},
		{"es", "Bueno, pasemos al techo del gimnasio.", announced},
		{"es", "Pero ellos pagan facturas.", refers},
		{"it", "Bene, passiamo al tetto della palestra.", announced},
		{"it", "Però loro pagano bollette.", refers},
		{"cs", "Ale oni platí účty.", neither},
	} {
		reader := terms.New()
		s := sentences.Sentence{Text: c.text, Language: c.language}
		if got := newHabits(reader).in(c.language).evidence(sentences.Sentence{Text: "Rain fell."}, s, reader); got !=
			c.want {
			t.Errorf("%s, %q: %+v", c.language, c.text, got)
		}
	}
}

func TestAnswersAndSilence(t *testing.T) {
	reader := terms.New()
	e := newHabits(reader).in("en").evidence(sentences.Sentence{Text: "Who pays?"}, sentences.Sentence{Text: "Nobody.",
		Language: "en"}, reader)
	if !e.answers || !e.empty {
		t.Errorf("%+v", e)
	}
	soon, late := unit{evidence: e, pause: 0.5}, unit{evidence: e, pause: forgotten + 1}
	if soon.opening() >= 0 || late.opening() != 0 {
		t.Errorf("%v after a breath, %v after silence", soon.opening(), late.opening())
	}
}
