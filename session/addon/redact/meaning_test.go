package redact_test

import (
	"strings"
	"testing"
)

// TestMeaning has values that only what is said around them makes known: numbers said as words, in
// groups, with "double" and "oh", spelt names, and data of cards over several sentences, turns and
// speakers.
func TestMeaning(t *testing.T) {
	for _, c := range []struct{ types, in, want string }{
		{"PHONE_NUMBER", "My number is double three, oh nine two, triple seven, one five.",
			" My number is [PHONE_NUMBER_1]."},
		{"PHONE_NUMBER", "My number is oh seven eight hundred three hundred four five six.",
			" My number is [PHONE_NUMBER_1]."},
		{"PHONE_NUMBER", "my mobile is 08 double 6 1, 2 3 5, then 7 8 4", " my mobile is [PHONE_NUMBER_1]"},
		{"PHONE_NUMBER", "six one seven, oh four four, nine nine two one", " [PHONE_NUMBER_1]"},
		{"PHONE_NUMBER", "call six one seven|B: five five five|zero one four two",
			" call [PHONE_NUMBER_1]| [PHONE_NUMBER_1]| [PHONE_NUMBER_1]"},
		{"PCI", "It's 5105 1051 0510 5100. Eleven twenty nine. Four oh six.",
			" It's [CREDIT_CARD_1]. [CREDIT_CARD_EXPIRATION_1]. [CVV_1]."},
		{"PCI", "my card is 5105105105105100 1129 406",
			" my card is [CREDIT_CARD_1] [CREDIT_CARD_EXPIRATION_1] [CVV_1]"},
		{"PCI", "51051051051051001129406", " [CREDIT_CARD_1]"},
		// As recognizers write what is said slowly, and four digits at a time.
		{"SSN", "My social is 4. 0. 2. 9. 1. 0. 3. 7. 6.", " My social is [SSN_1]."},
		{"PHONE_NUMBER", "My phone number is 6. 1. 7. 5. 5. 5. 0. 1. 4. 2.", " My phone number is [PHONE_NUMBER_1]."},
		{"PHONE_NUMBER", "Six. One. Seven. Five. Five. Five. Zero. One. Four. Two.", " [PHONE_NUMBER_1]."},
		{"PCI", "My card number is 5,105, 1,051, 0,510, 5,100.", " My card number is [CREDIT_CARD_1]."},
		{"PCI", "It's a Visa, 4929804463622139, 0931, 902.",
			" It's a Visa, [CREDIT_CARD_1], [CREDIT_CARD_EXPIRATION_1], [CVV_1]."},
		{"ACCOUNT_NUMBER", "My account number is 1,234,567.", " My account number is [ACCOUNT_NUMBER_1]."},
		{"ACCOUNT_NUMBER", "My account has 1,234,567 points.", " My account has 1,234,567 points."},
		{"", "We have two dogs. Three. Four cats.", " We have two dogs. Three. Four cats."},
		{"PCI", "the security code on the back is triple six", " the security code on the back is [CVV_1]"},
		{"PCI", "B: and the three digits on the back|uh, let me look, they are 8 1 5",
			" and the three digits on the back| uh, let me look, they are [CVV_1]"},
		{"PCI", "B: and the expiry|oh two thirty|B: and the code on the back|eight one five",
			" and the expiry| [CREDIT_CARD_EXPIRATION_1]| and the code on the back| [CVV_1]"},
		{"PCI", "My card is good until May thirty one.", " My card is good until [CREDIT_CARD_EXPIRATION_1]."},
		{"PCI",
			"the card starts with five one oh five|then one oh five one oh five one oh|" +
				"and ends with five one double oh",
			" the card starts with [CREDIT_CARD_1]| [CREDIT_CARD_1]| and ends with [CREDIT_CARD_1]"},
		{"PCI", "five one oh five one oh five one|B: oh five one oh five one oh oh",
			" [CREDIT_CARD_1]| [CREDIT_CARD_1]"},
		{"PCI", "four two four two four two four two|B: four two four two four two four two",
			" [CREDIT_CARD_1]| [CREDIT_CARD_1]"},
		{"CREDIT_CARD", "four oh one two|B: four oh one two|double eight double eight|B: eight eight eight eight|eight eight eight eight|B: yes|one double eight one",
			strings.Repeat(" [CREDIT_CARD_1]|", 5) + " yes| [CREDIT_CARD_1]"},
		{"NAME", "It is Petrov, P, E, T, R, O, V.", " It is [NAME_FAMILY_1], [NAME_FAMILY_1]."},
		{"NAME", "B: can you spell your surname|sure, b r z as in zebra e c",
			" can you spell your surname| sure, [NAME_1]"},
		{"NAME", "that's V-R-A-N-T-Z", " that's [NAME_1]"},
		{"NAME", "my surname is spelt victor romeo alpha november", " my surname is spelt [NAME_FAMILY_1]"},
		{"DOB", "B: your date of birth|three six eighty one", " your date of birth| [DOB_1]"},
		{"PCI", "B: and the security code|um, eight hundred fifteen", " and the security code| um, [CVV_1]"},
		{"PCI", "my cvv is eight hundred and fifteen", " my cvv is [CVV_1]"},
		{"PCI", "it's 5105 1051 0510 5100, eleven twenty nine, four hundred six",
			" it's [CREDIT_CARD_1], [CREDIT_CARD_EXPIRATION_1], [CVV_1]"},
		{"PCI", "the pin is eight thousand one hundred fifteen", " the pin is [PASSWORD_1]"},
		{"PCI", "the last four numbers on my visa card are ninety one, eighteen",
			" the last four numbers on my visa card are [CREDIT_CARD_1]"},
		{"LOCATION_ZIP", "near Hull, H U one, nine Z Z", " near Hull, [LOCATION_ZIP_1]"},
		{"LOCATION_ZIP", "my postal code is V six B, two W nine", " my postal code is [LOCATION_ZIP_1]"},
		{"LOCATION_ADDRESS", "i live at six Mill Road, Leeds, L S two, eight J Q", " i live at [LOCATION_ADDRESS_1]"},
		{"USERNAME", "my username is purple moose forty two", " my username is [USERNAME_1]"},
		{"USERNAME", "my handle is at purple moose seven, thanks", " my handle is at [USERNAME_1], thanks"},
		{"NAME", "My daughter's called Ngozi and he's called Lars.",
			" My daughter's called [NAME_GIVEN_1] and he's called [NAME_GIVEN_2]."},
		{"CREDIT_CARD", "B: what's the card number please|four one two nine, one one oh three, then eight eight two " +
			"oh, and then five five one three",
			" what's the card number please| [CREDIT_CARD_1]"},
		// fifteen of sixteen digits are not the whole number
		{"PCI", "my card begins with five one oh five one oh five one oh five and, I think, one oh five one oh " +
			"and finally it is zero",
			" my card begins with [CREDIT_CARD_1] and, I think, [CREDIT_CARD_1] and finally it is [CREDIT_CARD_1]"},
		{"DOB", "B: and your date of birth|sixth of the twelfth, fifty nine", " and your date of birth| [DOB_1]"},
		{"DOB", "my birthday is the second of May, oh six", " my birthday is [DOB_1]"},
		{"DOB", "he was born on May 2nd, '06, in Hull", " he was born on [DOB_1], in Hull"},
		{"DOB", "she was born in fifty nine", " she was born in [DOB_1]"},
		{"PASSWORD", "the one time passcode you texted is 771 204",
			" the one time passcode you texted is [PASSWORD_1]"},
		{"PASSWORD", "The Wi-Fi key is marmalade seventeen. My memorable word is Rutherford.",
			" The Wi-Fi key is [PASSWORD_1]. My memorable word is [PASSWORD_2]."},
		{"USERNAME", "my Instagram is at dune underscore fox", " my Instagram is at [USERNAME_1]"},
		{"NAME", "It's under the name of Zdenka Horvat. My wife, Ilse, and my boss Kwame know.",
			" It's under the name of [NAME_1]. My wife, [NAME_GIVEN_1], and my boss [NAME_GIVEN_2] know."},
		// What looks alike and is nothing of the kind.
		{"DOB", "the first of the third was cancelled, we were born in twenty houses",
			" the first of the third was cancelled, we were born in twenty houses"},
		{"NAME", "My brother Tuesday called, my Instagram is down", " My brother Tuesday called, my Instagram is down"},
		{"PCI", "the security code is on the back, that is two hundred fifty dollars",
			" the security code is on the back, that is two hundred fifty dollars"},
		{"PCI", "i paid eight hundred and fifteen dollars with my card in two thousand and twelve",
			" i paid eight hundred and fifteen dollars with my card in two thousand and twelve"},
		{"USERNAME", "my username is wrong and I called twice", " my username is wrong and I called twice"},
		{"NAME", "the game is called off and she called Tuesday", " the game is called off and she called Tuesday"},
		{"", "we counted one two three four five six seven eight nine ten",
			" we counted one two three four five six seven eight nine ten"},
		{"PCI", "my card bill was 450 dollars in march 2024, the error code is 404",
			" my card bill was 450 dollars in march 2024, the error code is 404"},
		{"NAME", "they work at I B M in the U S A", " they work at I B M in the U S A"},
		{"", "i have two dogs|B: three cats|four birds|B: five fish",
			" i have two dogs| three cats| four birds| five fish"},
	} {
		var types []string
		if c.types != "" {
			types = []string{c.types}
		}
		if got := strings.Join(texts(hide(marker(types...), talk(c.in)...)), "|"); got != c.want {
			t.Errorf("%s in %q: %q, want %q", c.types, c.in, got, c.want)
		}
	}
}

