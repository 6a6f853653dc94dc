package entities_test

import (
	"strings"
	"testing"
)

// TestWrittenText finds entities in text with capitals, punctuation and numbers in digits, words or
// both, and checks that their texts exclude what stands around them.
func TestWrittenText(t *testing.T) {
	for said, want := range map[string]string{
		"Dr. Weber's office is near Boston's harbor.":                                   "NAME_MEDICAL_PROFESSIONAL=Dr. Weber|LOCATION_CITY=Boston",
		"A Chicago-based team met a Paris-born Italian.":                                "LOCATION_CITY=Chicago|ORIGIN=Italian",
		"He lives in the U.S. with Ms. O'Hara. The U.S. Navy.":                          "LOCATION_COUNTRY=U.S.|NAME_FAMILY=O'Hara|LOCATION_COUNTRY=U.S.",
		"They left the U S. for the U.K. in 1998.":                                      "LOCATION_COUNTRY=U S|LOCATION_COUNTRY=U.K.|YEAR=1998",
		"It's made in the US, and it's good for us.":                                    "LOCATION_COUNTRY=US",
		"We saw Spain, Paris and San Diego.":                                            "LOCATION_COUNTRY=Spain|LOCATION_CITY=Paris|LOCATION_CITY=San Diego",
		"We asked Paris, and Rose said no.":                                             "NAME_GIVEN=Paris|NAME_GIVEN=Rose",
		"Yesterday I met Ed Krumbach. Will anyone mark it?":                             "NAME=Ed Krumbach",
		"May I help? Mark the page. Rose went up. Hope so.":                             "",
		"The Jun-ho case, not that of Dec-ware.":                                        "",
		"In Sept. 2024, on June 3rd, or mid-June.":                                      "DATE=Sept. 2024|DATE=June 3rd|MONTH=June",
		"St. Petersburg, St. Paul.":                                                     "LOCATION_CITY=St. Petersburg|LOCATION_CITY=St. Paul",
		"It was $1,462.50, $5-10, 5 dollars or $2.5 million.":                           "MONEY=$1,462.50|MONEY=$5-10|MONEY=5 dollars|MONEY=$2.5 million",
		"Twenty-one dollars, 3.5%, a twenty-one-year-old.":                              "MONEY=Twenty-one dollars|STATISTICS=3.5%|AGE=twenty-one-year-old",
		"Call 555-0123 or five five five, zero one two three.":                          "PHONE_NUMBER=555-0123|PHONE_NUMBER=five five five, zero one two three",
		"Come at 10:30 a.m. or 3 p.m. on Monday.":                                       "TIME=10:30 a.m.|TIME=3 p.m.|DAY=Monday",
		"You can e-mail me at lea.kern at example.com.":                                 "EMAIL_ADDRESS=lea.kern at example.com",
		"My password is tango, seven, seven, alpha. Next.":                              "PASSWORD=tango, seven, seven, alpha",
		"The password is \"Green Door 9\", I think.":                                    "PASSWORD=\"Green Door 9\"",
		"My social security number is one to three, for five, six, seven, eight, nine.": "SSN=one to three, for five, six, seven, eight, nine",
		"From one to three of five for six, and seven to nine.":                         "",
		"My card is 4111, 1111, 1111, 1111, and the CVV is 12.":                         "CREDIT_CARD=4111, 1111, 1111, 1111",
	} {
		var got []string
		for _, f := range find(said) {
			got = append(got, f.Type+"="+f.Text)
		}
		if strings.Join(got, "|") != want {
			t.Errorf("%s\n got %s\nwant %s", said, strings.Join(got, "|"), want)
		}
	}
}
