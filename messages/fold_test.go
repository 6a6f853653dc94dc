package messages

import "testing"

func TestFold(t *testing.T) {
	for _, c := range []struct {
		language, a, b string
		same           bool
	}{
		{"tr", "IŞIK", "ışık", true}, {"tr", "İZMİR", "izmir", true}, {"tr-TR", "I\u0307zmir", "izmir", true},
		{"tr", "IZMIR", "izmir", false},
		{"az", "BAKI", "bakı", true}, {"en", "IZMIR", "izmir", true}, {"en", "İzmir", "izmir", true},
		{"", "ışık", "isik", false},
		{"de", "STRASSE", "Straße", true}, {"de", "GROẞ", "groß", true}, {"de", "Maße", "Masse", true},
		{"fr", "E\u0301TE\u0301", "été", true},
		{"el", "ΟΔΥΣΣΕΥΣ", "Οδυσσεύς", true}, {"el", "σ", "ς", true}, {"", "ΣΑΣ", "σας", true},
		{"es", "año", "ano", false}, {"ru", "МОСКВА", "москва", true},
	} {
		if got := Fold(c.a, c.language) == Fold(c.b, c.language); got != c.same {
			t.Errorf("%s: %q and %q are %q and %q", c.language, c.a, c.b, Fold(c.a, c.language), Fold(c.b, c.language))
		}
		if once := Fold(c.a, c.language); Fold(once, c.language) != once {
			t.Errorf("%s: %q folds to %q", c.language, once, Fold(once, c.language))
		}
	}
	if FoldAny("IŞIK") != FoldAny("ışık") || FoldAny("İPEK") != FoldAny("ipek") {
		t.Error("kinds of i differ where the language is not known")
	}
}
