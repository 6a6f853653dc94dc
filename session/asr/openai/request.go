package openai

import (
	"bytes"
	"context"
	"errors"
	"io"
	"mime/multipart"
	"net"
	"net/http"
	"net/textproto"

	"steno/audio"
	"steno/session/asr"
	"steno/session/asr/remote"
)

const (
	// maxAnswer bounds the body of an answer: a minute's words with all details take some 50 KB.
	maxAnswer = 1 << 20
	// maxRefusal bounds what is read of a refusal.
	maxRefusal = 64 << 10
)

// post makes one request. With an error it returns what the server refused, as far as it tells
// that.
func (r *Recognizer) post(ctx context.Context, u *stream, samples []int16, language string, f form) (a *answer,
	by refused, err error) {
	ctx, cancel := context.WithTimeout(ctx, r.server.Limits.Timeout)
	defer cancel()
	body, kind := r.body(u, samples, language, f)
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, r.endpoint, bytes.NewReader(body))
	if err != nil {
		return nil, by, &remote.Failure{Text: "make request", Cause: err}
	}
	request.Header.Set("Content-Type", kind)
	request.Header.Set("Accept", f.accept())
	if r.config.Key != "" {
		request.Header.Set("Authorization", "Bearer "+r.config.Key)
	}
	response, err := r.client.Do(request)
	if err != nil {
		return nil, by, unanswered(err)
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		by, err = refusal(response)
		return nil, by, err
	}
	b, err := io.ReadAll(io.LimitReader(response.Body, maxAnswer+1))
	switch {
	case err != nil:
		return nil, by, &remote.Failure{Text: "read answer", Cause: remote.Plain(err), Again: true, Own: true}
	case len(b) > maxAnswer:
		return nil, by, &remote.Failure{Text: "the answer is too long", Own: true}
	}
	a, err = parse(b, response.Header.Get("Content-Type"), f)
	return a, by, err
}

// unanswered is the failure of a request without an answer. A server that cannot be reached is
// away; one that takes too long or breaks the connection off may do so for this utterance alone,
// and to wait as long again is not worth it.
func unanswered(err error) *remote.Failure {
	var dial *net.OpError
	late := errors.Is(err, context.DeadlineExceeded)
	reached := !errors.As(err, &dial) || dial.Op != "dial"
	return &remote.Failure{Text: "ask server", Cause: remote.Plain(err), Again: !late, Own: reached}
}

// body returns the form to post and its content type. Writing to a buffer cannot fail.
func (r *Recognizer) body(u *stream, samples []int16, language string, f form) ([]byte, string) {
	buffer := bytes.NewBuffer(make([]byte, 0, 2*len(samples)+4096))
	w := multipart.NewWriter(buffer)
	_ = w.WriteField("model", r.config.Model)
	if f.format != "" {
		_ = w.WriteField("response_format", f.format)
	}
	for _, granularity := range f.granularities {
		_ = w.WriteField("timestamp_granularities[]", granularity)
	}
	if f.format != "" {
		_ = w.WriteField("temperature", "0")
	}
	if language != "" {
		_ = w.WriteField("language", language)
	}
	if prompt := remote.Prompt(u.params.Vocabulary); r.config.Prompt && prompt != "" {
		_ = w.WriteField("prompt", prompt)
	}
	file, _ := w.CreatePart(textproto.MIMEHeader{
		"Content-Disposition": {`form-data; name="file"; filename="audio.wav"`}, "Content-Type": {"audio/wav"},
	})
	_, _ = file.Write(audio.WAVHeader(format, int64(2*len(samples))))
	_, _ = file.Write(audio.AppendPCM(nil, samples))
	_ = w.Close()
	return buffer.Bytes(), w.FormDataContentType()
}

// format is that of the samples that are posted.
var format = audio.Format{Encoding: audio.PCM, BitDepth: 16, SampleRate: asr.Rate, Channels: 1}
