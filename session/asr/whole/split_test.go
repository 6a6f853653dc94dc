package whole

import (
	"reflect"
	"testing"
)

func TestSplit(t *testing.T) {
	for text, want := range map[string][]string{
		"  Hello,  wörld! ": {"Hello,", "wörld!"},
		"我们去 Tokyo吧。":       {"我", "们", "去", "Tokyo", "吧。"},
		"「こんにちは」とコーヒー":      {"「こ", "ん", "に", "ち", "は」", "と", "コー", "ヒー"},
		"안녕 하세요":            {"안녕", "하세요"},
		"สวัสดีครับ":        {"สวัสดีครับ"},
		"":                  nil,
	} {
		if got := Split(text); !reflect.DeepEqual(got, want) {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}
