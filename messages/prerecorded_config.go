package messages

import "strings"

// ResultCallback is where the result of a recorded file is sent.
type ResultCallback struct {
	URL    string `json:"url,omitempty" format:"uri" maxLength:"2048" doc:"Needed where callback is true"`
	Method string `json:"method" default:"POST" enum:"POST,PUT"`
}

// SubtitlesConfig is the form of subtitles. A request that was read has everything but, where it
// was not given, the number of characters: that depends on the language of the text, and is filled
// in when there are subtitles.
type SubtitlesConfig struct {
	Formats                 List[string] `json:"formats" default:"[\"srt\"]" minItems:"1" unique:"true" enum:"srt,vtt" doc:"Each is written once"`
	MinimumDuration         *float64     `json:"minimum_duration,omitempty" minimum:"0" doc:"Seconds a caption is shown, where the next one, which begins with its words, and the end of the recording leave room for it; more than 30 counts as 30. Without it 1, in style compliance 0.834"`
	MaximumDuration         *float64     `json:"maximum_duration,omitempty" minimum:"1" maximum:"30" doc:"Seconds a caption is shown, at most. Without it 7, or as long as minimum_duration"`
	MaximumCharactersPerRow *int         `json:"maximum_characters_per_row,omitempty" minimum:"1" doc:"Without it 42; 16 in Chinese and Korean, 13 in Japanese"`
	MaximumRowsPerCaption   *int         `json:"maximum_rows_per_caption,omitempty" minimum:"1" maximum:"5" doc:"Without it 2"`
	Style                   string       `json:"style" default:"default" enum:"default,compliance" doc:"compliance also keeps two frames between captions, gives time to read, and begins a caption with each sentence"`
}

// Defaults of [SubtitlesConfig], in seconds. The second minimum, of style compliance, is 20 frames
// of film.
const (
	minimumDuration           = 1.0
	minimumDurationCompliance = 0.834
	maximumDuration           = 7.0
	longestDuration           = 30.0
	rowsPerCaption            = 2
)

// WithDefaults is the config with the durations and rows that it leaves open.
func (c SubtitlesConfig) WithDefaults() SubtitlesConfig {
	if c.MinimumDuration == nil {
		c.MinimumDuration = new(minimumDuration)
		if c.Style == "compliance" {
			c.MinimumDuration = new(minimumDurationCompliance)
		}
	}
	if c.MaximumDuration == nil {
		c.MaximumDuration = new(max(maximumDuration, c.shortest()))
	}
	if c.MaximumRowsPerCaption == nil {
		c.MaximumRowsPerCaption = new(rowsPerCaption)
	}
	return c
}

// shortest is the minimum duration that counts, 0 where none is given.
func (c SubtitlesConfig) shortest() float64 {
	if c.MinimumDuration == nil {
		return 0
	}
	return min(*c.MinimumDuration, longestDuration)
}

// DiarizationConfig is what is known of the speakers. The counts have no upper bound here, and must
// not contradict each other; a MaxSpeakers of 0 means no limit.
type DiarizationConfig struct {
	NumberOfSpeakers *int `json:"number_of_speakers,omitempty" minimum:"1" doc:"Exact number of speakers"`
	MinSpeakers      *int `json:"min_speakers,omitempty" minimum:"0"`
	MaxSpeakers      *int `json:"max_speakers,omitempty" minimum:"0"`
}

// AudioToLLMConfig is what a language model is asked about the text.
type AudioToLLMConfig struct {
	Prompts List[Prompt] `json:"prompts,omitzero" minItems:"1" maxItems:"100" single:"true" inner:"maxItems:\"100\" single:\"true\"" doc:"Each an array of strings or of messages with role and content, or a string"`
	Model   string       `json:"model,omitempty" minLength:"1" maxLength:"200" doc:"Name of the language model; without it the service's own choice"`
}

// Prompt is one question to a language model, in parts. A question that is asked is not empty.
type Prompt []PromptPart

// MarshalJSON writes an array, never null.
func (p Prompt) MarshalJSON() ([]byte, error) { return List[PromptPart](p).MarshalJSON() }

