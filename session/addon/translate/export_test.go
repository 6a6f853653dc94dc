package translate

// The readers of what comes from outside, for the fuzzer.
var (
	ReadTextsForTest     = readTexts
	ReadLanguagesForTest = readLanguages
	ReadLinesForTest     = readLines

	UnknownForTest = unknown
)
