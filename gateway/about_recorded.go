package gateway

import (
	"net/http"
	"reflect"

	"steno/gateway/describe"
	"steno/messages"
)

func aboutUpload() describe.Details {
	return describe.Details{
		Notes: "The audio_url of the answer is what POST /v2/pre-recorded takes.",
		Takes: describe.Body(describe.Form[describe.Uploaded](), describe.JSON[messages.UploadRequest]()),
		Gives: describe.Answers(http.StatusOK, describe.JSON[messages.Upload]()),
		Refuses: []int{
			http.StatusBadRequest, http.StatusRequestTimeout, http.StatusRequestEntityTooLarge, http.StatusUnsupportedMediaType,
			http.StatusUnprocessableEntity, http.StatusNotImplemented, http.StatusBadGateway,
			http.StatusServiceUnavailable, http.StatusGatewayTimeout, http.StatusInsufficientStorage,
		},
	}
}

func aboutCreateRecorded() describe.Details {
	return describe.Details{
		Notes: "The job is queued: ask the result_url of the answer for it, or have a callback sent. A config is used only where its switch is true, and null is as good as missing. What is not known, or not done, is ignored: the warnings of the answer and of the record name it, and strict has it refused. Of several languages those served are taken.",
		Takes: describe.Body(describe.JSON[describe.PreRecordedRequest]().Like(describe.ExamplePreRecorded())),
		Gives: describe.With(describe.Answers(http.StatusCreated, describe.JSON[messages.Created]()), ignored),
		Refuses: []int{
			http.StatusBadRequest, http.StatusRequestEntityTooLarge, http.StatusUnprocessableEntity,
			http.StatusTooManyRequests, http.StatusNotImplemented,
		},
	}
}

func aboutBot() describe.Details {
	return describe.Details{
		Notes:   "Waits for the transcript. An answer with status 200 may tell of a failure; fields that are not known are a bot's own.",
		Failure: reflect.TypeFor[messages.BotErrorBody](),
		Takes:   describe.Body(describe.Form[describe.BotForm]()),
		Gives:   describe.With(describe.Answers(http.StatusOK, describe.JSON[messages.BotAnswer]()), ignored),
		Refuses: []int{
			http.StatusBadRequest, http.StatusRequestTimeout, http.StatusRequestEntityTooLarge, http.StatusUnsupportedMediaType,
			http.StatusUnprocessableEntity, http.StatusTooManyRequests, http.StatusNotImplemented,
			http.StatusServiceUnavailable, http.StatusInsufficientStorage,
		},
	}
}

func aboutModels() describe.Details {
	return describe.Details{
		Notes: "What requests may ask for now: it changes when models are installed and when engines come and go. An add-on that is not available may be asked for: it fails alone, with 501.",
		Gives: describe.Answers(http.StatusOK, describe.JSON[messages.Models]()),
	}
}