// Text joins the texts of all parts, one below the other.
func (p Prompt) Text() string {
	texts := make([]string, len(p))
	for i, part := range p {
		texts[i] = part.Content
	}
	return strings.Join(texts, "\n")
}

// PromptPart is a piece of a prompt; in JSON a string, or an object with a role.
type PromptPart struct {
	Content string `json:"content" required:"true" short:"true" maxLength:"100000"`
	// Role is empty where none was given.
	Role string `json:"role,omitempty" enum:"system,user,assistant"`
}

// MarshalJSON writes the shorter of the two forms.
func (p PromptPart) MarshalJSON() ([]byte, error) {
	if p.Role == "" {
		return marshal(p.Content)
	}
	return marshal(struct {
		Role    string `json:"role"`
		Content string `json:"content"`
	}{p.Role, p.Content})
}

// PIIRedactionConfig is what to hide, and how. Where redaction is on nothing is missing.
type PIIRedactionConfig struct {
	EntityTypes       List[string] `json:"entity_types,omitzero" single:"true" maxItems:"200" enum:"APPI,APPI_SENSITIVE,CCI,CORE_ENTITIES,CPRA,GDPR,GDPR_SENSITIVE,HEALTH_INFORMATION,HIPAA_SAFE_HARBOR,LIDI,NUMERICAL_EXCL_PCI,PCI,QUEBEC_PRIVACY_ACT,ACCOUNT_NUMBER,AGE,DATE,DATE_INTERVAL,DOB,DRIVER_LICENSE,DURATION,EMAIL_ADDRESS,EVENT,FILENAME,GENDER,HEALTHCARE_NUMBER,IP_ADDRESS,LANGUAGE,LOCATION,LOCATION_ADDRESS,LOCATION_ADDRESS_STREET,LOCATION_CITY,LOCATION_COORDINATE,LOCATION_COUNTRY,LOCATION_STATE,LOCATION_ZIP,MARITAL_STATUS,MONEY,NAME,NAME_FAMILY,NAME_GIVEN,NAME_MEDICAL_PROFESSIONAL,NUMERICAL_PII,OCCUPATION,ORGANIZATION,ORGANIZATION_MEDICAL_FACILITY,ORIGIN,PASSPORT_NUMBER,PASSWORD,PHONE_NUMBER,PHYSICAL_ATTRIBUTE,POLITICAL_AFFILIATION,RELIGION,SEXUALITY,SSN,TIME,URL,USERNAME,VEHICLE_ID,ZODIAC_SIGN,BLOOD_TYPE,CONDITION,DOSE,DRUG,INJURY,MEDICAL_PROCESS,STATISTICS,BANK_ACCOUNT,CREDIT_CARD,CREDIT_CARD_EXPIRATION,CVV,ROUTING_NUMBER,CORPORATE_ACTION,DAY,EFFECT,FINANCIAL_METRIC,MEDICAL_CODE,MONTH,ORGANIZATION_ID,PRODUCT,PROJECT,TREND,YEAR" doc:"Kinds of what is hidden: one, or an array of them; without any GDPR"`
	ProcessedTextType string       `json:"processed_text_type,omitempty" enum:"MARKER,MASK" doc:"What stands in its place: the name of the kind, or mere signs; without it MARKER"`
	BestEffort        bool         `json:"best_effort,omitempty" default:"false" doc:"Warn of kinds that cannot be found in a language, instead of refusing the job"`

	// lone is set if entity_types came as a string, and is to be shown as one.
	lone bool
}

// MarshalJSON shows entity_types in the form they came in.
func (p PIIRedactionConfig) MarshalJSON() ([]byte, error) {
	type plain PIIRedactionConfig
	if !p.lone || len(p.EntityTypes) != 1 {
		return marshal(plain(p))
	}
	return marshal(struct {
		EntityType string `json:"entity_types"`
		plain
	}{p.EntityTypes[0], plain(p)})
}

// StructuredDataExtractionConfig names the classes of data to be found.
type StructuredDataExtractionConfig struct {
	Classes List[string] `json:"classes,omitzero" minItems:"1" maxItems:"100" minLength:"1" maxLength:"500"`
}