// TestDictatedSecrets hides codes that were sent, and what is spelt in lists.
func TestDictatedSecrets(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{"the code they sent me was eight oh three, double one six",
			" the code they sent me was [PASSWORD_1]"},
		{"B: I have texted you a code.|Right, it's 803116.", " I have texted you a code.| Right, it's [PASSWORD_1]."},
		{"803 116. That's the code I got.", " [PASSWORD_1]. That's the code I got."},
		{"The door code is star nine nine four one.", " The door code is star [PASSWORD_1]."},
		{"the three on the back, six oh two", " the three on the back, [CVV_1]"},
		{"On the back it says six oh two.", " On the back it says [CVV_1]."},
		{"My driver's licence is R 5 5 0 1 2 7.", " My driver's licence is [DRIVER_LICENSE_1]."},
		{"Here is my licence, it's R 5 5 0 1 2 7.", " Here is my licence, it's [DRIVER_LICENSE_1]."},
		{"my student i d is U 1 2 3 4 5 6 7", " my student i d is [NUMERICAL_PII_1]"},
		// Of another length than it should have.
		{"my passport number is one two three four", " my passport number is [PASSPORT_NUMBER_1]"},
		{"My CVV is 6 0 2 4 4.", " My CVV is [CVV_1]."},
		{"The VIN is one H G C M eight two six three three A oh oh four.", " The VIN is [VEHICLE_ID_1]."},
		{"My account is one of three.", " My account is one of three."},
		{"The plate is K P nine, Whiskey Golf Tango.", " The plate is [VEHICLE_ID_1]."},
		{"Password is capital T, lowercase r, dollar sign, seven, exclamation mark.", " Password is [PASSWORD_1]."},
		{"Password: capital B, blue, then 42, and then a hash.", " Password: [PASSWORD_1]."},
		{"L for Lima, E, A, at example dot org", " [EMAIL_ADDRESS_1]"},
		{"it's m, as in Mary, i, a, seven, at example dot org", " it's [EMAIL_ADDRESS_1]"},
		{"The code base has 10000 lines.", " The code base has 10000 lines."},
		{"The password is A, then we went home.", " The password is A, then we went home."},
		{"My pin is then then then.", " My pin is then then then."},
	} {
		if got := strings.Join(texts(hide(marker(), talk(c.in)...)), "|"); got != c.want {
			t.Errorf("%q: %q, want %q", c.in, got, c.want)
		}
	}
}

