package redact_test

import (
	"strings"
	"testing"
)

// TestNamedAfterwards hides what is named only after it was said.
func TestNamedAfterwards(t *testing.T) {
	for _, c := range []struct{ language, in, want string }{
		{"en", "seven zero three nine, that's my pin", " [PASSWORD_1], that's my pin"},
		{"en", "Seven zero three nine. It's my PIN.", " [PASSWORD_1]. It's my PIN."},
		{"en", "7039. This is the PIN.", " [PASSWORD_1]. This is the PIN."},
		{"en", "7039 would be the passcode", " [PASSWORD_1] would be the passcode"},
		{"en", "7 0 3 9|B: is that your pin?|yes, that's my pin",
			" [PASSWORD_1]| is that your pin?| yes, that's my pin"},
		{"en", "eight oh one|that's the security code", " [CVV_1]| that's the security code"},
		{"en", "eleven twenty nine, that's the card's expiry", " [CREDIT_CARD_EXPIRATION_1], that's the card's expiry"},
		{"en", "four four one seven, those are the last four of my social",
			" [SSN_1], those are the last four of my social"},
		{"en", "nine nine two one four four, that's the account number",
			" [ACCOUNT_NUMBER_1], that's the account number"},
		{"en", "K 4 4 7 1 2, that's her license plate", " [VEHICLE_ID_1], that's her license plate"},
		{"en", "marmalade nineteen is my password", " [PASSWORD_1] is my password"},
		{"en", "purple monkey dishwasher, that's the passphrase", " [PASSWORD_1], that's the passphrase"},
		{"en", "may ninth seventy one, that's his date of birth", " [DOB_1], that's his date of birth"},
		{"en", "June second. That's when she was born.", " [DOB_1]. That's when she was born."},
		{"de", "sieben null drei neun, das ist meine PIN", " [PASSWORD_1], das ist meine PIN"},
		{"de", "Sieben null drei neun.|B: Ist das Ihre PIN?|Ja, das ist meine PIN.",
			" [PASSWORD_1].| Ist das Ihre PIN?| Ja, das ist meine PIN."},
		{"fr", "sept zéro trois neuf, c'est mon code PIN", " [PASSWORD_1], c'est mon code PIN"},
		{"es", "siete cero tres nueve, ese es mi PIN", " [PASSWORD_1], ese es mi PIN"},
		{"it", "sette zero tre nove è il mio PIN", " [PASSWORD_1] è il mio PIN"},
		{"pt", "sete zero três nove é o meu PIN", " [PASSWORD_1] é o meu PIN"},
		{"nl", "zeven nul drie negen is mijn pincode", " [PASSWORD_1] is mijn pincode"},
		// "It's" is no part of an address.
		{"en", "what is your email? It's lena at example dot com.", " what is your email? It's [EMAIL_ADDRESS_1]."},
		{"en", "the one for the invoices, my email, it's lena dot ruiz at example dot com",
			" the one for the invoices, my email, it's [EMAIL_ADDRESS_1]"},
	} {
		us := talk(c.in)
		for i := range us {
			us[i].Language = c.language
		}
		if got := strings.Join(texts(hide(marker(), us...)), "|"); got != c.want {
			t.Errorf("%s, %q: %q", c.language, c.in, got)
		}
	}
}

// TestNothingNamed leaves what stands before such words by chance.
func TestNothingNamed(t *testing.T) {
	for _, in := range []string{
		"what bothers me most is my password",
		"the biggest trouble was the password",
		"very safe, that's my password",
		"it was reset on monday, that's the password manager",
		"I know that my account number is long",
		"we paid forty two fifty for your account",
		"she waited four days for her passport",
		"we moved in two thousand and five, that was my birthday party",
	} {
		if got := texts(hide(marker(), talk(in)...))[0]; got != " "+in {
			t.Errorf("%q", got)
		}
	}
}
