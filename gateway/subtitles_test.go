package gateway

import (
	"encoding/json"
	"strings"
	"testing"

	"steno/messages"
)

// captionsOf requests the subtitles of two utterances, and returns them with the stored
// configuration.
func captionsOf(t *testing.T, config string) (list []messages.Subtitle, kept string) {
	t.Helper()
	r := addonServer(t, services(), "one two three four five six seven", "eight nine ten eleven twelve")
	up := r.uploadFile("a.wav", wavOf(speech(3, 3), 16000, 1))
	id := r.createJob(`{"audio_url":"` + up.AudioURL + `","subtitles":true,"subtitles_config":` + config + `}`)
	result := r.awaitResult(id)
	var params struct {
		SubtitlesConfig json.RawMessage `json:"subtitles_config"`
	}
	if err := json.Unmarshal(r.recordedJob(id).RequestParams, &params); err != nil {
		t.Fatal(err)
	}
	return result.Transcription.Subtitles, string(params.SubtitlesConfig)
}

// A record contains the defaults of the subtitles, including those that depend on the language.
func TestSubtitleDefaults(t *testing.T) {
	for config, want := range map[string]string{
		`{}`: `{"formats":["srt"],"minimum_duration":1,"maximum_duration":7,"maximum_characters_per_row":42,"maximum_rows_per_caption":2,"style":"default"}`,
		`{"maximum_characters_per_row":10,"minimum_duration":31,"style":"compliance","formats":["vtt","srt","vtt","vtt","srt","vtt","vtt","srt","vtt","vtt","srt"]}`: `{"formats":["vtt","srt"],` +
			`"minimum_duration":31,"maximum_duration":30,"maximum_characters_per_row":10,"maximum_rows_per_caption":2,"style":"compliance"}`,
	} {
		list, kept := captionsOf(t, config)
		if kept != want {
			t.Errorf("%s is kept as\n%s, want\n%s", config, kept, want)
		}
		if formats := strings.Count(kept, "srt") + strings.Count(kept, "vtt"); len(list) != formats {
			t.Errorf("%s: %d files, want %d", config, len(list), formats)
		}
	}
}