// TestAnswered hides answers that nothing but the question makes known, in text without capitals.
func TestAnswered(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{"B: and the last four digits of your mobile|two oh six six",
			" and the last four digits of your mobile| [PHONE_NUMBER_1]"},
		{"B: what's your memorable word|it's chandelier", " what's your memorable word| it's [PASSWORD_1]"},
		{"B: and your wifi password|marigold underscore forty", " and your wifi password| [PASSWORD_1]"},
		{"B: what is your password|i don't know", " what is your password| i don't know"},
		{"B: and your memorable word|B: and your pin", " and your memorable word| and your pin"},
		{"B: your mother's maiden name|wojciechowska", " your mother's maiden name| [NAME_1]"},
		{"B: i need the cardholder name|miss k l adebayo", " i need the cardholder name| [NAME_1]"},
		{"B: what's your name|that is not important", " what's your name| that is not important"},
		{"B: may i have the license plate|it's four xyz seven one nine",
			" may i have the license plate| it's [VEHICLE_ID_1]"},
		{"B: what's the account number|double nine|three one one|B: yep|and then oh oh two",
			" what's the account number| [ACCOUNT_NUMBER_1]| [ACCOUNT_NUMBER_1]| yep| [ACCOUNT_NUMBER_1]"},
		{"B: your date of birth|first of the tenth eighty one|B: and the house number|sixteen",
			" your date of birth| [DOB_1]| and the house number| sixteen"},
	} {
		if got := strings.Join(texts(hide(marker(), talk(c.in)...)), "|"); got != c.want {
			t.Errorf("%q: %q, want %q", c.in, got, c.want)
		}
	}
}

