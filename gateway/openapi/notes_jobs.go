package openapi

// jobNotes holds the notes on the answers of the operations on jobs and files, and their errors.
// See [notes].
var jobNotes = notes{
	"Job.id":                    `format:"uuid" doc:"Of the job"`,
	"Job.request_id":            `doc:"For debugging: G- and the first eight digits of the id"`,
	"Job.version":               `doc:"Version of the interface" const:"2"`,
	"Job.status":                `doc:"How far the job has come"`,
	"Job.created_at":            `doc:"When it was asked for"`,
	"Job.completed_at":          `doc:"Set with the status done or error"`,
	"Job.custom_metadata":       `doc:"That of the request; left out where it had none"`,
	"Job.error_code":            `minimum:"400" maximum:"599" doc:"HTTP status of the failure, with the status error"`,
	"Job.post_session_metadata": `doc:"What was added later, and what could not be done"`,
	"Job.file":                  `doc:"The audio, once it is known"`,
	"Job.warnings": `doc:"What the answer to the request had, and what may have been lost of a live ` +
		`session though its client was told that it is kept (field audio); left out where there was nothing"`,

	"LiveJob.kind": `doc:"Kind of the job"`,

	"PreRecordedJob.kind": `doc:"Kind of the job"`,

	"File.id":             `format:"uuid" doc:"Of the file"`,
	"File.filename":       `doc:"Name of an upload"`,
	"File.source":         `doc:"Where it was fetched from"`,
	"File.audio_duration": `minimum:"0" doc:"Seconds"`,
	"File.number_of_channels": `minimum:"1" doc:"Each is transcribed on its own; of a recording, those that hold ` +
		`the same as one"`,

	"Page.first":   `format:"uri" doc:"Link to the first page"`,
	"Page.current": `format:"uri" doc:"Link to this page"`,
	"Page.next":    `format:"uri" doc:"Link to the next page; null on the last one"`,
	"Page.items":   `doc:"The jobs, newest first"`,

	"LivePage.items": `doc:"The jobs, newest first"`,

	"PreRecordedPage.items": `doc:"The jobs, newest first"`,

	"ErrorBody.timestamp":         `doc:"When it happened"`,
	"ErrorBody.path":              `doc:"Path of the request"`,
	"ErrorBody.request_id":        `doc:"For debugging; also in the header X-Request-Id"`,
	"ErrorBody.statusCode":        `minimum:"400" maximum:"599" doc:"HTTP status"`,
	"ErrorBody.message":           `doc:"What is wrong"`,
	"ErrorBody.validation_errors": `doc:"With status 400: every field at fault, by its dotted path"`,

	"BotErrorBody.status":     `doc:"error"`,
	"BotErrorBody.error_code": `doc:"HTTP status"`,

	"Created.warnings": `doc:"What of the request is not done as asked, or should be asked for in another way; ` +
		`left out where there is nothing"`,
	"Created.id":         `format:"uuid" doc:"Of the job"`,
	"Created.result_url": `format:"uri" doc:"Where the job is found"`,

	"Opened.warnings": `doc:"What of the request is not done as asked, or should be asked for in another way; ` +
		`left out where there is nothing"`,
	"Opened.id":         `format:"uuid" doc:"Of the session"`,
	"Opened.created_at": `doc:"When it was asked for"`,
	"Opened.url": `format:"uri" doc:"Address of the session's WebSocket; it needs no other credentials: ` +
		`keep it secret"`,

	"Upload.audio_url": `format:"uri" doc:"Where the file is found"`,

	"AudioMetadata.id":                 `format:"uuid" doc:"Of the file"`,
	"AudioMetadata.filename":           `doc:"As it was sent; may be empty"`,
	"AudioMetadata.source":             `doc:"Where it was fetched from"`,
	"AudioMetadata.extension":          `doc:"Of the format found"`,
	"AudioMetadata.size":               `minimum:"0" doc:"Bytes"`,
	"AudioMetadata.audio_duration":     `minimum:"0" doc:"Seconds; 0 where the file does not say"`,
	"AudioMetadata.number_of_channels": `minimum:"0" doc:"Each is transcribed on its own"`,

	"BotAnswer.status":     `doc:"done or error"`,
	"BotAnswer.error_code": `doc:"HTTP status of the failure"`,
}
