package entities_test

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"steno/messages"
	"steno/session/addon/entities"
)

func words(s string) []messages.Word {
	var list []messages.Word
	for i, f := range strings.Fields(s) {
		list = append(list, messages.Word{Word: " " + f, Start: float64(i), End: float64(i) + 0.5})
	}
	return list
}

// check reports whether a list of found entities keeps what Find promises.
func check(t interface{ Errorf(string, ...any) }, list []messages.Word, found []entities.Found) {
	end := 0
	for _, f := range found {
		if f.From < end || f.To <= f.From || f.To > len(list) {
			t.Errorf("range [%d,%d) behind %d of %d words", f.From, f.To, end, len(list))
			return
		}
		end = f.To
		if whole := text(list, f.From, f.To); f.Text != entities.Trim(f.Type, f.Text) ||
			!strings.Contains(whole, f.Text) {
			t.Errorf("text %q of %q", f.Text, whole)
		}
		if f.Type == "" || f.Value == "" {
			t.Errorf("empty type or value of %q", f.Text)
		}
	}
}

// pieces are what random sentences are made of: all that the grammar knows of.
func pieces() []string {
	return strings.Fields(`one two nineteen twenty eighty hundred thousand oh double triple point dot at underscore dash slash plus a b i o e
		and of the in on to from is my name number account card social passport license march may third second monday am pm p m
		year years old dollars cents percent half quarter past o'clock doctor mr john smith will mark street avenue apartment
		texas zip code born email password username www com pdf degrees north latitude blood type negative positive broken leg
		mg tablets llc hospital spelled iban vin icd ten 415-555-0199 4111 $25 3/4/1985 E11.9 10:30 @x 25% John, Smith. I'm "x
		é ß 世界 🙂 -- ... ' " ( ) # 1HGCM82633A004352 0 00000 99999999999999999999 1,000.5 p.m. U.S. as between until box`)
}

func TestPromises(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		list := words(strings.Join(rapid.SliceOfN(rapid.SampledFrom(pieces()), 0, 40).Draw(t, "words"), " "))
		begins := rapid.SliceOfN(rapid.IntRange(0, 40), 0, 12).Draw(t, "begins")
		slices.Sort(begins)
		language := rapid.SampledFrom([]string{"en", "", "de", "fr"}).Draw(t, "language")
		found := entities.FindAcross(list, begins, language, nil)
		check(t, list, found)
		if again := entities.FindAcross(list, begins, language, nil); !reflect.DeepEqual(found, again) {
			t.Errorf("%v, then %v", found, again)
		}
		only := map[string]bool{"PHONE_NUMBER": true, "NAME_GIVEN": true}
		for _, f := range entities.FindAcross(list, begins, language, only) {
			if !only[f.Type] {
				t.Errorf("found %s", f.Type)
			}
		}
	})
}

func FuzzFind(f *testing.F) {
	f.Add("call me at four one five five five five zero one nine nine", "en")
	f.Add("Dr. O'Neil's card: 4111-1111-1111-1111 (exp. 09/26)", "")
	f.Add("\xff\xfe ̈ \u202e 12\u00a034", "de")
	f.Add("'s ' .. -- a-b- 1- -1 +", "en")
	f.Fuzz(func(t *testing.T, s, language string) {
		list := words(s)
		check(t, list, entities.Find(list, language))
		list = []messages.Word{{Word: s}, {}, {Word: s}}
		check(t, list, entities.Find(list, language))
	})
}

// TestTimeGrowsWithLength runs what could be slow at two lengths: four times the words may not cost
// much more than four times the allocations.
func TestTimeGrowsWithLength(t *testing.T) {
	for _, unit := range []string{"one", "double", "a", "4111", "dot", "oh", "plus", "number", "twenty",
		"x underscore", "is", "march third", "one hundred and", "is my account number one"} {
		cost := func(n int) float64 {
			list := words(strings.Repeat(unit+" ", n))
			return testing.AllocsPerRun(1, func() { entities.Find(list, "en") })
		}
		if small, large := cost(100), cost(400); large > 8*small+1000 {
			t.Errorf("%q: %.0f allocations for 100, %.0f for 400", unit, small, large)
		}
	}
}

func BenchmarkFind(b *testing.B) {
	list := words(strings.Repeat("so my name is john smith and you can call me at four one five five five five zero one nine nine after ten thirty a m ", 4))
	for b.Loop() {
		entities.Find(list, "en")
	}
}
