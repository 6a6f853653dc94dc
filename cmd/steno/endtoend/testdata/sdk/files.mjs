// Sends a recording by the client libraries of other services, each given the address of a gateway, and prints what is said in it
// as JSON, a line for each.
import { createReadStream } from 'node:fs'
import { DeepgramClient } from '@deepgram/sdk'
import { AssemblyAI } from 'assemblyai'
import OpenAI from 'openai'

const [origin, key, path] = process.argv.slice(2)
const told = (client, text) => console.log(JSON.stringify({ client, text: text.trim() }))

const openai = new OpenAI({ baseURL: origin + '/v1', apiKey: key })
const file = () => createReadStream(path)
told('openai', (await openai.audio.transcriptions.create({ model: 'whisper-1', file: file() })).text)
let deltas = ''
for await (const event of await openai.audio.transcriptions.create({ model: 'gpt-4o-transcribe', file: file(), stream: true })) {
  if (event.type === 'transcript.text.delta') deltas += event.delta
}
told('openai, streamed', deltas)
await openai
  .withOptions({ apiKey: 'no' })
  .models.list()
  .then(
    () => told('openai, unknown key', 'taken'),
    (refused) => told('openai, unknown key', refused.code),
  )

const deepgram = new DeepgramClient({ apiKey: key, baseUrl: origin })
const answer = await deepgram.listen.v1.media.transcribeFile(file(), { model: 'nova-3', smart_format: true })
told('deepgram', (answer.data ?? answer).results.channels[0].alternatives[0].transcript)

const assemblyai = new AssemblyAI({ apiKey: key, baseUrl: origin + '/assemblyai' })
const transcript = await assemblyai.transcripts.transcribe({ audio: path, speaker_labels: true }, { pollingInterval: 100 })
told('assemblyai', transcript.text ?? transcript.error)
