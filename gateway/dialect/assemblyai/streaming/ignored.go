package streaming

import "steno/gateway/dialect"

// ignored lists what clients may ask for without effect.
func ignored() []dialect.Ignored {
	const socket, both = "WS /v3/ws", "WS /v3/ws, UpdateConfiguration"
	return []dialect.Ignored{
		{Where: both, Option: "end_of_turn_confidence_threshold",
			Why: "below 1 a turn ends after min_turn_silence, at 1 after max_turn_silence: no model judges its end"},
		{Where: both, Option: "prompt, agent_context, previous_context_n_turns",
			Why: "the engines take no instructions"},
		{Where: both, Option: "filter_profanity", Why: "the text is as it was recognized"},
		{Where: both, Option: "session_heartbeat, acknowledge_silence", Why: "the messages are not sent"},
		{Where: both, Option: "continuous_partials, interruption_delay, turn_left_pad_ms",
			Why: "turns are sent as they change"},
		{Where: "UpdateConfiguration", Option: "language_codes",
			Why: "a session keeps its languages: others are answered by a Warning"},
		{Where: socket, Option: "speech_model", Why: "the service's own models are the gateway's usual one"},
		{Where: socket, Option: "language_detection", Why: "is done where not exactly one language is stated"},
		{Where: socket, Option: "format_turns", Why: "a turn ends twice with it, both times with the engine's text"},
		{Where: socket, Option: "max_speakers, speaker_labels_revision_interval_ms", Why: "labels are not revised"},
		{Where: socket, Option: "voice_focus, voice_focus_threshold", Why: "the audio is heard as it is"},
		{Where: socket, Option: "noise_suppression_model, noise_suppression_threshold",
			Why: "the audio is heard as it is"},
		{Where: socket, Option: "domain, mode", Why: "the gateway's engines have no such modes"},
		{Where: socket, Option: "customer_support_audio_capture, _customer_support_audio_capture",
			Why: "nothing leaves this server"},
		{Where: "GET /v3/token", Option: "max_session_duration_seconds", Why: "the gateway's own limit holds"},
	}
}
