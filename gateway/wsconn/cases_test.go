package wsconn

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// cases are what a client may do, by the groups that conformance suites have: sizes, pings,
// reserved bits and opcodes, parts, UTF-8, closes.
func cases() map[string]string {
	all := map[string]string{}
	bye := f(0x88, "\x03\xe8")
	add := func(name, sent string) {
		all[name] = sent
		all[name+", then a message"] = sent + f(0x81, "after") + bye
	}
	addSizes(add)
	addHeads(add)
	addParts(add)
	addTexts(add)
	addCloses(add)
	return all
}

func addSizes(add func(name, sent string)) {
	for _, n := range []int{0, 1, 125, 126, 127, 128, 255, 256, 65535, 65536, 1 << 17} {
		for kind, first := range map[string]byte{"text": 0x81, "binary": 0x82} {
			add(fmt.Sprintf("%s of %d bytes", kind, n), f(first, strings.Repeat("*", n)))
		}
	}
	for _, n := range []int{0, 1, 4, 125, 126, 300, 65536} {
		for kind, first := range map[string]byte{"ping": 0x89, "pong": 0x8a} {
			add(fmt.Sprintf("%s of %d bytes", kind, n), f(first, strings.Repeat("\xfe", n)))
		}
	}
	many := ""
	for i := range 10 {
		many += f(0x89, fmt.Sprint("payload ", i)) + f(0x8a, "unasked")
	}
	add("ten pings and pongs", many)
}

// addHeads adds each reserved bit and each opcode, alone, after a message, after a ping and
// between the parts of a message, with and without a payload.
func addHeads(add func(name, sent string)) {
	for head := range 256 {
		for _, payload := range []string{"", "payload"} {
			frame := f(byte(head), payload)
			add(fmt.Sprintf("head %#02x, %q", head, payload), frame)
			add(fmt.Sprintf("head %#02x, %q behind a message", head, payload), f(0x81, "before")+frame+f(0x89, ""))
			add(fmt.Sprintf("head %#02x, %q between parts", head, payload), f(0x01, "one ")+frame+f(0x80, "two"))
		}
	}
}

func addParts(add func(name, sent string)) {
	for _, first := range []byte{1, 2} {
		for _, between := range []string{"", f(0x89, "ping"), f(0x8a, "pong"), f(0x89, "a") + f(0x89, "b")} {
			for _, sizes := range [][]int{{0, 0}, {1, 1}, {0, 5, 0}, {65536, 1}, {1, 1, 1, 1, 1, 1, 1, 1}} {
				sent := ""
				for i, n := range sizes {
					head := byte(0)
					if i == 0 {
						head = first
					}
					if i == len(sizes)-1 {
						head |= 0x80
					}
					sent += f(head, strings.Repeat("x", n)) + between
				}
				add(fmt.Sprintf("opcode %d in parts of %v, %d bytes between", first, sizes, len(between)), sent)
			}
		}
	}
	add("parts without an end", f(1, "a")+f(0, "b"))
	add("a message within another", f(1, "a")+f(1, "b")+f(0x80, "c"))
}

// addTexts adds sequences of bytes that are UTF-8 and that are not, whole and one byte a part: the
// bounds of each length, surrogates, what is not a character, overlong forms, lonely bytes.
func addTexts(add func(name, sent string)) {
	texts := []string{
		"κόσμε", "Hello-µ@ßöäüàá-UTF-8!!", "\x00", "\u0080", "\u0800", "\U00010000", "\u007f", "\u07ff", "\uffff",
		"\U0010ffff", "\ud7ff", "\ue000", "\ufffd", "\ufffe", "\ufdd0", "\U0001fffe",
		"\xf8\x88\x80\x80\x80", "\xfc\x84\x80\x80\x80\x80", "\xf7\xbf\xbf\xbf", "\xf4\x90\x80\x80",
		"\xed\xa0\x80", "\xed\xaf\xbf", "\xed\xb0\x80", "\xed\xbf\xbf", "\xed\xa0\x80\xed\xb0\x80",
		"\xc0\xaf", "\xe0\x80\xaf", "\xf0\x80\x80\xaf", "\xc1\xbf", "\xe0\x9f\xbf", "\xf0\x8f\xbf\xbf",
		"\x80", "\xbf", "\x80\xbf", "\xc0", "\xe0", "\xf0", "\xf8", "\xfe", "\xff", "\xce\xba\xe1\xbd",
		"\xce\xba\xe1\xbd\xb9\xcf\x83\xce\xbc\xce\xb5\xf4\x90\x80\x80edited", "a\xe2\x82", "\xe2\x28\xa1",
	}
	for i := range 128 {
		texts = append(texts, string([]byte{byte(128 + i)})+"x", "x"+string([]byte{byte(128 + i), 0x80}))
	}
	for _, text := range texts {
		add(fmt.Sprintf("text % x", text), f(0x81, text))
		sent := f(1, "")
		for _, b := range []byte(text) {
			sent += f(0, string([]byte{b}))
		}
		add(fmt.Sprintf("text % x in parts", text), sent+f(0x80, ""))
		add(fmt.Sprintf("reason % x", text), f(0x88, "\x03\xe8"+text[:min(len(text), 123)]))
	}
}

func addCloses(add func(name, sent string)) {
	codes := []int{0, 1, 999, 1016, 1099, 1100, 2000, 2999, 3000, 3999, 4000, 4999, 5000, 65535}
	for code := 1000; code < 1016; code++ {
		codes = append(codes, code)
	}
	for _, code := range codes {
		for _, reason := range []string{"", "reason", strings.Repeat("*", 123), strings.Repeat("*", 124)} {
			add(fmt.Sprintf("close %d, a reason of %d", code, len(reason)),
				f(0x88, string([]byte{byte(code >> 8), byte(code)})+reason))
		}
	}
	add("close of one byte", f(0x88, "\x03"))
	add("close without a code", f(0x88, ""))
	add("two closes", f(0x88, "\x03\xe8")+f(0x88, "\x03\xe9"))
	add("a ping behind a close", f(0x88, "\x03\xe8")+f(0x89, "p"))
	add("a close in parts", f(0x08, "\x03\xe8")+f(0x80, ""))
}

// TestCases reads each case, cut in several ways, as a plain reading of the RFC has it. Text that
// is not UTF-8 may be noticed before its message is whole.
func TestCases(t *testing.T) {
	all := cases()
	if len(all) < 4000 {
		t.Errorf("only %d cases", len(all))
	}
	for name, sent := range all {
		want := expected([]byte(sent))
		for _, piece := range []int{1, 997, 1 << 20} {
			if piece == 1 && len(sent) > 1<<10 {
				continue
			}
			got := serve([]byte(sent), piece)
			if got.end == "violation 1007" && want.end != got.end {
				got.end, got.answers = want.end, want.answers // the rest was not read
			}
			if !slices.Equal(got.messages, want.messages) || !slices.Equal(got.answers, want.answers) ||
				got.end != want.end {
				t.Errorf("%s, %d bytes at a time: %.200q, want %.200q", name, piece, got, want)
			}
		}
	}
}
