package describe

import "reflect"

// notes are what the tags of written types leave out: the key is Type.field, the value more of the tag.
func notes() map[string]reflect.StructTag {
	return map[string]reflect.StructTag{
		"Job.id":                    `format:"uuid"`,
		"Job.request_id":            `doc:"For debugging: G- and the first eight digits of the id"`,
		"Job.version":               `doc:"Version of the interface" const:"2"`,
		"Job.completed_at":          `doc:"Set with the status done or error"`,
		"Job.custom_metadata":       `doc:"That of the request"`,
		"Job.error_code":            `minimum:"400" maximum:"599" doc:"HTTP status of the failure, with the status error"`,
		"Job.post_session_metadata": `doc:"What was added later"`,

		"PIIRedactionConfig.entity_types": `lone:"true"`,
	}
}
