package gateway

import (
	"encoding/binary"
	"encoding/json"
	"math"
	"testing"

	"steno/messages"
)

// A recording's duration is the same in its upload, its job and its result.
func TestDurations(t *testing.T) {
	t.Parallel()
	r := recordedServer(t, nil)
	sound := speech(3.3, 1)
	wav := wavOf(sound[:len(sound)-1234], 44100, 1) // no whole number of milliseconds
	lying := append([]byte(nil), wav...)
	binary.LittleEndian.PutUint32(lying[4:], 0xFFFFFFF0)
	binary.LittleEndian.PutUint32(lying[40:], 0xFFFFFFFF)
	files := encodeAll(t, wav, []string{"-b:a", "64k", "a.mp3"}, []string{"-q:a", "5", "-write_xing", "0", "vbr.mp3"},
		[]string{"-b:a", "48k", "a.m4a"}, []string{"-b:a", "48k", "a.aac"}, []string{"-live", "1", "live.webm"})
	mp3 := files["a.mp3"]
	files["lying.wav"], files["cut.wav"], files["cut.mp3"] = lying, wav[:len(wav)/2], mp3[:len(mp3)/2]
	for name, content := range files {
		t.Run(name, func(t *testing.T) {
			up := r.uploadFile(name, content)
			told := up.AudioMetadata.AudioDuration
			if told <= 0 || told != math.Round(told*1000)/1000 {
				t.Errorf("told %v s of the upload", told)
			}
			id := r.createJob(`{"audio_url":"` + up.AudioURL + `"}`)
			if f := r.recordedJob(id).File; f.AudioDuration == nil || *f.AudioDuration != told {
				t.Errorf("%v s in the job at first, %v before", *f.AudioDuration, told)
			}
			result := r.awaitResult(id)
			if f := r.recordedJob(id).File; result.Metadata.AudioDuration != told || *f.AudioDuration != told {
				t.Errorf("%v s in the result, %v in the job, %v before", result.Metadata.AudioDuration,
					*f.AudioDuration, told)
			}
		})
	}
	at := fileServer(t, map[string][]byte{"/a.mp3": mp3})
	id := r.createJob(`{"audio_url":"` + at + `/a.mp3"}`)
	told := r.awaitResult(id).Metadata.AudioDuration
	var up messages.Upload
	a := r.do("POST", "/v2/upload", `{"audio_url":"`+r.http.URL+`/file/`+id+`"}`)
	if err := json.Unmarshal(a.body, &up); err != nil || up.AudioMetadata.AudioDuration != told ||
		*r.recordedJob(id).File.AudioDuration != told {
		t.Errorf("fetched: %v s in the result, %s", told, a.body)
	}
}