// TestStreets hides streets without a number, without a kind, and with the kind first, and leaves
// others.
func TestStreets(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{"I grew up on Willow Creek Lane, number sixty one.", " I grew up on [LOCATION_ADDRESS_STREET_1]."},
		{"It's nineteen twelve East Juniper, apartment nine C.", " It's [LOCATION_ADDRESS_STREET_1]."},
		{"She is at 14 Rue des Lilas now.", " She is at [LOCATION_ADDRESS_STREET_1] now."},
		{"We walked on Maple Street to the park.", " We walked on Maple Street to the park."},
		{"we met at fourteen hundred hours, suite four", " we met at fourteen hundred hours, suite four"},
		{"I sent 2 via email to 3 place settings.", " I sent 2 via email to 3 place settings."},
	} {
		if got := strings.Join(texts(hide(marker(), talk(c.in)...)), "|"); got != c.want {
			t.Errorf("%q: %q, want %q", c.in, got, c.want)
		}
	}
}

// TestIntroduced hides names that no list has where what is said around them makes them a person's,
// and leaves other words with capitals.
func TestIntroduced(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{"Hi, this is Zbigniew Kwasek calling from Lodz.", " Hi, this is [NAME_1] calling from Lodz."},
		{"This is Thandeka.", " This is [NAME_GIVEN_1]."},
		{"Siobhra here. Is Ruairidh available?", " [NAME_GIVEN_1] here. Is [NAME_GIVEN_2] available?"},
		{"Hello Nthabiseng, thanks for waiting.", " Hello [NAME_GIVEN_1], thanks for waiting."},
		{"B: And your name?|Ngũgĩ.", " And your name?| [NAME_GIVEN_1]."},
		{"B: Who am I speaking with?|It's Thandiwe Mokoena.", " Who am I speaking with?| It's [NAME_1]."},
		{"B: May I have your full name, please?|Yes, Ximena Adeyemi-Roux.",
			" May I have your full name, please?| Yes, [NAME_1]."},
		{"B: Your name tag is ready.|Great. Thanks.", " Your name tag is ready.| Great. Thanks."},
		{"May I speak to Łucja Zawada in billing?", " May I speak to [NAME_1] in billing?"},
		{"Can you put me through to Iolo?", " Can you put me through to [NAME_GIVEN_1]?"},
		{"I forwarded it to Aoibhinn from sales.", " I forwarded it to [NAME_GIVEN_1] from sales."},
		{"It's for Temperance Okafor-Bright.", " It's for [NAME_1]."},
		{"Ask for Xiomara at the desk.", " Ask for [NAME_GIVEN_1] at the desk."},
		{"Her brother is Eoghan, and a man called Dafydd Prosser came.",
			" Her brother is [NAME_GIVEN_1], and a man called [NAME_1] came."},
		{"Thank you, Sir. It's Christmas. Okay, Monday works for Microsoft.",
			" Thank you, Sir. It's Christmas. Okay, Monday works for Microsoft."},
		{"I work with Photoshop from home. Is Netflix any good? We talked to Support.",
			" I work with Photoshop from home. Is Netflix any good? We talked to Support."},
	} {
		if got := strings.Join(texts(hide(marker("NAME"), talk(c.in)...)), "|"); got != c.want {
			t.Errorf("%q: %q, want %q", c.in, got, c.want)
		}
	}
}

// TestDigitsOfLanguages hides numbers said with the words of the speaker's language.
func TestDigitsOfLanguages(t *testing.T) {
	for language, in := range map[string]string{
		"de": "vier zwo vier zwei vier zwei vier zwei vier zwei vier zwei vier zwei vier zwei",
		"fr": "cinq un zéro cinq un zéro cinq un zéro cinq un zéro cinq un zéro zéro",
		"es": "cinco uno cero cinco uno cero cinco uno cero cinco uno cero cinco uno cero cero",
	} {
		us := talk(in + " OK")
		us[0].Language = language
		if got := hide(marker("CREDIT_CARD"), us...)[0].Text; got != " [CREDIT_CARD_1] OK" {
			t.Errorf("%s: %q", language, got)
		}
	}
}
