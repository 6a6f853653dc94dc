package entities_test

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"steno/messages"
	"steno/session/addon/entities"
)

func find(s string) []entities.Found { return entities.Find(words(s), "en") }

// TestSameValue checks that different ways to speak or write a thing have the same value.
func TestSameValue(t *testing.T) {
	for want, ways := range map[string][]string{
		"4155550199": {"call four one five five five five zero one nine nine", "Call (415) 555-0199.",
			"call 415 555 0199", "call four one five triple five oh one double nine"},
		"john.smith@gmail.com": {"mail john dot smith at gmail dot com", "Mail John.Smith@gmail.com!"},
		"ingo.haas@gmx.de": {"mail i n g o dot h a a s at g m x dot d e now", "mail ingo dot haas at gmx dot de",
			"my email is i n g o dot h a a s at g m x dot de"},
		"1984-03-03": {"since the third of march nineteen eighty four", "On March 3, 1984.", "due 3/3/1984",
			"on 1984-03-03"},
		"25 USD": {"pay twenty five dollars", "Pay $25."},
		"4111111111111111": {"card 4111-1111-1111-1111",
			"card four one one one one one one one one one one one one one one one"},
		"10:30 am":       {"at ten thirty a m", "at 10:30 AM", "at 10:30am"},
		"john smith":     {"ask john smith", "Ask John Smith."},
		"example.com":    {"see www dot example dot com", "see https://example.com/", "see www.example.com."},
		"23 main street": {"at twenty three main street", "at 23 Main Street."},
	} {
		for _, way := range ways {
			if got := find(way); len(got) != 1 || got[0].Value != want {
				t.Errorf("%q: %+v, want %q", way, got, want)
			}
		}
	}
}

// TestContext checks an answer to a question, and a number in two utterances.
func TestContext(t *testing.T) {
	got := entities.FindAcross(words("what is your account number sure it's nine nine two one zero four four"),
		[]int{5}, "en", nil)
	want := []entities.Found{{Type: "ACCOUNT_NUMBER", From: 7, To: 14, Text: "nine nine two one zero four four",
		Value: "9921044"}}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("answer: %+v", got)
	}
	got = entities.FindAcross(words("call me at four one five five five five zero one nine nine thanks"), []int{9},
		"en", nil)
	if len(got) != 1 || got[0].From != 3 || got[0].To != 13 || got[0].Value != "4155550199" {
		t.Errorf("pieces: %+v", got)
	}
}

func TestOf(t *testing.T) {
	u := messages.Utterance{Language: "en", Words: words("mail jane.doe@example.org on monday")}
	want := []messages.Entity{
		{EntityType: "EMAIL_ADDRESS", Text: "jane.doe@example.org", Start: 1, End: 1.5},
		{EntityType: "DAY", Text: "monday", Start: 3, End: 3.5},
	}
	if got := entities.Of(u); !reflect.DeepEqual(got, want) {
		t.Errorf("%+v", got)
	}
	if got := entities.Of(messages.Utterance{}); got == nil || len(got) != 0 {
		t.Errorf("nothing said: %#v", got)
	}
}

// TestOnlyTypes finds what is inside a longer entity of a type not wanted.
func TestOnlyTypes(t *testing.T) {
	got := entities.FindAcross(words("i am john smith"), nil, "en", entities.Expand([]string{"NAME_GIVEN"}))
	if len(got) != 1 || got[0].Text != "john" {
		t.Errorf("%+v", got)
	}
}

func TestOtherLanguages(t *testing.T) {
	for s, want := range map[string]string{
		"Bitte an info@example.de schreiben":       "EMAIL_ADDRESS",
		"meine IBAN ist DE89370400440532013000":    "BANK_ACCOUNT",
		"appelez le +33 6 12 34 56 78 demain":      "PHONE_NUMBER",
		"la carte 4111 1111 1111 1111 est bloquée": "CREDIT_CARD",
		"das kostet 25€ im Monat":                  "MONEY",
		"ich bin Anna Schmidt aus der Stadt":       "NAME",
		"estamos en Barcelona este verano":         "LOCATION_CITY",
	} {
		got := entities.Find(words(s), "xx")
		if len(got) != 1 || got[0].Type != want {
			t.Errorf("%q: %+v, want %s", s, got, want)
		}
	}
	for _, s := range []string{"die rose will man mark may art", "on monday may will pay one hundred",
		"el paso de la montaña", "東京は日本の首都です"} {
		if got := entities.Find(words(s), "de"); len(got) > 0 {
			t.Errorf("%q: %+v", s, got)
		}
	}
}

func TestChecksums(t *testing.T) {
	for s, want := range map[string]bool{
		"use 4111 1111 1111 1111 now":    true,
		"use 4111 1111 1111 1112 now":    false,
		"to GB82WEST12345698765432 then": true,
		"to GB82WEST12345698765433 then": false,
		"buy 1HGCM82633A004352 here":     true,
		"buy 1HGCM82633A004353 here":     false,
		"the bank is 021000021 right":    true,
		"the bank is 021000022 right":    false,
		"is 219-09-9999 right":           true,
		"is 666-09-9999 right":           false,
		"is 000-12-3456 right":           false,
	} {
		sure := slices.ContainsFunc(find(s), func(f entities.Found) bool { return f.Type != "NUMERICAL_PII" })
		if sure != want {
			t.Errorf("%q: %v", s, find(s))
		}
	}
}

// every is the list of entity types that requests may name.
func every(t *testing.T) []string {
	t.Helper()
	f, ok := reflect.TypeFor[messages.PIIRedactionConfig]().FieldByName("EntityTypes")
	if !ok {
		t.Fatal("no field EntityTypes")
	}
	return strings.Split(f.Tag.Get("enum"), ",")
}

// TestEveryTypeIsSomething puts each type into exactly one of three places.
func TestEveryTypeIsSomething(t *testing.T) {
	known := every(t)
	for _, name := range known {
		n := 0
		for _, list := range [][]string{entities.Implemented(), entities.NeedsModel(), entities.Groups()} {
			if slices.Contains(list, name) {
				n++
			}
		}
		if n != 1 {
			t.Errorf("%s stands in %d lists", name, n)
		}
	}
	for _, list := range [][]string{entities.Implemented(), entities.NeedsModel(), entities.Groups()} {
		if !slices.IsSorted(list) {
			t.Errorf("not sorted: %v", list)
		}
		for _, name := range list {
			if !slices.Contains(known, name) {
				t.Errorf("%s cannot be asked for", name)
			}
		}
	}
	for _, g := range entities.Groups() {
		members, ok := entities.Group(g)
		if !ok || len(members) == 0 {
			t.Errorf("%s is empty", g)
		}
		for _, m := range members {
			if !slices.Contains(entities.Implemented(), m) && !slices.Contains(entities.NeedsModel(), m) {
				t.Errorf("%s has %s", g, m)
			}
		}
	}
	if _, ok := entities.Group("NAME"); ok {
		t.Error("NAME is no group")
	}
}

func TestExpand(t *testing.T) {
	got := entities.Expand([]string{"PCI", "NAME"})
	for _, want := range []string{"CREDIT_CARD", "CVV", "NAME", "NAME_GIVEN", "NAME_FAMILY"} {
		if !got[want] {
			t.Errorf("%s is missing in %v", want, got)
		}
	}
	if got["DATE"] {
		t.Error("DATE was not asked for")
	}
}
