import { GladiaClient } from '@gladiaio/sdk'

const client = new GladiaClient({ apiKey: process.env.KEY, apiUrl: 'http://127.0.0.1:8080' })
const job = await client.preRecorded().transcribe('talk.wav', { language_config: { languages: ['en'] } })
console.log(job.result.transcription.full_transcript)
