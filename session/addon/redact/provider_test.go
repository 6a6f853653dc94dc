package redact_test

import (
	"reflect"
	"testing"

	"steno/messages"
	"steno/session/addon/entities"
	"steno/session/addon/redact"
)

// TestToldByOthers checks that what another provider found is redacted wherever it occurs, beside
// what is found here. What has another type or lies outside of the words is not.
func TestToldByOthers(t *testing.T) {
	us := []messages.Utterance{said(0, "the Oktoberfest, with john smith"),
		said(1, "we met at the Oktoberfest in Flumberg.")}
	told := [][]entities.Found{nil, {
		entities.InRange("EVENT", us[1].Words, 4, 5, "en"), entities.InRange("LOCATION_CITY", us[1].Words, 6, 7, "en"),
		{Type: "EVENT", From: 6, To: 9}, {Type: "EVENT", From: -1, To: 1}, {Type: "EVENT", From: 2, To: 2},
	}}
	r := redact.New(messages.PIIRedactionConfig{EntityTypes: []string{"EVENT", "NAME"}})
	list, hidden := r.All(us, told)
	for i, want := range []string{" the [EVENT_1], with [NAME_1]", " we met at the [EVENT_1] in Flumberg."} {
		if list[i].Text != want {
			t.Errorf("%q, want %q", list[i].Text, want)
		}
	}
	want := [][]messages.Entity{
		{{EntityType: "EVENT", Text: "[EVENT_1]", Start: 1, End: 1.8}, {EntityType: "NAME", Text: "[NAME_1]", Start: 3,
			End: 4.8}},
		{{EntityType: "EVENT", Text: "[EVENT_1]", Start: 4, End: 4.8}},
	}
	if !reflect.DeepEqual(hidden, want) {
		t.Errorf("told to be hidden: %+v", hidden)
	}
	if got := r.Silences(); len(got) != 3 {
		t.Errorf("silences %+v", got)
	}
	if got := hide(r, written("Oktoberfest!"))[0]; got.Text != "[EVENT_1]!" {
		t.Errorf("%q", got.Text)
	}
}

// TestShortNamesOfOtherScripts hides names that somebody else found where they are said again,
// though their script writes them with few signs, and keeps the names of several people apart.
func TestShortNamesOfOtherScripts(t *testing.T) {
	for _, c := range []struct {
		language string
		in       []string
		names    [][2]int // of each utterance, the words that are a name; empty: none is passed
		want     []string
	}{
		{"zh", []string{"我 叫 张 伟", "张 伟 再见"}, [][2]int{{2, 4}, {}}, []string{" 我 叫 [NAME_1]", " [NAME_1] 再见"}},
		{"hi", []string{"मेरा नाम मीना है", "यह मोनू है", "मोनू और मीना का मन"}, [][2]int{{2, 3}, {1, 2}, {}},
			[]string{" मेरा नाम [NAME_1] है", " यह [NAME_2] है", " [NAME_2] और [NAME_1] का मन"}},
		{"ko", []string{"저는 김 훈 입니다", "김훈 씨"}, [][2]int{{1, 3}, {}}, []string{" 저는 [NAME_1] 입니다", " [NAME_1] 씨"}},
	} {
		var us []messages.Utterance
		told := make([][]entities.Found, len(c.in))
		for i, text := range c.in {
			u := said(0, text)
			u.Language = c.language
			us = append(us, u)
			if at := c.names[i]; at[1] > 0 {
				told[i] = []entities.Found{entities.InRange("NAME", u.Words, at[0], at[1], c.language)}
			}
		}
		list, _ := marker("NAME").All(us, told)
		for i, want := range c.want {
			if list[i].Text != want {
				t.Errorf("%s: %q, want %q", c.language, list[i].Text, want)
			}
		}
	}
}

// TestPunctuationStays keeps the marks of the sentence around what is hidden, and tells it without
// them.
func TestPunctuationStays(t *testing.T) {
	for in, want := range map[string][2]string{
		"Mail me: john@example.com, please.": {" Mail me: [EMAIL_ADDRESS_1], please.", "[EMAIL_ADDRESS_1]"},
		"It was John's.":                     {" It was [NAME_GIVEN_1]'s.", "[NAME_GIVEN_1]"},
		"Call (415) 555-0199!":               {" Call [PHONE_NUMBER_1]!", "[PHONE_NUMBER_1]"},
		"My SSN is 123-45-6789.":             {" My SSN is [SSN_1].", "[SSN_1]"},
	} {
		list, hidden := marker().All([]messages.Utterance{said(0, in)}, nil)
		if list[0].Text != want[0] || len(hidden[0]) != 1 || hidden[0][0].Text != want[1] {
			t.Errorf("%q: %q, %+v", in, list[0].Text, hidden)
		}
	}
}
