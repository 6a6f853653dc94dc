// What a session is opened with: the choices under Options, and the body of POST /v2/live that they make.

export const defaults = {
  languages: [],
  model: 'stt-1',
  endpointing: 0.3,
  longest: 20,
  threshold: 0.6,
  enhance: false,
  entities: false,
  translation: false,
  targets: [],
  sentiment: false,
  speakers: false,
  vocabulary: false,
  words: '',
  summary: false,
  chapters: false,
  more: {}, // further add-ons of this server: the object of the request that their switch stands in, by name
}

/** Rate of the microphone's and recordings' audio, in samples a second. */
export const sampleRate = 16000

/** The words of the vocabulary: one a line, or with commas between them. */
export const wordsOf = (text) => [...new Set(text.split(/[\n,]/).map((w) => w.trim()).filter(Boolean))]

const usual = { endpointing: 0.05, longest: 5, threshold: 0.6, model: 'stt-1' } // what the gateway takes where a request says nothing

/**
 * The body of POST /v2/live for the choices. What is as the gateway would take it anyhow is left out.
 * @param {typeof defaults} o
 */
export function requestOf(o) {
  const request = { encoding: 'wav/pcm', bit_depth: 16, sample_rate: sampleRate, channels: 1 }
  if (o.model !== usual.model) request.model = o.model
  if (o.endpointing !== usual.endpointing) request.endpointing = o.endpointing
  if (o.longest !== usual.longest) request.maximum_duration_without_endpointing = o.longest
  if (o.languages.length > 0) request.language_config = { languages: o.languages, ...(o.languages.length > 1 && { code_switching: true }) }
  const before = { ...(o.enhance && { audio_enhancer: true }), ...(o.threshold !== usual.threshold && { speech_threshold: o.threshold }) }
  if (Object.keys(before).length > 0) request.pre_processing = before
  const during = whileSpeaking(o)
  if (Object.keys(during).length > 0) request.realtime_processing = during
  const after = { ...(o.summary && { summarization: true }), ...(o.chapters && { chapterization: true }) }
  if (Object.keys(after).length > 0) request.post_processing = after
  for (const [name, place] of Object.entries(o.more ?? {})) request[place] = { ...request[place], [name]: true }
  request.messages_config = { receive_partial_transcripts: true, receive_lifecycle_events: true }
  return request
}

function whileSpeaking(o) {
  const during = {}
  const words = wordsOf(o.words)
  if (o.entities) during.named_entity_recognition = true
  if (o.sentiment) during.sentiment_analysis = true
  if (o.speakers) during.diarization = true
  if (o.translation && o.targets.length > 0) {
    during.translation = true
    during.translation_config = { target_languages: o.targets }
  }
  if (o.vocabulary && words.length > 0) {
    during.custom_vocabulary = true
    during.custom_vocabulary_config = { vocabulary: words }
  }
  return during
}

/** The paths of what was chosen in a request, for marking it: all but the audio's format and which messages come. */
export const chosenIn = (request) => Object.keys(request).filter((k) => !['encoding', 'bit_depth', 'sample_rate', 'channels', 'messages_config'].includes(k))
