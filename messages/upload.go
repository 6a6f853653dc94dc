package messages

// UploadRequest is the body that has a file fetched instead of sending it.
type UploadRequest struct {
	AudioURL string `json:"audio_url" required:"true" format:"uri" maxLength:"8192" doc:"Where the file is"`
}

// ParseUpload reads the body that has a file fetched. The Problem lists all faults, with status
// 400. The caller bounds the body, to [MaxRequestBody].
func ParseUpload(body []byte) (*UploadRequest, *Problem) {
	tree, problem := parseObject(body)
	if problem != nil {
		return nil, problem
	}
	r := new(UploadRequest)
	d := newBodyDecoder()
	d.object("", tree, r)
	if problem := d.problem(); problem != nil {
		return nil, problem
	}
	return r, nil
}

// Upload answers for a file that was stored.
type Upload struct {
	AudioURL      string        `json:"audio_url"` // absolute, of this service
	AudioMetadata AudioMetadata `json:"audio_metadata"`
}

// AudioMetadata is what was found in a stored file.
type AudioMetadata struct {
	ID               string  `json:"id"` // UUID v4
	Filename         string  `json:"filename"`
	Source           string  `json:"source,omitempty"` // where it was fetched from
	Extension        string  `json:"extension"`        // of the format found, without a dot
	Size             int64   `json:"size"`             // bytes
	AudioDuration    float64 `json:"audio_duration"`   // seconds
	NumberOfChannels int     `json:"number_of_channels"`
}
