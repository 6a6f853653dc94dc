package entities

// Building blocks of the groups.
const (
	persons = " NAME NAME_GIVEN NAME_FAMILY NAME_MEDICAL_PROFESSIONAL DOB AGE"
	homes   = " LOCATION LOCATION_ADDRESS LOCATION_ADDRESS_STREET LOCATION_CITY LOCATION_COORDINATE LOCATION_ZIP"
	regions = " LOCATION_STATE LOCATION_COUNTRY"
	online  = " EMAIL_ADDRESS PHONE_NUMBER IP_ADDRESS URL USERNAME PASSWORD"
	papers  = " SSN PASSPORT_NUMBER DRIVER_LICENSE HEALTHCARE_NUMBER VEHICLE_ID ACCOUNT_NUMBER NUMERICAL_PII"
	payment = " CREDIT_CARD CREDIT_CARD_EXPIRATION CVV"
	banking = " BANK_ACCOUNT ROUTING_NUMBER"
	health  = " BLOOD_TYPE CONDITION DOSE DRUG INJURY MEDICAL_PROCESS MEDICAL_CODE"
	// special are the categories of article 9 of the GDPR that have types of their own, beside
	// health.
	special = " ORIGIN POLITICAL_AFFILIATION RELIGION SEXUALITY"
	civil   = " GENDER MARITAL_STATUS OCCUPATION LANGUAGE PHYSICAL_ATTRIBUTE ZODIAC_SIGN"
)

// groups are sets of types. They follow the texts named, as this project reads them; they are no
// legal advice. What they hold of the types of [NeedsModel] is found only where a model finds it.
func groups() map[string]string {
	return map[string]string{
		// Act on the Protection of Personal Information (Japan), article 2(1), (2): what identifies
		// a person, and individual identification codes.
		"APPI": persons + homes + online + papers + payment + banking + special + health +
			" GENDER OCCUPATION PHYSICAL_ATTRIBUTE MARITAL_STATUS",
		// The same, article 2(3): race, creed, social status, medical history.
		"APPI_SENSITIVE": special + health + " MARITAL_STATUS PHYSICAL_ATTRIBUTE",
		// Confidential company information: follows no law.
		"CCI": " CORPORATE_ACTION EFFECT EVENT FILENAME FINANCIAL_METRIC MONEY ORGANIZATION ORGANIZATION_ID " +
			"PRODUCT PROJECT STATISTICS TREND DATE DAY MONTH YEAR",
		// What identifies a person directly, whatever the law.
		"CORE_ENTITIES": persons + homes + online + papers + payment + banking,
		// California Privacy Rights Act, Civil Code 1798.140(v) and (ae).
		"CPRA": persons + homes + regions + online + papers + payment + banking + special + health + civil +
			" ORGANIZATION_MEDICAL_FACILITY",
		// Regulation (EU) 2016/679, articles 4(1) and 9(1).
		"GDPR": persons + homes + regions + online + papers + payment + banking + special + health + civil +
			" ORGANIZATION_MEDICAL_FACILITY FILENAME",
		// The same, article 9(1) only.
		"GDPR_SENSITIVE": special + health + " ORGANIZATION_MEDICAL_FACILITY PHYSICAL_ATTRIBUTE",
		// Everything about a person's health: follows no law.
		"HEALTH_INFORMATION": health +
			" HEALTHCARE_NUMBER NAME_MEDICAL_PROFESSIONAL ORGANIZATION_MEDICAL_FACILITY STATISTICS",
		// 45 CFR 164.514(b)(2)(i), the eighteen identifiers: states and countries may stay, years
		// may not where they are part of a date; ages are all hidden, not only those over 89.
		"HIPAA_SAFE_HARBOR": persons + homes + online + papers + payment + banking +
			" DATE DATE_INTERVAL DAY MONTH ORGANIZATION_MEDICAL_FACILITY PHYSICAL_ATTRIBUTE",
		// What identifies a person only with other data. No public text defines the name: this
		// reading is ours.
		"LIDI": civil + regions +
			" AGE DATE DATE_INTERVAL DAY DURATION EVENT LOCATION_CITY MONTH ORGANIZATION ORIGIN TIME YEAR",
		// All numbers of persons but those of cards.
		"NUMERICAL_EXCL_PCI": papers +
			" BANK_ACCOUNT DOB IP_ADDRESS LOCATION_ZIP ORGANIZATION_ID PHONE_NUMBER ROUTING_NUMBER",
		// PCI DSS v4.0, account data (cardholder name and authentication data, PINs among the
		// passwords), with accounts in banks.
		"PCI": payment + banking + " PASSWORD",
		// Act respecting the protection of personal information in the private sector (Quebec,
		// P-39.1), section 2, 12.
		"QUEBEC_PRIVACY_ACT": persons + homes + regions + online + papers + payment + banking + special + health +
			civil,
	}
}
